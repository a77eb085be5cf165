(ns deltablue
  "Drags the ends of a chain of n equalities and all variables of n projections `source * scale +
  offset` while DeltaBlue satisfies their constraints: what arrived at the chain's other end, what
  arrived at the projections' other side, the sum of where they end, and how many constraints
  plans executed. A system of constraints is a value; variables and constraints are its indices."
  (:import [clojure.lang PersistentQueue]
           [languages Work Work$Task])
  (:gen-class))

(def ^:private steps 10)

(def ^:private rank
  "From the strongest to that of a variable nothing determines."
  (zipmap [:required :strong :preferred :normal :weak :weakest] (range)))

(defn- stronger? [one other]
  (< (rank one) (rank other)))

(defn- weaker [one other]
  (max-key rank one other))

(defn- variable
  "Its walkabout strength is that of the weakest constraint that would yield for another value."
  [value]
  {:value value :constraints [] :determined-by nil :strength :weakest :constant? true :mark 0})

(defn- system [values]
  {:variables (mapv variable values) :constraints [] :mark 0 :executed 0 :arrived 0})

(defn- queue [& elements]
  (into PersistentQueue/EMPTY elements))

(defn- value-of [system variable]
  (get-in system [:variables variable :value]))

(defn- output
  "The variable that a constraint determines; nil if it is not satisfied."
  [system constraint]
  (get-in system [:constraints constraint :output]))

(defn- marked? [{:keys [mark variables]} variable]
  (= mark (:mark (variables variable))))

(defn- mark [system variable]
  (assoc-in system [:variables variable :mark] (:mark system)))

(defn- inputs [{:keys [variables output]}]
  (remove #(= output %) variables))

(defn- consumers [system variable]
  (let [{:keys [constraints determined-by]} (get-in system [:variables variable])]
    (filter #(and (not= determined-by %) (output system %)) constraints)))

(defmulti ^:private result
  "The value that a constraint gives to its output."
  (fn [_ {:keys [kind]}] kind))

(defmethod result :default [system {:keys [output]}]
  (value-of system output))

(defmethod result :equality [system {:keys [output] [one other] :variables}]
  (value-of system (if (= output one) other one)))

(defmethod result :projection [system {:keys [output] [_ destination :as variables] :variables}]
  (let [[source-value value scale offset] (map #(value-of system %) variables)]
    (if (= output destination)
      (+ (* source-value scale) offset)
      (quot (- value offset) scale))))

(defn- execute [system constraint]
  (let [{:keys [output] :as constraint} (get-in system [:constraints constraint])]
    (assoc-in system [:variables output :value] (result system constraint))))

(defn- recalculate [{:keys [variables constraints] :as system} constraint]
  (let [{:keys [kind strength output] [one other] :variables :as own} (constraints constraint)
        constant? (and (not= :edit kind) (every? (comp :constant? variables) (inputs own)))
        opposite (if (= output one) other one)
        strength (if opposite (weaker strength (:strength (variables opposite))) strength)
        system (update-in system [:variables output] assoc :strength strength :constant? constant?)]
    (if constant? (execute system constraint) system)))

(defn- weakest
  "The variable for a constraint to determine, if a pass has not marked it."
  [{:keys [variables] :as system} {[one other] :variables}]
  (cond
    (nil? other) one
    (marked? system one) other
    (marked? system other) one
    (stronger? (:strength (variables other)) (:strength (variables one))) one
    :else other))

(defn- choose
  "The variable that a constraint can determine; nil if it cannot be satisfied."
  [{:keys [variables] :as system} {:keys [strength] :as constraint}]
  (let [chosen (weakest system constraint)]
    (when (and (not (marked? system chosen)) (stronger? strength (:strength (variables chosen))))
      chosen)))

(defn- propagate [system constraint]
  (loop [system system
         pending (queue constraint)]
    (if-let [constraint (peek pending)]
      (let [changed (recalculate system constraint)
            output (output system constraint)]
        (when (marked? system output)
          (throw (IllegalStateException. "constraints form a cycle")))
        (recur changed (into (pop pending) (consumers changed output))))
      system)))

(defn- satisfy
  "The system with a constraint satisfied if it can be, and the one that it overrides, or nil."
  [system constraint]
  (let [chosen (choose system (get-in system [:constraints constraint]))
        changed (assoc-in system [:constraints constraint :output] chosen)
        {:keys [strength] :as own} (get-in changed [:constraints constraint])
        overridden (get-in system [:variables chosen :determined-by])]
    (cond
      chosen [(-> (reduce mark changed (inputs own))
                  (cond-> overridden (assoc-in [:constraints overridden :output] nil))
                  (assoc-in [:variables chosen :determined-by] constraint)
                  (propagate constraint)
                  (mark chosen))
              overridden]
      (= :required strength)
      (throw (IllegalStateException. "a required constraint cannot be satisfied"))
      :else [changed nil])))

(defn- enforce
  "Satisfies a constraint if it can be, and what it overrides in another way."
  [system constraint]
  (->> [(update system :mark inc) constraint]
       (iterate (partial apply satisfy))
       (drop-while second)
       ffirst))

(defn- newest [{:keys [constraints]}]
  (dec (count constraints)))

(defn- add [system kind strength & variables]
  (let [added (update system :constraints conj
                      {:kind kind :strength strength :variables variables :output nil})
        constraint (newest added)]
    (-> (fn [system variable]
          (update-in system [:variables variable :constraints] conj constraint))
        (reduce added variables)
        (enforce constraint))))

(defn- release
  "Leaves a variable undetermined; the system, and the unsatisfied constraints of it and of all
  that depends on it."
  [system variable]
  (loop [system (update-in system [:variables variable] assoc
                           :determined-by nil :strength :weakest :constant? true)
         pending (queue variable)
         unsatisfied []]
    (if-let [variable (peek pending)]
      (let [consumers (consumers system variable)]
        (recur (reduce recalculate system consumers)
               (into (pop pending) (map #(output system %)) consumers)
               (into unsatisfied
                     (remove #(output system %))
                     (get-in system [:variables variable :constraints]))))
      [system unsatisfied])))

(defn- retract
  "Removes a satisfied constraint; the strongest of those that it kept out come first."
  [system constraint]
  (let [{:keys [variables] determined :output} (get-in system [:constraints constraint])
        without (fn [system variable]
                  (update-in system [:variables variable :constraints]
                             (partial filterv #(not= constraint %))))
        [system unsatisfied] (release (reduce without system variables) determined)]
    (reduce (fn [system constraint]
              (if (output system constraint) system (enforce system constraint)))
            system
            (sort-by #(rank (get-in system [:constraints % :strength])) unsatisfied))))

(defn- known? [{:keys [variables] :as system} variable]
  (let [{:keys [constant? determined-by]} (variables variable)]
    (or (marked? system variable) constant? (nil? determined-by))))

(defn- plan
  "What to execute, in this order, when an edited variable has changed; and the system."
  [system edit]
  (loop [system (update system :mark inc)
         pending (queue edit)
         plan []]
    (if-let [constraint (peek pending)]
      (let [{:keys [output] :as own} (get-in system [:constraints constraint])]
        (if (and (not (marked? system output)) (every? #(known? system %) (inputs own)))
          (recur (mark system output)
                 (into (pop pending) (consumers system output))
                 (conj plan constraint))
          (recur system (pop pending) plan)))
      [plan system])))

(defn- drag
  "Moves an edited variable, and adds up the values that another one has."
  [system edit step watched]
  (let [[plan system] (plan system edit)
        edited (output system edit)
        move (fn [system]
               (let [moved (reduce execute
                                   (update-in system [:variables edited :value] + step)
                                   plan)]
                 (-> moved
                     (update :executed + (count plan))
                     (update :arrived + (value-of moved watched)))))]
    (nth (iterate move system) steps)))

(defn- drag-variable [system variable step watched]
  (let [system (add system :edit :preferred variable)
        edit (newest system)]
    (-> system (drag edit step watched) (retract edit))))

(defn- chain
  "The head's edit overrides the tail's; without it the values run the other way."
  [n]
  (let [add-equality (fn [system i] (add system :equality :required i (inc i)))
        chained (reduce add-equality (system (range (inc n))) (range n))
        edited (-> chained (add :stay :normal n) (add :edit :preferred n) (add :edit :strong 0))
        stronger (newest edited)
        weaker (dec stronger)]
    (-> edited
        (drag stronger 1 n)
        (retract stronger)
        (drag weaker n 0)
        (retract weaker))))

(defn- projections
  "Sources stay, and destinations follow, unless a destination is what is dragged."
  [n]
  (let [[scale offset & others] (range (+ 2 n n))
        [sources destinations] (split-at n others)
        add-projection (fn [system [source destination]]
                         (-> system
                             (add :stay :normal source)
                             (add :stay :weak destination)
                             (add :projection :required source destination scale offset)))
        drag-source (fn [system [source destination]]
                      (drag-variable system source 1 destination))
        drag-destination (fn [system [source destination]]
                           (drag-variable system destination (value-of system scale) source))
        pairs (map vector sources destinations)]
    (as-> (system (concat [3 7] (range n) (range n))) system
      (reduce add-projection system pairs)
      (reduce drag-source system pairs)
      (drag-variable system scale 1 (last destinations))
      (drag-variable system offset 2 (last destinations))
      (reduce drag-destination system pairs)
      (assoc system :total (transduce (map #(value-of system %)) + destinations)))))

(defn- solve [n]
  (let [chain (chain n)
        {:keys [arrived total executed]} (projections n)]
    (str (:arrived chain) " " arrived " " total " " (+ executed (:executed chain)))))

(defn -main [size]
  (Work/run "deltablue" size (reify Work$Task (of [_ n] (solve n)))))
