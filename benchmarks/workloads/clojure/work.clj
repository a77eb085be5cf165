(ns work
  (:require [clojure.string :as str])
  (:import [java.nio.file Files Paths]))

(defprotocol Shape
  (area [this])
  (weight [this density]))

(defrecord Square [side]
  Shape
  (area [_] (* side side))
  (weight [this density] (* density (area this))))

(defrecord Group [parts]
  Shape
  (area [_] (reduce + (map area parts)))
  (weight [this density] (* density (area this))))

(defmulti sound :kind)
(defmethod sound :dog [animal] (str (:name animal) " wuff"))
(defmethod sound :cat [animal] (str (:name animal) " meow"))
(defmethod sound :default [_] "?")

(defn draws [n]
  (take n (iterate #(mod (+ (* % 1103515245) 12345) 2147483648) 7)))

(defn words [n]
  (->> (draws n)
       (map #(str "word" (mod (quot % 65536) 97)))
       frequencies
       (sort-by (fn [[word times]] [(- times) word]))
       (take 4)
       (str/join " ")))

(defn primes []
  ((fn sieve [candidates]
     (lazy-seq
      (let [p (first candidates)]
        (cons p (sieve (remove #(zero? (mod % p)) (rest candidates)))))))
   (iterate inc 2)))

(defn queens [n]
  (letfn [(place [row columns left right]
            (if (= row n)
              1
              (loop [c 0 total 0]
                (if (= c n)
                  total
                  (let [bit (bit-shift-left 1 c)]
                    (recur (inc c)
                           (if (zero? (bit-and bit (bit-or columns left right)))
                             (+ total (place (inc row) (bit-or columns bit)
                                             (bit-shift-left (bit-or left bit) 1)
                                             (bit-shift-right (bit-or right bit) 1)))
                             total)))))))]
    (place 0 0 0 0)))

(defn once [size]
  (let [shapes (vec (for [i (range 30)]
                      (if (zero? (mod i 3)) (->Group [(->Square i) (->Square 1)]) (->Square i))))
        animals (cycle [{:kind :dog :name "rex"} {:kind :cat :name "tom"} {:kind :fish}])]
    (str/join "\n"
              [(words (* size 40))
               (str "queens " (queens 6))
               (str "weight " (reduce + (map #(weight (nth shapes (mod % 30)) (bit-and % 3)) (range (* size 40)))))
               (str "prime " (nth (primes) (min 100 (* size 2))))
               (str "noise " (reduce + (map (comp count sound) (take (* size 30) animals))))
               (str "sum " (transduce (comp (map #(* % %)) (filter even?)) + (range (* size 100))))
               (try (Integer/parseInt "x") (catch NumberFormatException e (str "caught " (.getMessage e))))])))

(defn processor-ms []
  (/ (Long/parseLong (first (str/split (String. (Files/readAllBytes (Paths/get "/proc/thread-self/schedstat" (make-array String 0)))) #" "))) 1e6))

(let [[size iterations] (map #(Integer/parseInt %) *command-line-args*)
      iterations (or iterations 1)]
  (loop [i 0 expected nil]
    (when (< i iterations)
      (let [busy (if (> iterations 1) (processor-ms) 0)
            start (System/nanoTime)
            result (once size)
            elapsed (/ (- (System/nanoTime) start) 1e6)]
        (when-not expected (println result))
        (when (and expected (not= expected result)) (throw (IllegalStateException. "results differ")))
        (when (> iterations 1)
          (.println System/err
                    (String/format java.util.Locale/ROOT "ITER %.3f %.3f"
                                   (object-array [elapsed (- (processor-ms) busy)]))))
        (recur (inc i) result)))))
(flush)
