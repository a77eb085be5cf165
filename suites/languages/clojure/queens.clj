(ns queens
  "Counts the ways to place n queens on a board of n by n, row by row, by backtracking."
  (:import [languages Work Work$Task])
  (:gen-class))

(defn- safe? [column placed]
  (every? true? (map-indexed (fn [i other]
                               (and (not= other column)
                                    (not= (abs (- other column)) (inc i))))
                             placed)))

(defn- place [n placed]
  (if (= n (count placed))
    1
    (reduce + (for [column (range n) :when (safe? column placed)]
                (place n (cons column placed))))))

(defn -main [size]
  (Work/run "queens" size (reify Work$Task (of [_ n] (str (place n ()))))))
