/*
 * The single-step oracle: how often each bytecode of each method was executed.
 *
 * Stepping starts when the main class is prepared, so every bytecode of the application is seen.
 * Counters come in two scopes: 1 for the dynamic extent of `main` and for the threads that the
 * program starts afterwards, 0 for the rest (the launcher, the VM's own threads, shutdown).
 * Run with -Xint -XX:-RewriteFrequentPairs; docs/oracles.md says why.
 *
 * HotSpot hides steps while it resolves a class, field, method or call site (its class
 * JvmtiHideSingleStepping): class initialisers, class loaders and bootstrap methods that run then
 * would not be counted. It does so only if stepping is on when the resolution begins. So stepping is
 * switched off in the thread before such an instruction runs for the first time, and on again at
 * whatever comes first: a method entry, an exception, or a breakpoint on the next instruction.
 *
 * With the option `application` a thread is stepped only while a method of the application is on
 * top of its stack: small programs run thousands of bytecodes, and millions of the class library's.
 *
 * Output, tab-separated, one line a method, in order of first sight:
 *   loader class method descriptor code_bytes lines counts
 * with lines as "offset:line,…" and counts as "offset:scope0:scope1,…", "-" for none.
 */
#include "oracle.h"

typedef struct {
  int is_own;       /* the program's thread, started after `main` began */
  int main_depth;   /* in the dynamic extent of `main`: its frames, for main may call itself */
  method *paused;   /* stepping is off: an instruction of this method is being resolved, */
  uint32_t next_at; /* and a breakpoint is set at this offset, where it goes on */
  method *last;     /* the last bytecode counted, if no method was entered or left since */
  uint32_t last_at;
  int is_stepping;
  unsigned char *is_library; /* by frame, of those that were entered since stepping started */
  uint32_t n_frames, room;
} thread_state;

static _Atomic int main_began;
static _Atomic(jmethodID) main_method;
static pthread_mutex_t breakpoint_lock = PTHREAD_MUTEX_INITIALIZER;

static void complete(method *m) {
  jint n = 0;
  m->counts = must(calloc(2 * (size_t)m->length + 1, sizeof *m->counts));
  m->seen = must(calloc((size_t)m->length + 1, sizeof *m->seen));
  m->waiting = must(calloc((size_t)m->length + 1, sizeof *m->waiting));
  if (m->length > 0) CHECK((*ti)->GetBytecodes(ti, m->id, &n, &m->bytecodes));
  if ((uint32_t)n != m->length) fail("GetBytecodes: another length", JVMTI_ERROR_INTERNAL);
}

static thread_state *state_of(JNIEnv *jni, jthread thread) {
  thread_state *state = NULL;
  CHECK((*ti)->GetThreadLocalStorage(ti, thread, (void **)&state));
  if (state == NULL) {
    char *name = NULL;
    state = must(calloc(1, sizeof *state));
    state->is_stepping = !options.application; /* switched on when the thread started, or we did */
    int internal = is_internal(jni, thread, &name);
    free(name);
    state->is_own = !internal && atomic_load(&main_began);
    CHECK((*ti)->SetThreadLocalStorage(ti, thread, state));
  }
  return state;
}

static void set_stepping(jthread thread, thread_state *state, int is_stepping) {
  if (state->is_stepping == is_stepping) return;
  state->is_stepping = is_stepping;
  CHECK((*ti)->SetEventNotificationMode(ti, is_stepping ? JVMTI_ENABLE : JVMTI_DISABLE,
                                        JVMTI_EVENT_SINGLE_STEP, thread));
}

/* Frames that were entered before are the launcher's. */
static int is_to_be_stepped(const thread_state *state) {
  if (!options.application) return 1;
  return state->n_frames > 0 && !state->is_library[state->n_frames - 1];
}

static void push_frame(thread_state *state, const method *m) {
  if (state->n_frames == state->room) {
    state->room = 2 * state->room + 64;
    state->is_library = must(realloc(state->is_library, state->room));
  }
  state->is_library[state->n_frames++] = m->loader != 'a';
}

static void pop_frame(thread_state *state) {
  if (state->n_frames > 0) state->n_frames--;
}

/* The length of an instruction for which the VM may resolve a constant pool entry; 0 of another. */
static uint32_t length_if_resolving(unsigned char opcode) {
  switch (opcode) {
    case 18: /* ldc */
      return 2;
    case 19: /* ldc_w */
    case 20: /* ldc2_w */
    case 178: /* getstatic */
    case 179: /* putstatic */
    case 180: /* getfield */
    case 181: /* putfield */
    case 182: /* invokevirtual */
    case 183: /* invokespecial */
    case 184: /* invokestatic */
    case 187: /* new */
    case 189: /* anewarray */
    case 192: /* checkcast */
    case 193: /* instanceof */
      return 3;
    case 197: /* multianewarray */
      return 4;
    case 185: /* invokeinterface */
    case 186: /* invokedynamic */
      return 5;
    default:
      return 0;
  }
}

/* No event would resume stepping while a virtual thread is mounted or unmounted. */
static int switches_threads(const method *m) {
  return strncmp(m->class_name, "jdk/internal/vm/Continuation", 28) == 0 ||
         strncmp(m->class_name, "java/lang/VirtualThread", 23) == 0;
}

static void pause_stepping(jthread thread, thread_state *state, method *m, uint32_t at) {
  state->paused = m;
  state->next_at = at + length_if_resolving(m->bytecodes[at]);
  pthread_mutex_lock(&breakpoint_lock);
  if (m->waiting[state->next_at]++ == 0) CHECK((*ti)->SetBreakpoint(ti, m->id, state->next_at));
  pthread_mutex_unlock(&breakpoint_lock);
  set_stepping(thread, state, 0);
}

static void end_pause(thread_state *state) {
  method *m = state->paused;
  if (m == NULL) return;
  state->paused = NULL;
  pthread_mutex_lock(&breakpoint_lock);
  if (--m->waiting[state->next_at] == 0) CHECK((*ti)->ClearBreakpoint(ti, m->id, state->next_at));
  pthread_mutex_unlock(&breakpoint_lock);
}

static void resume_stepping(jthread thread, thread_state *state) {
  if (state->paused == NULL) return;
  end_pause(state);
  set_stepping(thread, state, is_to_be_stepped(state));
}

static void count(jthread thread, thread_state *state, method *m, jlocation location) {
  if ((uint64_t)location >= m->length) fail("a location beyond the code", JVMTI_ERROR_INTERNAL);
  uint32_t at = (uint32_t)location;
  state->last = m;
  state->last_at = at;
  size_t scope = state->is_own || state->main_depth > 0 ? m->length : 0;
  atomic_fetch_add_explicit(&m->counts[scope + at], 1, memory_order_relaxed);
  if (length_if_resolving(m->bytecodes[at]) && !atomic_load_explicit(&m->seen[at], memory_order_relaxed)) {
    atomic_store_explicit(&m->seen[at], 1, memory_order_relaxed);
    if (!switches_threads(m)) pause_stepping(thread, state, m, at);
  }
}

static void JNICALL on_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id,
                            jlocation location) {
  (void)env;
  INSIDE;
  thread_state *state = state_of(jni, thread);
  if (state->paused != NULL) fail("a step while stepping is off", JVMTI_ERROR_INTERNAL);
  method *m = method_of(jni, id, complete);
  /* A return polls for safepoints, and may then post its step again. */
  if (state->last == m && state->last_at == (uint32_t)location) return;
  count(thread, state, m, location);
}

/*
 * With stepping on, the step event of the same instruction has counted it. It may have switched
 * stepping off as well, where the breakpoint is another thread's.
 */
static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id,
                                  jlocation location) {
  (void)env;
  INSIDE;
  thread_state *state = state_of(jni, thread);
  method *m = method_of(jni, id, complete);
  if (state->paused == NULL || (state->last == m && state->last_at == (uint32_t)location)) return;
  resume_stepping(thread, state);
  count(thread, state, m, location);
}

static int is_main(const method *m) {
  return strcmp(m->class_name, options.main_class) == 0 && strcmp(m->name, "main") == 0;
}

static void JNICALL on_method_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id) {
  (void)env;
  INSIDE;
  thread_state *state = state_of(jni, thread);
  method *m = method_of(jni, id, complete);
  int was_stepping = state->is_stepping;
  push_frame(state, m);
  end_pause(state);
  set_stepping(thread, state, is_to_be_stepped(state));
  state->last = NULL;
  if (!atomic_load(&main_began) && is_main(m)) {
    atomic_store(&main_method, id);
    atomic_store(&main_began, 1);
    state->main_depth = 1;
  } else if (state->main_depth > 0 && id == atomic_load(&main_method)) {
    state->main_depth++;
  }
  /* Stepping begins after the location where it is switched on: the first bytecode. */
  if (state->is_stepping && !was_stepping && m->length > 0) count(thread, state, m, 0);
}

/* Whether an invoke instruction of this length is just before an offset. */
static int follows_invoke(const method *m, uint32_t at, uint32_t length) {
  unsigned char opcode = at >= length ? m->bytecodes[at - length] : 0;
  return opcode >= 182 && opcode <= 186 && length_if_resolving(opcode) == length;
}

/*
 * HotSpot posts no step at the location of the step before. If a method calls itself and then
 * returns, the caller's return is at the same location as the callee's.
 */
static void count_return_of_caller(jthread thread, thread_state *state) {
  method *m = state->last;
  uint32_t at = state->last_at;
  jmethodID caller = NULL;
  jlocation location = -1;
  if (!follows_invoke(m, at, 3) && !follows_invoke(m, at, 5)) return;
  jvmtiError error = (*ti)->GetFrameLocation(ti, thread, 1, &caller, &location);
  if (error == JVMTI_ERROR_NO_MORE_FRAMES) return;
  if (error != JVMTI_ERROR_NONE) fail("GetFrameLocation", error);
  if (caller != m->id || location < 0 || (uint64_t)location >= at) return;
  if (location + length_if_resolving(m->bytecodes[location]) == at) count(thread, state, m, at);
}

static void JNICALL on_method_exit(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id,
                                   jboolean by_exception, jvalue value) {
  (void)env;
  (void)value;
  INSIDE;
  thread_state *state = state_of(jni, thread);
  if (!by_exception && state->last != NULL && state->last->id == id) {
    count_return_of_caller(thread, state);
  } else {
    state->last = NULL;
  }
  if (state->main_depth > 0 && id == atomic_load(&main_method)) state->main_depth--;
  pop_frame(state);
  if (options.application && state->paused == NULL) {
    set_stepping(thread, state, is_to_be_stepped(state));
  }
}

static void JNICALL on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id,
                                 jlocation location, jobject exception, jmethodID catch_id,
                                 jlocation catch_location) {
  (void)env;
  (void)id;
  (void)location;
  (void)exception;
  (void)catch_id;
  (void)catch_location;
  INSIDE;
  resume_stepping(thread, state_of(jni, thread));
}

static void begin_to_step(jthread thread) {
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, thread));
}

static void JNICALL on_thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
  (void)env;
  (void)jni;
  INSIDE;
  if (!options.application) begin_to_step(thread);
}

/* Methods of the application are listed even if they never run. */
static void list_methods(JNIEnv *jni, jclass class) {
  jint n = 0;
  jmethodID *ids = NULL;
  CHECK((*ti)->GetClassMethods(ti, class, &n, &ids));
  for (jint i = 0; i < n; i++) method_of(jni, ids[i], complete);
  free_ti(ids);
}

static void enable(jvmtiEvent event) {
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, event, NULL));
}

/* Stepping is switched thread by thread: see above. */
static void start(JNIEnv *jni) {
  jint n = 0;
  jthread *threads = NULL;
  enable(JVMTI_EVENT_METHOD_ENTRY);
  enable(JVMTI_EVENT_METHOD_EXIT);
  enable(JVMTI_EVENT_EXCEPTION);
  enable(JVMTI_EVENT_BREAKPOINT);
  enable(JVMTI_EVENT_THREAD_START);
#ifdef JNI_VERSION_21
  enable(JVMTI_EVENT_VIRTUAL_THREAD_START);
#endif
  CHECK((*ti)->GetAllThreads(ti, &n, &threads));
  for (jint i = 0; i < n; i++) {
    if (!options.application) begin_to_step(threads[i]);
    (*jni)->DeleteLocalRef(jni, threads[i]);
  }
  free_ti(threads);
}

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass class) {
  static _Atomic int started;
  (void)env;
  (void)thread;
  INSIDE;
  if (loader_of(jni, class) == 'a') list_methods(jni, class);
  if (is_main_class(class) && !atomic_exchange(&started, 1)) start(jni);
}

/* "offset:line,…", or "-" where the class file has none. */
static void write_lines(FILE *file, const method *m) {
  if (m->n_lines == 0) fputc('-', file);
  for (jint i = 0; i < m->n_lines; i++) {
    fprintf(file, "%s%d:%d", i ? "," : "", (int)m->lines[i].start_location,
            (int)m->lines[i].line_number);
  }
}

static void write_counts(FILE *file, const method *m) {
  int n = 0;
  for (uint32_t i = 0; i < m->length; i++) {
    uint64_t outside = atomic_load(&m->counts[i]);
    uint64_t inside = atomic_load(&m->counts[m->length + i]);
    if (outside == 0 && inside == 0) continue;
    fprintf(file, "%s%u:%llu:%llu", n++ ? "," : "", i, (unsigned long long)outside,
            (unsigned long long)inside);
  }
  if (n == 0) fputc('-', file);
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
  (void)env;
  (void)jni;
  be_over();
  FILE *file = open_output("step oracle 1");
  pthread_mutex_lock(&method_lock);
  for (method_list *item = all_methods; item != NULL; item = item->older) {
    const method *m = item->method;
    fprintf(file, "%c\t%s\t%s\t%s\t%u\t", m->loader, m->class_name, m->name, m->descriptor,
            m->length);
    write_lines(file, m);
    fputc('\t', file);
    write_counts(file, m);
    fputc('\n', file);
  }
  pthread_mutex_unlock(&method_lock);
  close_output(file);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  (void)reserved;
  memset(&wanted, 0, sizeof wanted);
  memset(&callbacks, 0, sizeof callbacks);
  wanted.can_generate_single_step_events = 1;
  wanted.can_generate_breakpoint_events = 1;
  wanted.can_generate_exception_events = 1;
  wanted.can_generate_method_entry_events = 1;
  wanted.can_generate_method_exit_events = 1;
  wanted.can_get_bytecodes = 1;
  callbacks.SingleStep = on_step;
  callbacks.Breakpoint = on_breakpoint;
  callbacks.Exception = on_exception;
  callbacks.MethodEntry = on_method_entry;
  callbacks.MethodExit = on_method_exit;
  callbacks.ThreadStart = on_thread_start;
#ifdef JNI_VERSION_21
  callbacks.VirtualThreadStart = on_thread_start;
#endif
  callbacks.ClassPrepare = on_prepare;
  callbacks.VMDeath = on_death;
  return attach(vm, text, wanted, &callbacks);
}
