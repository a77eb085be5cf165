(ns binarytrees
  "Makes and walks full binary trees of several depths; one of them lives throughout."
  (:require [clojure.string :as str])
  (:import [languages Work Work$Task])
  (:gen-class))

(def ^:private least 4)

(defrecord Tree [left right])

(defn- tree [depth]
  (if (zero? depth)
    (->Tree nil nil)
    (->Tree (tree (dec depth)) (tree (dec depth)))))

(defn- nodes [{:keys [left right]}]
  (if left
    (+ 1 (nodes left) (nodes right))
    1))

(defn- trees [most]
  (let [stretch (nodes (tree (inc most)))
        long-lived (tree most)
        counts (for [depth (range least (inc most) 2)]
                 (reduce + (repeatedly (bit-shift-left 1 (+ (- most depth) least))
                                       #(nodes (tree depth)))))]
    (str/join " " (concat [stretch] counts [(nodes long-lived)]))))

(defn -main [size]
  (Work/run "binarytrees" size (reify Work$Task (of [_ n] (trees n)))))
