(ns knucleotide
  "Counts the substrings of a random sequence of n bases: all short ones, and three long ones."
  (:require [clojure.string :as str])
  (:import [languages Work Work$Task])
  (:gen-class))

(defn- sequence-of [n]
  (->> (iterate #(mod (+ (* % 3877) 29573) 139968) 42)
       rest
       (take n)
       (map #(nth "ACGT" (quot (* % 4) 139968)))
       (apply str)))

(defn- counts [bases length]
  (frequencies (map #(subs bases % (+ % length)) (range (- (inc (count bases)) length)))))

(defn- report [bases]
  (str/join " "
            (concat (for [length [1 2]
                          [substring n] (sort-by (fn [[s n]] [(- n) s]) (counts bases length))]
                      (str substring "=" n))
                    (for [substring ["GGT" "GGTA" "GGTATT"]]
                      (str substring "=" (get (counts bases (count substring)) substring 0))))))

(defn -main [size]
  (Work/run "knucleotide" size (reify Work$Task (of [_ n] (report (sequence-of n))))))
