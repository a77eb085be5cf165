(ns mandelbrot
  "Which points of an n by n raster stay bounded for 50 steps: their number and a checksum."
  (:import [languages Work Work$Task])
  (:gen-class))

(defn- bounded? [^double x ^double y]
  (loop [re 0.0 im 0.0 step 0]
    (if (= step 50)
      true
      (let [next-re (+ (- (* re re) (* im im)) x)
            next-im (+ (* 2 re im) y)]
        (if (> (+ (* next-re next-re) (* next-im next-im)) 4)
          false
          (recur next-re next-im (inc step)))))))

(defn- raster [n]
  (let [bits (for [row (range n)
                   column (range n)]
               (if (bounded? (- (/ (* 2.0 column) n) 1.5) (- (/ (* 2.0 row) n) 1)) 1 0))]
    (str (reduce + bits) " "
         (reduce (fn [checksum bit] (mod (+ (* checksum 31) bit) 65521)) 1 bits))))

(defn -main [size]
  (Work/run "mandelbrot" size (reify Work$Task (of [_ n] (raster n)))))
