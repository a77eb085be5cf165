(ns spectralnorm
  "The spectral norm of the infinite matrix 1, 1/2, 1/3, … cut to n by n, by power iteration."
  (:import [java.util Locale]
           [languages Work Work$Task])
  (:gen-class))

(defn- a [i j]
  (/ 1.0 (+ (quot (* (+ i j) (+ i j 1)) 2) i 1)))

(defn- dot [u v]
  (reduce + (map * u v)))

(defn- times [element v]
  (let [n (count v)]
    (mapv (fn [i] (dot (map #(element i %) (range n)) v)) (range n))))

(defn- power [v]
  (->> v (times a) (times #(a %2 %1))))

(defn- norm [n]
  (let [[v u] (drop 19 (iterate power (vec (repeat n 1.0))))]
    (Math/sqrt (/ (dot u v) (dot v v)))))

(defn -main [size]
  (Work/run "spectralnorm" size
            (reify Work$Task
              (of [_ n] (String/format Locale/ROOT "%.9f" (object-array [(norm n)]))))))
