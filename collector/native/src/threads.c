#include "threads.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "contexts.h"
#include "counts.h"
#include "who.h"

#define FIRST_FRAMES 64
#define BUCKETS 65536
/* Where the state of a thread is must not be asked of the dynamic linker at each transition. */
#define OF_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

/* A native method that has not returned. */
struct frame {
  struct counters *counters; /* NULL: it is the recording's, or the compiler replaces it */
};

/* Those of a thread, the outermost first. */
struct stack {
  struct frame *frames;
  size_t depth;
  size_t room;
};

/* A thread of Java: a platform thread, or a virtual one. */
struct thread {
  struct thread_record *record;
  struct counts counts;
  struct stack entered; /* with events alone, between which it may go to another carrier */
  struct watch watch;
  const struct system_thread *carrier; /* which carried it last, of a virtual thread */
  bool is_paused;
  int64_t tid;
  struct thread *next; /* in its bucket */
};

/* A thread of the system. Virtual threads that it carries do not leave it inside of a native
 * method, so which one it carries can only have changed outside of all; what was entered is
 * here, since the one that it carried may be in a native method elsewhere by now. */
struct system_thread {
  struct thread *own;
  struct thread *current; /* the virtual thread that it carries, or its own */
  struct stack entered;
  jobject reference;      /* global, to the Java thread; NULL: no context is asked of it */
  bool is_plain;          /* it carries none, and its number is known */
  bool is_carrier;
};

static OF_THREAD struct system_thread *here;
static struct thread *_Atomic buckets[BUCKETS]; /* virtual threads, by number */
static atomic_bool is_over;
static bool has_events; /* of entry and exit of methods */

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
  clock_start(&thread->watch);
  struct header *header = store_header();
  uint64_t first = atomic_load(&header->first_thread);
  do {
    record->next = first;
  } while (!atomic_compare_exchange_weak(&header->first_thread, &first, store_offset(record)));
  return thread;
}

/* The state of a virtual thread, made when it first passes from one kind of code to the other. */
static struct thread *virtual_thread(JNIEnv *env, int64_t tid) {
  struct thread *_Atomic *bucket = &buckets[(uint64_t)tid % BUCKETS];
  for (struct thread *known = atomic_load(bucket); known != NULL; known = known->next) {
    if (known->tid == tid) {
      return known;
    }
  }
  struct thread *thread = new_thread(tid);
  if (thread != NULL) {
    who_describe(env, thread->record, true);
    thread->next = atomic_load(bucket);
    while (!atomic_compare_exchange_weak(bucket, &thread->next, thread)) {
    }
  }
  return thread;
}

/* Which virtual thread it carries now. Its watch is from when it was last carried, perhaps on
 * another thread of the system: the interval that begins there is nobody's. One that comes back
 * without that any other was seen meanwhile gets what those between have used. */
static void find_carried(JNIEnv *env, struct system_thread *system) {
  int64_t tid = who_runs(env, NULL);
  bool is_own = tid == system->own->tid || tid == 0;
  struct thread *carried = is_own ? system->own : virtual_thread(env, tid);
  if (carried != NULL && (carried != system->current || carried->carrier != system)) {
    clock_start(&carried->watch);
  }
  if (carried != NULL) {
    carried->carrier = system;
  }
  system->current = carried;
}

/* The current thread where it is not simply that of the last time; NULL if there is none. */
static struct thread *look_for_thread(JNIEnv *env) {
  if (here == NULL && atomic_load_explicit(&is_over, memory_order_relaxed)) {
    return NULL;
  }
  if (here == NULL || (here->own->tid == 0 && who_is_told())) {
    threads_begin(env); /* the VM says nothing of threads before it can tell who they are */
  }
  struct system_thread *system = here;
  if (system == NULL) {
    return NULL;
  }
  if (system->is_carrier && (system->entered.depth == 0 || has_events)) {
    find_carried(env, system);
  }
  return system->current;
}

static inline struct thread *current_thread(JNIEnv *env) {
  struct system_thread *system = here;
  if (__builtin_expect(system != NULL && system->is_plain, 1)) {
    return system->own;
  }
  return look_for_thread(env);
}

void threads_begin(JNIEnv *env) {
  bool is_carrier = false;
  int64_t tid = who_runs(env, &is_carrier);
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
  here->is_plain = tid != 0 && !is_carrier;
  here->own->tid = tid;
  here->own->record->tid = tid;
  if (here->is_plain && here->reference == NULL && contexts_are_known) {
    here->reference = who_is_it(env);
  }
  who_describe(env, here->own->record, false);
}

/* Charges the time since the last transition; returns it. */
static inline int64_t charge(struct thread *thread, int64_t *account) {
  int64_t interval = clock_lap(&thread->watch);
  *account += interval;
  return interval;
}

/* Is the innermost frame native? A thread starts in native code, below all frames. */
static bool is_in_native(const struct stack *entered) {
  return entered->depth == 0 || entered->frames[entered->depth - 1].counters != NULL;
}

void threads_end(JNIEnv *env) {
  struct system_thread *system = here;
  if (system == NULL) {
    return;
  }
  struct thread *own = system->own;
  if (!own->is_paused) {
    bool is_bytecode = has_events ? !is_in_native(&own->entered) : system->entered.depth == 0;
    charge(own, is_bytecode ? &own->record->bytecode_ns : &own->record->native_ns);
  }
  who_describe(env, own->record, false);
  here = NULL;
  if (system->reference != NULL) {
    (*env)->DeleteGlobalRef(env, system->reference);
  }
  free(system->entered.frames);
  free(own->entered.frames);
  counts_close(&own->counts);
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
    clock_start(&thread->watch);
  }
  thread->is_paused = is_paused;
}

/* In which context the current thread is; 0: not known. */
static uint32_t current_context(JNIEnv *env) {
  if (here->reference != NULL) {
    return contexts_find(env, here->reference);
  }
  jobject carried = here->is_carrier ? who_is_it(env) : NULL;
  if (carried == NULL) {
    return 0;
  }
  uint32_t context = contexts_find(env, carried);
  (*env)->DeleteGlobalRef(env, carried);
  return context;
}

static inline struct counters *counters_of(struct thread *thread, uint64_t method, JNIEnv *env) {
  uint32_t context = contexts_are_known ? current_context(env) : 0;
  return context == 0 ? counts_of(&thread->counts, thread->record, method)
                      : counts_in_context(&thread->counts, thread->record, method, context);
}

/* Has room for one more; false: there is no memory. */
static bool make_room(struct stack *entered) {
  if (entered->depth < entered->room) {
    return true;
  }
  size_t room = entered->room == 0 ? FIRST_FRAMES : 2 * entered->room;
  struct frame *frames = realloc(entered->frames, room * sizeof *frames);
  if (frames == NULL) {
    return false;
  }
  entered->frames = frames;
  entered->room = room;
  return true;
}

struct thread *native_enter(struct method *method, JNIEnv *env) {
  struct thread *thread = current_thread(env);
  if (thread == NULL || !make_room(&here->entered)) {
    return NULL;
  }
  bool is_counted = !thread->is_paused && method->skipping == SKIPPING_NONE;
  struct counters *counters = is_counted ? counters_of(thread, method->number, env) : NULL;
  here->entered.frames[here->entered.depth++].counters = counters;
  if (counters != NULL) {
    counters->calls++;
    charge(thread, &thread->record->bytecode_ns);
  }
  return thread;
}

void native_leave(struct thread *thread, JNIEnv *env) {
  if (thread == NULL || here == NULL) {
    return;
  }
  struct counters *counters = here->entered.frames[--here->entered.depth].counters;
  if (counters != NULL) {
    counters->self_ns += charge(thread, &thread->record->native_ns);
    counters->exceptions += (*env)->ExceptionCheck(env) != JNI_FALSE;
  }
}

/* The counters of the innermost method that was entered; NULL: there is none. */
static struct counters *innermost(const struct stack *entered) {
  return entered->depth == 0 ? NULL : entered->frames[entered->depth - 1].counters;
}

struct thread *jni_enter(JNIEnv *env, enum kind kind, bool is_counted) {
  struct thread *thread = current_thread(env);
  if (thread == NULL || thread->is_paused) {
    return NULL;
  }
  int64_t interval = charge(thread, &thread->record->native_ns);
  struct counters *counters = innermost(&here->entered);
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

void threads_expect_events(void) { has_events = true; }

void spa_enter(struct method *native, JNIEnv *env) {
  struct thread *thread = current_thread(env);
  if (thread == NULL || !make_room(&thread->entered)) {
    return;
  }
  struct stack *entered = &thread->entered;
  bool was_native = is_in_native(entered);
  struct counters *counters =
      native == NULL ? NULL : counts_of(&thread->counts, thread->record, native->number);
  struct counters *caller = innermost(entered);
  entered->frames[entered->depth++].counters = counters;
  if (counters != NULL) {
    counters->calls++;
  }
  if (was_native && counters == NULL) {
    int64_t interval = charge(thread, &thread->record->native_ns);
    thread->record->transitions[KIND_JAVA]++;
    if (caller != NULL) {
      caller->self_ns += interval;
      caller->jni_calls++;
    }
  } else if (!was_native && counters != NULL) {
    charge(thread, &thread->record->bytecode_ns);
  }
}

void spa_leave(JNIEnv *env, bool has_thrown) {
  struct thread *thread = current_thread(env);
  if (thread == NULL || thread->entered.depth == 0) {
    return; /* it was entered before there were events */
  }
  struct counters *counters = thread->entered.frames[--thread->entered.depth].counters;
  bool is_native = is_in_native(&thread->entered);
  if (counters != NULL) {
    counters->exceptions += has_thrown;
  }
  if (counters != NULL && !is_native) {
    counters->self_ns += charge(thread, &thread->record->native_ns);
  } else if (counters == NULL && is_native) {
    charge(thread, &thread->record->bytecode_ns);
  }
}
