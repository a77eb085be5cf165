#include "threads.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define FIRST_CAPACITY 8 /* a power of two, as all are */
#define FIRST_FRAMES 64
#define BUCKETS 65536
#define CARRIER "Ljdk/internal/misc/CarrierThread;"

/* A native method that has not returned. */
struct frame {
  struct method *method;
  bool is_counted; /* it is the program's, and the compiler does not replace it */
};

/* A thread of Java: a platform thread, or a virtual one. */
struct thread {
  struct thread_record *record;
  struct thread *next; /* in its bucket */
  int64_t tid;
  int64_t stamp; /* when the interval began that is not charged yet */
  struct frame *frames;
  size_t depth;
  size_t room;
  bool is_paused;
};

/* A thread of the system. Virtual threads that it carries do not leave it inside of a native
 * method, so which one it carries can only have changed outside of all. */
struct system_thread {
  struct thread *own;
  struct thread *current; /* the virtual thread that it carries, or its own */
  bool is_carrier;
};

static jvmtiEnv *tool;
static const struct JNINativeInterface_ *jni;
static jfieldID tid_field; /* NULL: the VM cannot tell yet */
static _Thread_local struct system_thread *here;
static struct thread *_Atomic buckets[BUCKETS]; /* virtual threads, by number */
static atomic_bool is_over;

void threads_open(jvmtiEnv *jvmti) { tool = jvmti; }

void threads_can_be_told(JNIEnv *env, const struct JNINativeInterface_ *functions) {
  jni = functions;
  jclass thread_class = jni->FindClass(env, "java/lang/Thread");
  tid_field = jni->GetFieldID(env, thread_class, "tid", "J");
  jni->DeleteLocalRef(env, thread_class);
}

static struct thread *new_thread(int64_t tid) {
  struct thread *thread = calloc(1, sizeof *thread);
  struct thread_record *record = thread == NULL ? NULL : store_allocate(sizeof *record);
  if (record == NULL) {
    free(thread);
    return NULL;
  }
  record->tid = tid;
  thread->record = record;
  thread->tid = tid;
  thread->stamp = clock_now();
  struct header *header = store_header();
  uint64_t first = atomic_load(&header->first_thread);
  do {
    record->next = first;
  } while (!atomic_compare_exchange_weak(&header->first_thread, &first, store_offset(record)));
  return thread;
}

/* Does a thread carry virtual ones? It is asked by name: to find the class would initialise it. */
static bool is_of_carriers(JNIEnv *env, jthread thread) {
  char *name = NULL;
  jclass type = jni->GetObjectClass(env, thread);
  bool is_carrier = (*tool)->GetClassSignature(tool, type, &name, NULL) == JVMTI_ERROR_NONE &&
                    strcmp(name, CARRIER) == 0;
  (*tool)->Deallocate(tool, (unsigned char *)name);
  jni->DeleteLocalRef(env, type);
  return is_carrier;
}

/* The number of the current Java thread; 0 if the VM does not tell it. */
static int64_t current_tid(JNIEnv *env, bool *is_carrier) {
  jthread current = NULL;
  if (tid_field == NULL || (*tool)->GetCurrentThread(tool, &current) != JVMTI_ERROR_NONE ||
      current == NULL) {
    return 0;
  }
  int64_t tid = jni->GetLongField(env, current, tid_field);
  if (is_carrier != NULL) {
    *is_carrier = is_of_carriers(env, current);
  }
  jni->DeleteLocalRef(env, current);
  return tid;
}

/* The state of a virtual thread, made when it first passes from one kind of code to the other. */
static struct thread *virtual_thread(int64_t tid) {
  struct thread *_Atomic *bucket = &buckets[(uint64_t)tid % BUCKETS];
  for (struct thread *known = atomic_load(bucket); known != NULL; known = known->next) {
    if (known->tid == tid) {
      return known;
    }
  }
  struct thread *thread = new_thread(tid);
  if (thread != NULL) {
    thread->next = atomic_load(bucket);
    while (!atomic_compare_exchange_weak(bucket, &thread->next, thread)) {
    }
  }
  return thread;
}

/* Which virtual thread it carries now. Its stamp is from when it was last carried, perhaps on
 * another thread of the system: the interval that begins there is nobody's. */
static void find_carried(JNIEnv *env, struct system_thread *system) {
  int64_t tid = current_tid(env, NULL);
  struct thread *carried = tid == system->own->tid || tid == 0 ? system->own : virtual_thread(tid);
  if (carried != NULL && carried != system->current) {
    carried->stamp = clock_now();
  }
  system->current = carried;
}

static struct thread *current_thread(JNIEnv *env) {
  struct system_thread *system = here;
  if (system == NULL) {
    if (atomic_load_explicit(&is_over, memory_order_relaxed)) {
      return NULL;
    }
    threads_begin(env);
    system = here;
    if (system == NULL) {
      return NULL;
    }
  }
  if (system->own->tid == 0 && tid_field != NULL) {
    threads_begin(env); /* it was there before the VM could tell */
  }
  if (system->is_carrier && (system->current == NULL || system->current->depth == 0)) {
    find_carried(env, system);
  }
  return system->current;
}

void threads_begin(JNIEnv *env) {
  bool is_carrier = false;
  int64_t tid = current_tid(env, &is_carrier);
  if (here == NULL) {
    struct system_thread *system = calloc(1, sizeof *system);
    struct thread *own = system == NULL ? NULL : new_thread(tid);
    if (own == NULL) {
      free(system);
      return;
    }
    system->own = own;
    system->current = own;
    here = system;
  }
  here->is_carrier = is_carrier;
  here->own->tid = tid;
  here->own->record->tid = tid;
}

/* Charges the time since the last transition; returns it. */
static int64_t charge(struct thread *thread, int64_t *account) {
  int64_t now = clock_now();
  int64_t interval = now - thread->stamp - clock_interval_cost();
  thread->stamp = now;
  *account += interval;
  return interval;
}

void threads_end(void) {
  struct system_thread *system = here;
  if (system == NULL) {
    return;
  }
  struct thread *own = system->own;
  if (!own->is_paused) {
    charge(own, own->depth == 0 ? &own->record->bytecode_ns : &own->record->native_ns);
  }
  here = NULL;
  free(own->frames);
  free(own);
  free(system);
}

void threads_close(void) { atomic_store(&is_over, true); }

void threads_pause(JNIEnv *env, bool is_paused) {
  struct thread *thread = current_thread(env);
  if (thread == NULL || thread->is_paused == is_paused) {
    return;
  }
  if (is_paused) {
    charge(thread, &thread->record->bytecode_ns);
  } else {
    thread->stamp = clock_now();
  }
  thread->is_paused = is_paused;
}

static struct counters *find(struct counters *table, uint64_t capacity, uint64_t number) {
  uint64_t at = number * UINT64_C(0x9E3779B97F4A7C15) >> 32;
  for (;;) {
    struct counters *entry = &table[at++ & (capacity - 1)];
    if (entry->number == number + 1 || entry->number == 0) {
      return entry;
    }
  }
}

/* Moves the counts of a thread into a table of another size; NULL if there is no room for it. */
static struct counters *enlarge(struct thread_record *record, uint64_t capacity) {
  struct counters *larger = store_allocate(capacity * sizeof *larger);
  if (larger == NULL) {
    return NULL;
  }
  uint64_t known = atomic_load_explicit(&record->table, memory_order_relaxed);
  const struct counters *table = known == 0 ? NULL : store_at(known);
  for (uint64_t i = 0; i < record->capacity; i++) {
    if (table[i].number != 0) {
      *find(larger, capacity, table[i].number - 1) = table[i];
    }
  }
  record->capacity = capacity; /* a reader that comes between sees free entries behind the table */
  atomic_store(&record->table, store_offset(larger));
  return larger;
}

static uint64_t used_entries(const struct counters *table, uint64_t capacity) {
  uint64_t used = 0;
  for (uint64_t i = 0; i < capacity; i++) {
    used += table[i].number != 0;
  }
  return used;
}

static struct counters *counters_of(struct thread *thread, uint64_t number) {
  struct thread_record *record = thread->record;
  uint64_t known = atomic_load_explicit(&record->table, memory_order_relaxed);
  struct counters *table = known == 0 ? enlarge(record, FIRST_CAPACITY) : store_at(known);
  if (table == NULL) {
    return NULL;
  }
  struct counters *entry = find(table, record->capacity, number);
  if (entry->number == 0) {
    if (used_entries(table, record->capacity) > record->capacity / 2) {
      table = enlarge(record, 2 * record->capacity);
      if (table == NULL) {
        return NULL;
      }
      entry = find(table, record->capacity, number);
    }
    entry->number = number + 1;
  }
  return entry;
}

static bool push(struct thread *thread, struct method *method) {
  if (thread->depth == thread->room) {
    size_t room = thread->room == 0 ? FIRST_FRAMES : 2 * thread->room;
    struct frame *frames = realloc(thread->frames, room * sizeof *frames);
    if (frames == NULL) {
      return false;
    }
    thread->frames = frames;
    thread->room = room;
  }
  bool is_counted = !thread->is_paused && !method->is_skipped;
  thread->frames[thread->depth++] = (struct frame){method, is_counted};
  return true;
}

struct thread *native_enter(struct method *method, JNIEnv *env) {
  struct thread *thread = current_thread(env);
  if (thread == NULL || !push(thread, method)) {
    return NULL;
  }
  if (thread->frames[thread->depth - 1].is_counted) {
    struct counters *counters = counters_of(thread, method->number);
    if (counters != NULL) {
      counters->calls++;
    }
    thread->record->transitions[KIND_NATIVE]++;
    charge(thread, &thread->record->bytecode_ns);
  }
  return thread;
}

void native_leave(struct thread *thread, JNIEnv *env) {
  if (thread == NULL) {
    return;
  }
  struct frame *frame = &thread->frames[--thread->depth];
  if (!frame->is_counted) {
    return;
  }
  int64_t interval = charge(thread, &thread->record->native_ns);
  struct counters *counters = counters_of(thread, frame->method->number);
  if (counters != NULL) {
    counters->self_ns += interval;
    counters->exceptions += (*env)->ExceptionCheck(env) != JNI_FALSE;
  }
}

struct thread *jni_enter(JNIEnv *env, enum kind kind, bool is_counted) {
  struct thread *thread = current_thread(env);
  if (thread == NULL || thread->is_paused) {
    return NULL;
  }
  int64_t interval = charge(thread, &thread->record->native_ns);
  struct frame *frame = thread->depth == 0 ? NULL : &thread->frames[thread->depth - 1];
  struct counters *counters =
      frame == NULL || !frame->is_counted ? NULL : counters_of(thread, frame->method->number);
  if (counters != NULL) {
    counters->self_ns += interval;
    counters->jni_calls += is_counted;
  }
  thread->record->transitions[kind] += is_counted;
  return thread;
}

void jni_leave(struct thread *thread) {
  if (thread != NULL && !thread->is_paused) {
    charge(thread, &thread->record->bytecode_ns);
  }
}
