/*
 * Counts the transitions between bytecode and native code a second time, in the VM that is recorded.
 *
 * MethodEntry and MethodExit tell of each method that a thread enters and leaves; a stack of our
 * own says whether native code or bytecode was running. Beside that, a table of JNI's functions
 * counts the calls by JNI, as -Xcheck:jni puts its checks there. An entry from native code is JNI's
 * if the thread is in one of its functions and enters a method of the name that was asked for;
 * else the VM made the call. From VMInit on, for platform threads.
 *
 * Output: "native THREAD CLASS NAME DESCRIPTOR calls exceptions calls-by-JNI",
 * "jni THREAD GROUP calls" and "java THREAD CLASS NAME DESCRIPTOR LOADER by-JNI by-VM".
 */
#include "oracle.h"

#include <stdarg.h>

enum group { CALL, CALL_STATIC, CALL_NONVIRTUAL, NEW_OBJECT, GROUPS };
static const char *const group_names[GROUPS] = {"call", "call_static", "call_nonvirtual",
                                                "new_object"};

/* What a thread did with a method. */
typedef struct tally {
  method *of;
  uint64_t calls, exceptions, jni_calls; /* of a native method */
  uint64_t by_jni, by_vm;                /* entries of a Java method from native code */
  struct tally *next;
} tally;

#define TALLIES 1024

typedef struct state {
  tally **stack; /* NULL for what is not there: bytecode below which nothing is known */
  size_t depth, room;
  method *asked; /* by a function of JNI that has not entered it yet; NULL: none */
  uint64_t jni[GROUPS];
  tally *tallies[TALLIES];
  char *name;
  int internal;
  struct state *next;
} state;

static __thread state *here;
static state *states;
static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static struct JNINativeInterface_ *own_jni; /* the table before ours */

static state *new_state(JNIEnv *jni) {
  jthread thread = NULL;
  CHECK((*ti)->GetCurrentThread(ti, &thread));
  if (thread == NULL) return NULL;
  state *fresh = must(calloc(1, sizeof *fresh));
  int internal = is_internal(jni, thread, &fresh->name);
  fresh->internal = internal && strcmp(fresh->name, "DestroyJavaVM") != 0; /* runs hooks */
  (*jni)->DeleteLocalRef(jni, thread);
  pthread_mutex_lock(&state_lock);
  fresh->next = states;
  states = fresh;
  pthread_mutex_unlock(&state_lock);
  return fresh;
}

static state *current(JNIEnv *jni) {
  if (here == NULL) here = new_state(jni);
  return here;
}

/* The VM's first thread may end, and attach again to wait for the others. */
static void JNICALL on_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
  (void)env;
  (void)jni;
  (void)thread;
  here = NULL;
}

static tally *tally_of(state *s, method *m) {
  tally **slot = &s->tallies[m->index % TALLIES];
  for (tally *t = *slot; t != NULL; t = t->next) {
    if (t->of == m) return t;
  }
  tally *t = must(calloc(1, sizeof *t));
  t->of = m;
  t->next = *slot;
  *slot = t;
  return t;
}

static int is_native(const tally *t) { return t->of->length == 0; }

static int same_name(const method *a, const method *b) {
  return strcmp(a->name, b->name) == 0 && strcmp(a->descriptor, b->descriptor) == 0;
}

static void JNICALL on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id) {
  (void)env;
  (void)thread;
  INSIDE;
  state *s = current(jni);
  if (s == NULL) return;
  tally *entered = tally_of(s, method_of(jni, id, NULL));
  int from_native = s->depth == 0 || is_native(s->stack[s->depth - 1]);
  int is_asked = s->asked != NULL && same_name(s->asked, entered->of);
  if (is_native(entered)) {
    entered->calls++;
  } else if (from_native && is_asked) {
    entered->by_jni++;
  } else if (from_native) {
    entered->by_vm++;
  }
  if (is_asked) s->asked = NULL;
  if (s->depth == s->room) {
    s->room = s->room == 0 ? 256 : 2 * s->room;
    s->stack = must(realloc(s->stack, s->room * sizeof *s->stack));
  }
  s->stack[s->depth++] = entered;
}

static void JNICALL on_exit_(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id,
                             jboolean by_exception, jvalue value) {
  (void)env;
  (void)thread;
  (void)id;
  (void)value;
  INSIDE;
  state *s = current(jni);
  if (s == NULL || s->depth == 0) return; /* it was entered before there were events */
  tally *left = s->stack[--s->depth];
  left->exceptions += is_native(left) && by_exception;
}

/* A function of JNI begins to call a method; what `end` has to be given. */
static method *begin(JNIEnv *jni, enum group group, jmethodID id) {
  INSIDE NULL;
  state *s = current(jni);
  if (s == NULL) return NULL;
  s->jni[group]++;
  if (s->depth > 0 && is_native(s->stack[s->depth - 1])) s->stack[s->depth - 1]->jni_calls++;
  method *outer = s->asked;
  s->asked = method_of(jni, id, NULL);
  return outer;
}

static void end(JNIEnv *jni, method *outer) {
  INSIDE;
  if (current(jni) != NULL) here->asked = outer;
}

#define OBJECT_PARAMETERS JNIEnv *jni, jobject object, jmethodID id
#define STATIC_PARAMETERS JNIEnv *jni, jclass type, jmethodID id
#define DIRECT_PARAMETERS JNIEnv *jni, jobject object, jclass type, jmethodID id

/* The three functions for methods of a group with a result. */
#define CALLS(group, Group, Name, Type, PARAMETERS, ...)                             \
  static Type JNICALL my_##Group##Name##V(PARAMETERS, va_list list) {                \
    method *outer = begin(jni, group, id);                                           \
    Type result = own_jni->Group##Name##MethodV(__VA_ARGS__, list);                  \
    end(jni, outer);                                                                 \
    return result;                                                                   \
  }                                                                                  \
  static Type JNICALL my_##Group##Name(PARAMETERS, ...) {                            \
    va_list list;                                                                    \
    va_start(list, id);                                                              \
    Type result = my_##Group##Name##V(__VA_ARGS__, list);                            \
    va_end(list);                                                                    \
    return result;                                                                   \
  }                                                                                  \
  static Type JNICALL my_##Group##Name##A(PARAMETERS, const jvalue *values) {        \
    method *outer = begin(jni, group, id);                                           \
    Type result = own_jni->Group##Name##MethodA(__VA_ARGS__, values);                \
    end(jni, outer);                                                                 \
    return result;                                                                   \
  }

#define VOID_CALLS(group, Group, PARAMETERS, ...)                                    \
  static void JNICALL my_##Group##VoidV(PARAMETERS, va_list list) {                  \
    method *outer = begin(jni, group, id);                                           \
    own_jni->Group##VoidMethodV(__VA_ARGS__, list);                                  \
    end(jni, outer);                                                                 \
  }                                                                                  \
  static void JNICALL my_##Group##Void(PARAMETERS, ...) {                            \
    va_list list;                                                                    \
    va_start(list, id);                                                              \
    my_##Group##VoidV(__VA_ARGS__, list);                                            \
    va_end(list);                                                                    \
  }                                                                                  \
  static void JNICALL my_##Group##VoidA(PARAMETERS, const jvalue *values) {          \
    method *outer = begin(jni, group, id);                                           \
    own_jni->Group##VoidMethodA(__VA_ARGS__, values);                                \
    end(jni, outer);                                                                 \
  }

#define TYPES(X)                                                                     \
  X(Object, jobject) X(Boolean, jboolean) X(Byte, jbyte) X(Char, jchar)              \
  X(Short, jshort) X(Int, jint) X(Long, jlong) X(Float, jfloat) X(Double, jdouble)

#define ALL_CALLS(Name, Type)                                                        \
  CALLS(CALL, Call, Name, Type, OBJECT_PARAMETERS, jni, object, id)                  \
  CALLS(CALL_STATIC, CallStatic, Name, Type, STATIC_PARAMETERS, jni, type, id)       \
  CALLS(CALL_NONVIRTUAL, CallNonvirtual, Name, Type, DIRECT_PARAMETERS, jni, object, type, id)

TYPES(ALL_CALLS)
VOID_CALLS(CALL, Call, OBJECT_PARAMETERS, jni, object, id)
VOID_CALLS(CALL_STATIC, CallStatic, STATIC_PARAMETERS, jni, type, id)
VOID_CALLS(CALL_NONVIRTUAL, CallNonvirtual, DIRECT_PARAMETERS, jni, object, type, id)

static jobject JNICALL my_NewObjectV(JNIEnv *jni, jclass type, jmethodID id, va_list list) {
  method *outer = begin(jni, NEW_OBJECT, id);
  jobject result = own_jni->NewObjectV(jni, type, id, list);
  end(jni, outer);
  return result;
}

static jobject JNICALL my_NewObject(JNIEnv *jni, jclass type, jmethodID id, ...) {
  va_list list;
  va_start(list, id);
  jobject result = my_NewObjectV(jni, type, id, list);
  va_end(list);
  return result;
}

static jobject JNICALL my_NewObjectA(JNIEnv *jni, jclass type, jmethodID id, const jvalue *values) {
  method *outer = begin(jni, NEW_OBJECT, id);
  jobject result = own_jni->NewObjectA(jni, type, id, values);
  end(jni, outer);
  return result;
}

#define PUT_GROUP(Group, Name)                         \
  table->Group##Name##Method = my_##Group##Name;       \
  table->Group##Name##MethodV = my_##Group##Name##V;   \
  table->Group##Name##MethodA = my_##Group##Name##A;

#define PUT(Name, Type) \
  PUT_GROUP(Call, Name) PUT_GROUP(CallStatic, Name) PUT_GROUP(CallNonvirtual, Name)

static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
  (void)jni;
  (void)thread;
  struct JNINativeInterface_ *table = NULL;
  CHECK((*env)->GetJNIFunctionTable(env, &own_jni));
  CHECK((*env)->GetJNIFunctionTable(env, &table));
  TYPES(PUT)
  PUT(Void, void)
  table->NewObject = my_NewObject;
  table->NewObjectV = my_NewObjectV;
  table->NewObjectA = my_NewObjectA;
  CHECK((*env)->SetJNIFunctionTable(env, table));
  CHECK((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL));
  CHECK((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, NULL));
}

static void write_tally(FILE *file, const char *name, const tally *t) {
  const method *m = t->of;
  if (is_native(t) && t->calls > 0) {
    fprintf(file, "native\t%s\t%s\t%s\t%s\t%lu\t%lu\t%lu\n", name, m->class_name, m->name,
            m->descriptor, t->calls, t->exceptions, t->jni_calls);
  } else if (t->by_jni + t->by_vm > 0) {
    fprintf(file, "java\t%s\t%s\t%s\t%s\t%c\t%lu\t%lu\n", name, m->class_name, m->name,
            m->descriptor, m->loader, t->by_jni, t->by_vm);
  }
}

static void write_state(FILE *file, const state *s) {
  for (int group = 0; group < GROUPS; group++) {
    if (s->jni[group] > 0) {
      fprintf(file, "jni\t%s\t%s\t%lu\n", s->name, group_names[group], s->jni[group]);
    }
  }
  for (size_t i = 0; i < TALLIES; i++) {
    for (tally *t = s->tallies[i]; t != NULL; t = t->next) write_tally(file, s->name, t);
  }
}

static void JNICALL on_vm_death(jvmtiEnv *env, JNIEnv *jni) {
  (void)env;
  (void)jni;
  be_over();
  FILE *file = open_output("transitions");
  pthread_mutex_lock(&state_lock);
  for (state *s = states; s != NULL; s = s->next) {
    if (!s->internal) write_state(file, s);
  }
  pthread_mutex_unlock(&state_lock);
  close_output(file);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
  (void)reserved;
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  memset(&wanted, 0, sizeof wanted);
  memset(&callbacks, 0, sizeof callbacks);
  wanted.can_generate_method_entry_events = 1;
  wanted.can_generate_method_exit_events = 1;
  callbacks.VMInit = on_vm_init;
  callbacks.MethodEntry = on_entry;
  callbacks.MethodExit = on_exit_;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.VMDeath = on_vm_death;
  jint attached = attach(vm, text, wanted, &callbacks);
  if (attached != JNI_OK) return attached;
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE, NULL));
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL));
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL));
  return JNI_OK;
}
