(ns json
  "Writes n records as JSON, reads them back, and sums up what was read."
  (:require [clojure.string :as str])
  (:import [languages Work Work$Task])
  (:gen-class))

(defn- item [i]
  (array-map :id i
             :name (str "item \"" (mod (* i 7919) 1000) "\"\n")
             :tags (mapv #(str "t" (* i %)) (range (mod i 4)))
             :next (when-not (zero? (mod i 3)) {:to (- i)})
             :even (even? i)))

(defn- quoted [text]
  (str \" (str/escape text {\" "\\\"" \\ "\\\\" \newline "\\n"}) \"))

(defprotocol Json
  (write [value])
  (sum [value]))

(extend-protocol Json
  nil
  (write [_] "null")
  (sum [_] 7)
  Boolean
  (write [value] (str value))
  (sum [value] (if value 1 0))
  Number
  (write [value] (str value))
  (sum [value] value)
  String
  (write [value] (quoted value))
  (sum [value] (count value))
  clojure.lang.IPersistentVector
  (write [value] (str "[" (str/join "," (map write value)) "]"))
  (sum [value] (reduce + (map sum value)))
  clojure.lang.IPersistentMap
  (write [value]
    (str "{" (str/join "," (for [[k v] value] (str (quoted (name k)) ":" (write v)))) "}"))
  (sum [value] (reduce + (for [[k v] value] (+ (* 3 (count (name k))) (sum v))))))

(declare parse)

(defn- parse-string
  "The text of a string that starts before `at`, and where it ends."
  [text at]
  (loop [at at chars []]
    (case (nth text at)
      \" [(apply str chars) (inc at)]
      \\ (let [c (nth text (inc at))]
           (recur (+ at 2) (conj chars (if (= c \n) \newline c))))
      (recur (inc at) (conj chars (nth text at))))))

(defn- past-comma [text at]
  (if (= \, (nth text at)) (inc at) at))

(defn- parse-array [text at]
  (loop [at at items []]
    (if (= \] (nth text at))
      [items (inc at)]
      (let [[item after] (parse text at)]
        (recur (past-comma text after) (conj items item))))))

(defn- parse-object [text at]
  (loop [at at fields (array-map)]
    (if (= \} (nth text at))
      [fields (inc at)]
      (let [[field after] (parse-string text (inc at))
            [value after] (parse text (inc after))]
        (recur (past-comma text after) (assoc fields (keyword field) value))))))

(defn- parse-number [text at]
  (let [digits (apply str (take-while #(or (= \- %) (Character/isDigit (char %)))
                                      (subs text at (min (count text) (+ at 12)))))]
    [(parse-long digits) (+ at (count digits))]))

(defn- parse
  "The value at a place of a text, and where it ends."
  [text at]
  (case (nth text at)
    \{ (parse-object text (inc at))
    \[ (parse-array text (inc at))
    \" (parse-string text (inc at))
    \t [true (+ at 4)]
    \f [false (+ at 5)]
    \n [nil (+ at 4)]
    (parse-number text at)))

(defn- round-trip [n]
  (let [text (write (mapv item (range n)))
        [value] (parse text 0)]
    (str (count text) " " (sum value) " " (count (write value)))))

(defn -main [size]
  (Work/run "json" size (reify Work$Task (of [_ n] (round-trip n)))))
