(ns fannkuch
  "Flips pancakes: over all permutations of n, the most flips, and a checksum of their numbers."
  (:import [languages Work Work$Task])
  (:gen-class))

(defn- rotate [permutation k]
  (let [[[head & tail] back] (split-at k permutation)]
    (vec (concat tail [head] back))))

(defn- permutations
  "The arrangements of the first k by rotation, each once."
  [permutation k]
  (if (= k 1)
    [permutation]
    (mapcat #(permutations % (dec k)) (take k (iterate #(rotate % k) permutation)))))

(defn- flip [pancakes]
  (let [top (inc (first pancakes))]
    (into (vec (rseq (subvec pancakes 0 top))) (subvec pancakes top))))

(defn- flips [pancakes]
  (loop [pancakes pancakes done 0]
    (if (zero? (first pancakes))
      done
      (recur (flip pancakes) (inc done)))))

(defn- fannkuch [n]
  (let [numbers (map flips (permutations (vec (range n)) n))
        checksum (reduce + (map * (cycle [1 -1]) numbers))]
    (str checksum " " (apply max numbers))))

(defn -main [size]
  (Work/run "fannkuch" size (reify Work$Task (of [_ n] (fannkuch n)))))
