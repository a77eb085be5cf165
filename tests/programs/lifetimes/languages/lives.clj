;; Persistent collections, lazy sequences, closures, atoms and exceptions of Clojure.
(ns lives
  (:gen-class))

(deftype InVector [])
(deftype InMap [])
(deftype InSeq [])
(deftype InAtom [])
(deftype Captured [])
(deftype Carried [])
(deftype Argument [other])

(defn vectors []
  (let [things (vec (repeatedly 6 #(Watch/see (->InVector))))]
    (Watch/tick)
    (let [fewer (pop (pop things))]
      (Watch/tick)
      (println (count fewer)))
    (Watch/tick)
    (println (count things)))
  (Watch/tick))

(defn maps []
  (loop [things {:a (Watch/see (->InMap)) :b (Watch/see (->InMap))} names [:a :b]]
    (Watch/tick)
    (when (seq names)
      (recur (dissoc things (first names)) (rest names)))))

(defn sequences []
  (println (reduce (fn [n thing] (Watch/tick) (inc n)) 0
                   (map (fn [k] (Watch/see (->InSeq))) (list 1 2 3 4))))
  (Watch/tick))

(defn atoms []
  (let [held (atom (Watch/see (->InAtom)))]
    (Watch/tick)
    (reset! held (Watch/see (->InAtom)))
    (Watch/tick)
    (swap! held (fn [_] nil))
    (Watch/tick)
    (println @held)))

(defn adder []
  (let [captured (Watch/see (->Captured))]
    (fn [n] (Watch/tick) (if (nil? captured) 0 n))))

(defn closures []
  (let [function (adder)]
    (println (function 1) (function 2)))
  (Watch/tick))

(defn failing [n argument]
  (Watch/tick)
  (if (zero? n)
    (throw (ex-info "" {:carried (Watch/see (->Carried))}))
    (inc (failing (dec n) (Watch/see (->Argument argument))))))

(defn failures []
  (try
    (println (failing 2 (Watch/see (->Argument nil))))
    (catch clojure.lang.ExceptionInfo e
      (Watch/tick)
      (println (some? (:carried (ex-data e)))))
    (finally (Watch/tick))))

(defn -main [& args]
  (Watch/begin (into-array String args))
  (vectors)
  (maps)
  (sequences)
  (atoms)
  (closures)
  (failures)
  (Watch/end)
  (shutdown-agents))
