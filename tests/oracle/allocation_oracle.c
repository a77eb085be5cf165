/*
 * An oracle for allocations: JVMTI's sampling of objects at an interval of 0 bytes, which reports
 * every object that a thread allocates, and how large it is. It counts what the thread of `main`
 * allocates from the first bytecode of `main` to its end: a line for each type, size and
 * instruction that the thread executes, with what a `new` or the like makes, and whether that was
 * below the option's part. It needs -XX:-UseTLAB, since the objects in a buffer that a thread has
 * already are not reported.
 */
#include "oracle.h"

enum { NEW = 187, NEWARRAY = 188, ANEWARRAY = 189, MULTIANEWARRAY = 197 };

typedef struct row {
  struct row *next; /* in its bucket */
  method *at;
  jlocation offset;
  char *type;
  char *named; /* of the class or array that the instruction makes; empty: it makes none */
  jlong size;
  int is_throwable;
  int is_in_part;
  uint64_t count;
} row;

static row *rows[BUCKETS];
static jmethodID main_method, part_method;
static jclass throwable;
static __thread int is_counting; /* the thread is in main */
static int is_in_part, is_written;

static unsigned at_u1(const unsigned char *bytes, size_t at) { return bytes[at]; }

static unsigned at_u2(const unsigned char *bytes, size_t at) {
  return (unsigned)bytes[at] << 8 | bytes[at + 1];
}

/* The bytes of a constant after its tag (JVMS 4.4). */
static size_t length_of(const unsigned char *constant) {
  switch (constant[0]) {
    case 1: return 2 + at_u2(constant, 1);
    case 5: case 6: return 8;
    case 7: case 8: case 16: case 19: case 20: return 2;
    case 15: return 3;
    default: return 4;
  }
}

static const unsigned char *constant(const unsigned char *pool, unsigned index) {
  for (unsigned i = 1; i < index; i++) {
    i += *pool == 5 || *pool == 6; /* these take two places */
    pool += 1 + length_of(pool);
  }
  return pool;
}

/* The name that a constant of a class has. */
static char *class_constant(method *at, unsigned index) {
  jclass class = NULL;
  jint count = 0, size = 0;
  unsigned char *pool = NULL;
  CHECK((*ti)->GetMethodDeclaringClass(ti, at->id, &class));
  CHECK((*ti)->GetConstantPool(ti, class, &count, &size, &pool));
  const unsigned char *text = constant(pool, at_u2(constant(pool, index), 1));
  unsigned length = at_u2(text, 1);
  char *name = must(calloc(length + 1, 1));
  memcpy(name, text + 3, length);
  free_ti(pool);
  return name;
}

static char *array_of(const char *element) {
  size_t length = strlen(element);
  char *name = must(calloc(length + 4, 1));
  snprintf(name, length + 4, element[0] == '[' ? "[%s" : "[L%s;", element);
  return name;
}

/* What the instruction makes. */
static char *name_of_product(method *at, jlocation offset) {
  const unsigned char *code = at->bytecodes + offset;
  if (at->length == 0) return copy_text("");
  switch (code[0]) {
    case NEWARRAY: {
      char name[] = {'[', "ZCFDBSIJ"[at_u1(code, 1) - 4], 0};
      return copy_text(name);
    }
    case ANEWARRAY: {
      char *element = class_constant(at, at_u2(code, 1));
      char *name = array_of(element);
      free(element);
      return name;
    }
    case NEW:
    case MULTIANEWARRAY:
      return class_constant(at, at_u2(code, 1));
    default:
      return copy_text("");
  }
}

static void read_code(method *m) {
  jint n = 0;
  if (m->length > 0) CHECK((*ti)->GetBytecodes(ti, m->id, &n, &m->bytecodes));
}

static row *row_of(JNIEnv *jni, method *at, jlocation offset, jclass class, char *type,
                   jlong size) {
  uint64_t hash = (uintptr_t)at ^ (uint64_t)offset << 20 ^ (uint64_t)size << 40;
  for (const char *c = type; *c; c++) hash = hash * 31 + (unsigned char)*c;
  row **bucket = &rows[hash * 0x9E3779B97F4A7C15ull >> 48];
  for (row *r = *bucket; r != NULL; r = r->next) {
    int is_same = r->at == at && r->offset == offset && r->size == size &&
                  r->is_in_part == is_in_part;
    if (is_same && strcmp(r->type, type) == 0) return r;
  }
  row *fresh = must(malloc(sizeof *fresh));
  char *named = name_of_product(at, offset);
  int is_throwable = (*jni)->IsAssignableFrom(jni, class, throwable);
  *fresh = (row){*bucket, at, offset, copy_text(type), named, size, is_throwable,
                 is_in_part, 0};
  return *bucket = fresh;
}

static void JNICALL on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object,
                                  jclass class, jlong size) {
  jvmtiFrameInfo top;
  jint n = 0;
  (void)env, (void)object;
  if (!is_counting) return;
  CHECK((*ti)->GetStackTrace(ti, thread, 0, 1, &top, &n));
  char *type = name_of_class(class);
  row_of(jni, method_of(jni, top.method, read_code), top.location, class, type, size)->count++;
  free(type);
}

/* Sets a breakpoint at the start of a method of the class; NULL if it has none of this name. */
static jmethodID stop_at(jclass class, const char *method_name, const char *method_descriptor) {
  jint n_methods = 0;
  jmethodID *methods = NULL, found = NULL;
  CHECK((*ti)->GetClassMethods(ti, class, &n_methods, &methods));
  for (jint i = 0; i < n_methods; i++) {
    char *name = NULL, *descriptor = NULL;
    CHECK((*ti)->GetMethodName(ti, methods[i], &name, &descriptor, NULL));
    int is_named = strcmp(name, method_name) == 0;
    if (is_named && (method_descriptor == NULL || strcmp(descriptor, method_descriptor) == 0)) {
      found = methods[i];
      CHECK((*ti)->SetBreakpoint(ti, found, 0));
    }
    free_ti(name);
    free_ti(descriptor);
  }
  free_ti(methods);
  return found;
}

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass class) {
  (void)env, (void)jni, (void)thread;
  if (is_main_class(class)) main_method = stop_at(class, "main", "([Ljava/lang/String;)V");
  if (options.part == NULL) return;
  char *name = name_of_class(class);
  size_t length = strlen(name);
  if (strncmp(options.part, name, length) == 0 && options.part[length] == '.') {
    part_method = stop_at(class, options.part + length + 1, NULL);
  }
  free(name);
}

static void JNICALL on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                                  jlocation location) {
  (void)env, (void)location;
  CHECK((*ti)->ClearBreakpoint(ti, method, 0));
  CHECK((*ti)->NotifyFramePop(ti, thread, 0));
  if (method == part_method) {
    is_in_part = 1;
    return;
  }
  throwable = must((*jni)->FindClass(jni, "java/lang/Throwable"));
  throwable = must((*jni)->NewGlobalRef(jni, throwable));
  /* The new interval begins where the first one ends, which is random, with a mean of 512 KiB. */
  CHECK((*ti)->SetHeapSamplingInterval(ti, 0));
  for (int i = 0; i < 32; i++) {
    (*jni)->DeleteLocalRef(jni, must((*jni)->NewByteArray(jni, 1 << 20)));
  }
  is_counting = 1;
}

static void write_row(FILE *file, const row *r) {
  const method *m = r->at;
  int opcode = m->length == 0 ? -1 : m->bytecodes[r->offset];
  fprintf(file, "%s\t%lld\t%llu\t%d\t%d\t", r->type, (long long)r->size,
          (unsigned long long)r->count, r->is_throwable, r->is_in_part);
  fprintf(file, "%d\t%s\t%s.%s%s\n", opcode, r->named, m->class_name, m->name, m->descriptor);
}

static void write_rows(void) {
  is_counting = 0;
  FILE *file = open_output("type\tsize\tcount\tis_throwable\tis_in_part\topcode\tnamed\tmethod");
  for (size_t i = 0; i < BUCKETS; i++) {
    for (row *r = rows[i]; r != NULL; r = r->next) write_row(file, r);
  }
  close_output(file);
  is_written = 1;
}

static void JNICALL on_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                           jboolean by_exception) {
  (void)env, (void)jni, (void)thread, (void)by_exception;
  if (method == part_method) is_in_part = 0;
  if (method == main_method) write_rows();
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
  (void)env, (void)jni;
  be_over();
  if (!is_written) write_rows(); /* the program called System.exit */
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
  const jvmtiEvent events[] = {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JVMTI_EVENT_BREAKPOINT,
                               JVMTI_EVENT_FRAME_POP};
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  (void)reserved;
  memset(&wanted, 0, sizeof wanted);
  memset(&callbacks, 0, sizeof callbacks);
  wanted.can_generate_sampled_object_alloc_events = 1;
  wanted.can_generate_breakpoint_events = 1;
  wanted.can_generate_frame_pop_events = 1;
  wanted.can_get_bytecodes = 1;
  wanted.can_get_constant_pool = 1;
  callbacks.SampledObjectAlloc = on_allocation;
  callbacks.ClassPrepare = on_prepare;
  callbacks.Breakpoint = on_breakpoint;
  callbacks.FramePop = on_pop;
  callbacks.VMDeath = on_death;
  jint attached = attach(vm, text, wanted, &callbacks);
  if (attached != JNI_OK) return attached;
  for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
    CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL));
  }
  return JNI_OK;
}
