(ns nbody
  "The outer planets for n steps of 0.01 days: energy before and after."
  (:import [java.util Locale]
           [languages Work Work$Task])
  (:gen-class))

(def ^:private solar-mass (* 4 Math/PI Math/PI))
(def ^:private year 365.24)
(def ^:private step 0.01)

(defn- plus [u v] (mapv + u v))
(defn- minus [u v] (mapv - u v))
(defn- scale [v factor] (mapv #(* % factor) v))
(defn- squared [[x y z]] (+ (* x x) (* y y) (* z z)))

(defn- body
  "Position in astronomical units, velocity in those a day, mass in suns."
  [position velocity mass]
  {:position position :velocity (scale velocity year) :mass (* mass solar-mass)})

(def ^:private planets
  [(body [0.0 0.0 0.0] [0.0 0.0 0.0] 1.0)
   (body [4.84143144246472090e+00 -1.16032004402742839e+00 -1.03622044471123109e-01]
         [1.66007664274403694e-03 7.69901118419740425e-03 -6.90460016972063023e-05]
         9.54791938424326609e-04)
   (body [8.34336671824457987e+00 4.12479856412430479e+00 -4.03523417114321381e-01]
         [-2.76742510726411899e-03 4.99852801234917238e-03 2.30417297573763929e-05]
         2.85885980666130812e-04)
   (body [1.28943695621391310e+01 -1.51111514016986312e+01 -2.23307578892655734e-01]
         [2.96460137564761618e-03 2.37847173959480950e-03 -2.96589568540237556e-05]
         4.36624404335156298e-05)
   (body [1.53796971148509165e+01 -2.59193146099879641e+01 1.79258772950371181e-01]
         [2.68067772490389322e-03 1.62824170038242295e-03 -9.51592254519715870e-05]
         5.15138902046611451e-05)])

(defn- at-rest [bodies]
  (let [momentum (reduce plus (map #(scale (:velocity %) (:mass %)) bodies))]
    (update-in bodies [0 :velocity] plus (scale momentum (/ -1 solar-mass)))))

(defn- pairs [n]
  (for [i (range n)
        j (range (inc i) n)]
    [i j]))

(defn- attract [bodies [i j]]
  (let [one (bodies i)
        other (bodies j)
        distance (minus (:position one) (:position other))
        magnitude (/ step (* (squared distance) (Math/sqrt (squared distance))))]
    (-> bodies
        (update-in [i :velocity] plus (scale distance (* (- (:mass other)) magnitude)))
        (update-in [j :velocity] plus (scale distance (* (:mass one) magnitude))))))

(defn- move [{:keys [velocity] :as body}]
  (update body :position plus (scale velocity step)))

(defn- advance [bodies]
  (mapv move (reduce attract bodies (pairs (count bodies)))))

(defn- energy [bodies]
  (- (reduce + (map #(* 0.5 (:mass %) (squared (:velocity %))) bodies))
     (reduce + (for [[i j] (pairs (count bodies))
                     :let [one (bodies i) other (bodies j)]]
                 (/ (* (:mass one) (:mass other))
                    (Math/sqrt (squared (minus (:position one) (:position other)))))))))

(defn- simulate [n]
  (let [bodies (at-rest planets)
        later (nth (iterate advance bodies) n)]
    (String/format Locale/ROOT "%.9f %.9f" (object-array [(energy bodies) (energy later)]))))

(defn -main [size]
  (Work/run "nbody" size (reify Work$Task (of [_ n] (simulate n)))))
