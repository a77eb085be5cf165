/*
 * An oracle for allocations: JVMTI's sampling of objects at an interval of 0 bytes, which reports
 * every object that a thread allocates, and how large it is. It counts what the thread of `main`
 * allocates from the first bytecode of `main` to its end: a line for each type and size. It needs
 * -XX:-UseTLAB, since the objects in a buffer that a thread has already are not reported.
 */
#include "oracle.h"

typedef struct {
  char *type;
  jlong size;
  uint64_t count;
} row;

static row *rows;
static size_t n_rows, capacity;
static jmethodID main_method;
static __thread int is_counting; /* the thread is in main */

static row *row_of(const char *type, jlong size) {
  for (size_t i = 0; i < n_rows; i++) {
    if (rows[i].size == size && strcmp(rows[i].type, type) == 0) return &rows[i];
  }
  if (n_rows == capacity) {
    capacity = capacity == 0 ? 64 : 2 * capacity;
    rows = must(realloc(rows, capacity * sizeof *rows));
  }
  rows[n_rows] = (row){copy_text(type), size, 0};
  return &rows[n_rows++];
}

static void JNICALL on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object,
                                  jclass class, jlong size) {
  (void)env, (void)jni, (void)thread, (void)object;
  if (!is_counting) return;
  char *type = name_of_class(class);
  row_of(type, size)->count++;
  free(type);
}

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass class) {
  (void)env, (void)jni, (void)thread;
  if (!is_main_class(class)) return;
  jint n_methods = 0;
  jmethodID *methods = NULL;
  CHECK((*ti)->GetClassMethods(ti, class, &n_methods, &methods));
  for (jint i = 0; i < n_methods; i++) {
    char *name = NULL, *descriptor = NULL;
    CHECK((*ti)->GetMethodName(ti, methods[i], &name, &descriptor, NULL));
    if (strcmp(name, "main") == 0 && strcmp(descriptor, "([Ljava/lang/String;)V") == 0) {
      main_method = methods[i];
      CHECK((*ti)->SetBreakpoint(ti, main_method, 0));
    }
    free_ti(name);
    free_ti(descriptor);
  }
  free_ti(methods);
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                                  jlocation location) {
  (void)env, (void)location;
  CHECK((*ti)->ClearBreakpoint(ti, method, 0));
  /* The new interval begins where the first one ends, which is random, with a mean of 512 KiB. */
  CHECK((*ti)->SetHeapSamplingInterval(ti, 0));
  for (int i = 0; i < 32; i++) {
    (*jni)->DeleteLocalRef(jni, must((*jni)->NewByteArray(jni, 1 << 20)));
  }
  CHECK((*ti)->NotifyFramePop(ti, thread, 0));
  is_counting = 1;
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                           jboolean by_exception) {
  (void)env, (void)jni, (void)thread, (void)by_exception;
  if (method != main_method) return;
  is_counting = 0;
  FILE *file = open_output("type\tsize\tcount");
  for (size_t i = 0; i < n_rows; i++) {
    fprintf(file, "%s\t%lld\t%llu\n", rows[i].type, (long long)rows[i].size,
            (unsigned long long)rows[i].count);
  }
  close_output(file);
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
  (void)env, (void)jni;
  atomic_store(&is_over, 1);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
  (void)reserved;
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  memset(&wanted, 0, sizeof wanted);
  memset(&callbacks, 0, sizeof callbacks);
  wanted.can_generate_sampled_object_alloc_events = 1;
  wanted.can_generate_breakpoint_events = 1;
  wanted.can_generate_frame_pop_events = 1;
  callbacks.SampledObjectAlloc = on_allocation;
  callbacks.ClassPrepare = on_prepare;
  callbacks.Breakpoint = on_breakpoint;
  callbacks.FramePop = on_pop;
  callbacks.VMDeath = on_death;
  jint attached = attach(vm, text, wanted, &callbacks);
  if (attached != JNI_OK) return attached;
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL));
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_BREAKPOINT, NULL));
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_FRAME_POP, NULL));
  return JNI_OK;
}
