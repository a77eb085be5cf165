(ns regex
  "Searches a random sequence of n bases for patterns, and replaces some of them."
  (:require [clojure.string :as str])
  (:import [languages Work Work$Task])
  (:gen-class))

(def ^:private patterns
  [#"gg[at]c" #"a(?:c|g)+t" #"tt.{2}gg" #"(?:aca|tgt)[^c]*c" #"[cg]{4,6}" #"c+a*t|g$"])

(defn- sequence-of [n]
  (->> (iterate #(mod (+ (* % 3877) 29573) 139968) 42)
       rest
       (take n)
       (map #(nth "acgt" (quot (* % 4) 139968)))
       (apply str)))

(defn- search [bases]
  (let [replaced (-> bases
                     (str/replace #"t[ac]+g" "<>")
                     (str/replace #"([ag])<>" (fn [[_ base]] (str base "|" base))))]
    (str/join " " (conj (mapv #(count (re-seq % bases)) patterns) (count replaced)))))

(defn -main [size]
  (Work/run "regex" size (reify Work$Task (of [_ n] (search (sequence-of n))))))
