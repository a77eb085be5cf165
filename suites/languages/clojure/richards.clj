(ns richards
  "Simulates the kernel of an operating system for n turns of its idle task: how many packets were
  queued, and how often a task was held. A task's number is its priority; the kernel is a value."
  (:import [languages Work Work$Task])
  (:gen-class))

(def ^:private worker 1)
(def ^:private handler-a 2)
(def ^:private handler-b 3)
(def ^:private device-a 4)
(def ^:private device-b 5)
(def ^:private data-size 4)

(defn- packet [task kind]
  {:task task :kind kind :at 0 :data []})

(defn- task [kind packets & {:as own}]
  (merge {:kind kind
          :queue (into clojure.lang.PersistentQueue/EMPTY packets)
          :held? false
          :suspended? true
          :runnable? (boolean (seq packets))}
         own))

(def ^:private no-packets clojure.lang.PersistentQueue/EMPTY)

(defn- kernel [turns]
  {:tasks [(task :idle [] :suspended? false :turns turns :control 1)
           (task :worker (repeat 2 (packet worker :work)) :handler handler-a :letter 0)
           (task :handler (repeat 3 (packet device-a :device)) :work no-packets :devices no-packets)
           (task :handler (repeat 3 (packet device-b :device)) :work no-packets :devices no-packets)
           (task :device [] :pending nil)
           (task :device [] :pending nil)]
   :current device-b
   :queued 0
   :held 0})

(defn- change [{:keys [current] :as kernel} key value]
  (assoc-in kernel [:tasks current key] value))

(defn- below [kernel]
  (update kernel :current dec))

(defn- hold [kernel]
  (-> kernel (update :held inc) (change :held? true) below))

(defn- suspend [kernel]
  (change kernel :suspended? true))

(defn- release [kernel id]
  (-> kernel (assoc-in [:tasks id :held?] false) (update :current max id)))

(defn- send-packet [{:keys [current tasks] :as kernel} {id :task :as packet}]
  (let [idle? (empty? (:queue (tasks id)))
        sent (-> kernel
                 (update :queued inc)
                 (update-in [:tasks id :queue] conj (assoc packet :task current)))]
    (if idle?
      (-> sent (assoc-in [:tasks id :runnable?] true) (update :current max id))
      sent)))

(defmulti ^:private run
  "The kernel after a task has run with a packet, nil if it has none."
  (fn [_ task _] (:kind task)))

(defmethod run :idle [kernel {:keys [turns control]} _]
  (let [kernel (change kernel :turns (dec turns))
        half (bit-shift-right control 1)]
    (cond
      (= turns 1) (hold kernel)
      (even? control) (-> kernel (change :control half) (release device-a))
      :else (-> kernel (change :control (bit-xor half 0xD008)) (release device-b)))))

(defmethod run :worker [kernel {:keys [handler letter]} packet]
  (if packet
    (let [handler (if (= handler handler-a) handler-b handler-a)
          letters (vec (take data-size (rest (iterate #(inc (mod % 26)) letter))))]
      (-> kernel
          (change :handler handler)
          (change :letter (peek letters))
          (send-packet (assoc packet :task handler :at 0 :data letters))))
    (suspend kernel)))

(defn- handle [kernel work devices]
  (let [{:keys [at data] :as next} (peek work)
        device (peek devices)]
    (cond
      (= at data-size) (-> kernel (change :work (pop work)) (send-packet next))
      (and next device) (-> kernel
                            (change :work (into (conj no-packets (assoc next :at (inc at)))
                                                (rest work)))
                            (change :devices (pop devices))
                            (send-packet (assoc device :at (data at))))
      :else (suspend kernel))))

(defmethod run :handler [kernel {:keys [work devices]} packet]
  (case (:kind packet)
    :work (let [work (conj work packet)] (handle (change kernel :work work) work devices))
    :device (let [devices (conj devices packet)]
              (handle (change kernel :devices devices) work devices))
    (handle kernel work devices)))

(defmethod run :device [kernel {:keys [pending]} packet]
  (let [kernel (change kernel :pending packet)]
    (cond
      packet (hold kernel)
      pending (send-packet kernel pending)
      :else (suspend kernel))))

(defn- turn [{:keys [tasks current] :as kernel}]
  (let [{:keys [held? suspended? runnable? queue] :as task} (tasks current)]
    (cond
      (or held? (and suspended? (not runnable?))) (below kernel)
      suspended? (let [waiting (pop queue)
                       taken (assoc task :queue waiting
                                         :suspended? false
                                         :runnable? (boolean (seq waiting)))]
                   (run (assoc-in kernel [:tasks current] taken) taken (peek queue)))
      :else (run kernel task nil))))

(defn- schedule [turns]
  (let [{:keys [queued held]} (first (drop-while #(nat-int? (:current %))
                                                 (iterate turn (kernel turns))))]
    (str queued " " held)))

(defn -main [size]
  (Work/run "richards" size (reify Work$Task (of [_ n] (schedule n)))))
