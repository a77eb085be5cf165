(ns sieve
  "The primes up to n by the sieve of Eratosthenes: how many, and the largest."
  (:import [languages Work Work$Task])
  (:gen-class))

(defn- strike [composite i]
  (reduce #(assoc! %1 %2 true) composite (range (* 2 i) (count composite) i)))

(defn- primes [n]
  (loop [i 2 composite (transient (vec (repeat (inc n) false))) found []]
    (cond
      (> i n) found
      (composite i) (recur (inc i) composite found)
      :else (recur (inc i) (strike composite i) (conj found i)))))

(defn -main [size]
  (Work/run "sieve" size
            (reify Work$Task
              (of [_ n]
                (let [found (primes n)]
                  (str (count found) " " (peek found)))))))
