/*
 * What both oracles need: options, a table of methods that outlives class unloading, error checks.
 *
 * Names are asked for at the first sight of a jmethodID, when its class certainly is loaded, and
 * kept as text. HotSpot never gives the jmethodID of an unloaded class to another method.
 */
#ifndef JVMSCOPE_TESTS_ORACLE_H
#define JVMSCOPE_TESTS_ORACLE_H

#include <jni.h>
#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUCKETS (1u << 16)
#define NOT_IN_ALL __attribute__((unused)) /* some oracles need it */

typedef struct method {
  jmethodID id;
  struct method *next;
  uint32_t index;  /* order of first sight */
  uint32_t length; /* bytes of code; 0 for a native method */
  char loader;     /* b(oot), p(latform), a(nything else) */
  char *class_name;
  char *name;
  char *descriptor;
  jint n_lines;
  jvmtiLineNumberEntry *lines;
  /* of the shadow-stack oracle: */
  _Atomic unsigned char is_called; /* in one of the program's threads */
  /* of the single-step oracle: */
  _Atomic uint64_t *counts;  /* two scopes of `length` counters */
  unsigned char *bytecodes;  /* as loaded */
  _Atomic unsigned char *seen; /* per offset: whether an instruction that resolves was executed */
  uint16_t *waiting;         /* per offset: threads for which a breakpoint is set there */
} method;

typedef struct {
  char *out;        /* the file to write at VM death */
  char *main_class; /* JVM form; events start when this class is prepared */
  char *part;       /* a static method, CLASS.NAME, that runs once, below `main`; or NULL */
  int application;  /* the class library is left out */
} oracle_options;

static jvmtiEnv *ti;
static oracle_options options;
static _Atomic int is_over; /* VM death has begun: daemon threads may still run, and are ignored */
static _Atomic(method *) buckets[BUCKETS];
static _Atomic long n_inside; /* events that are being handled */
static uint32_t n_methods;
static pthread_mutex_t method_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct method_list {
  method *method;
  struct method_list *older;
} method_list;
static method_list *all_methods;

static void fail(const char *what, jvmtiError error) {
  char *name = NULL;
  if (atomic_load(&is_over)) return; /* WRONG_PHASE in a thread that outlived the VM */
  if (ti == NULL || (*ti)->GetErrorName(ti, error, &name) != JVMTI_ERROR_NONE) name = "unknown";
  fprintf(stderr, "oracle: %s: %s (%d)\n", what, name, (int)error);
  fflush(stderr);
  _Exit(97);
}

#define CHECK(call)                                      \
  do {                                                   \
    jvmtiError check_error = (call);                     \
    if (check_error != JVMTI_ERROR_NONE) fail(#call, check_error); \
  } while (0)

NOT_IN_ALL static int come_in(void) {
  atomic_fetch_add(&n_inside, 1);
  if (!atomic_load(&is_over)) return 1;
  atomic_fetch_sub(&n_inside, 1);
  return 0;
}

NOT_IN_ALL static void go_out(const int *inside) {
  if (*inside) atomic_fetch_sub(&n_inside, 1);
}

/* At the beginning of what handles an event; nothing is handled any more once the VM dies. */
#define INSIDE                                                     \
  __attribute__((cleanup(go_out))) const int inside = come_in();   \
  if (!inside) return

/*
 * VM death begins: waits until no event is being handled, since a daemon thread that asks a VM for
 * something while it goes away may crash it; for two seconds at most.
 */
NOT_IN_ALL static void be_over(void) {
  atomic_store(&is_over, 1);
  struct timespec pause = {0, 1000000};
  for (int k = 0; k < 2000 && atomic_load(&n_inside) > 0; k++) nanosleep(&pause, NULL);
}

static void *must(void *memory) {
  if (memory == NULL) {
    fprintf(stderr, "oracle: out of memory\n");
    _Exit(97);
  }
  return memory;
}

static char *copy_text(const char *text) { return must(strdup(text)); }

static void free_ti(void *memory) {
  if (memory != NULL) CHECK((*ti)->Deallocate(ti, memory));
}

/* "out=FILE,main=pkg/Main[,part=pkg/A.m][,application]"; FILE may hold no comma. */
static int parse_options(const char *text) {
  char *copy = copy_text(text == NULL ? "" : text);
  char *rest = NULL;
  for (char *part = strtok_r(copy, ",", &rest); part != NULL; part = strtok_r(NULL, ",", &rest)) {
    if (strncmp(part, "out=", 4) == 0) {
      options.out = copy_text(part + 4);
    } else if (strncmp(part, "main=", 5) == 0) {
      options.main_class = copy_text(part + 5);
    } else if (strncmp(part, "part=", 5) == 0) {
      options.part = copy_text(part + 5);
    } else if (strcmp(part, "application") == 0) {
      options.application = 1;
    } else {
      fprintf(stderr, "oracle: unknown option %s\n", part);
      return 0;
    }
  }
  free(copy);
  if (options.out == NULL || options.main_class == NULL) {
    fprintf(stderr, "oracle: out=FILE,main=CLASS expected\n");
    return 0;
  }
  return 1;
}

/* The name of a class from its signature, in JVM form; arrays keep their signature. */
static char *name_of_class(jclass class) {
  char *signature = NULL;
  CHECK((*ti)->GetClassSignature(ti, class, &signature, NULL));
  size_t length = strlen(signature);
  char *name = copy_text(signature);
  if (signature[0] == 'L') {
    memcpy(name, signature + 1, length - 2);
    name[length - 2] = 0;
  }
  free_ti(signature);
  return name;
}

static char loader_of(JNIEnv *jni, jclass class) {
  jobject loader = NULL;
  CHECK((*ti)->GetClassLoader(ti, class, &loader));
  if (loader == NULL) return 'b';
  jclass loader_class = (*jni)->GetObjectClass(jni, loader);
  char *name = name_of_class(loader_class);
  char kind = strstr(name, "ClassLoaders$PlatformClassLoader") != NULL ? 'p' : 'a';
  free(name);
  (*jni)->DeleteLocalRef(jni, loader_class);
  (*jni)->DeleteLocalRef(jni, loader);
  return kind;
}

static void read_lines(method *m) {
  jvmtiError error = (*ti)->GetLineNumberTable(ti, m->id, &m->n_lines, &m->lines);
  if (error == JVMTI_ERROR_ABSENT_INFORMATION || error == JVMTI_ERROR_NATIVE_METHOD) {
    m->n_lines = 0;
  } else if (error != JVMTI_ERROR_NONE) {
    fail("GetLineNumberTable", error);
  }
}

static method *describe(JNIEnv *jni, jmethodID id) {
  method *m = must(calloc(1, sizeof *m));
  jclass class = NULL;
  char *name = NULL, *descriptor = NULL;
  jlocation first = 0, last = 0;
  m->id = id;
  CHECK((*ti)->GetMethodDeclaringClass(ti, id, &class));
  CHECK((*ti)->GetMethodName(ti, id, &name, &descriptor, NULL));
  m->class_name = name_of_class(class);
  m->name = copy_text(name);
  m->descriptor = copy_text(descriptor);
  m->loader = loader_of(jni, class);
  jvmtiError error = (*ti)->GetMethodLocation(ti, id, &first, &last);
  if (error == JVMTI_ERROR_NATIVE_METHOD) {
    m->length = 0;
  } else if (error != JVMTI_ERROR_NONE) {
    fail("GetMethodLocation", error);
  } else {
    m->length = (uint32_t)last + 1;
  }
  if (m->loader == 'a' && m->length > 0) read_lines(m);
  free_ti(name);
  free_ti(descriptor);
  (*jni)->DeleteLocalRef(jni, class);
  return m;
}

static method *search(method *m, jmethodID id) {
  while (m != NULL && m->id != id) m = m->next;
  return m;
}

/* The record of a method; reads take no lock, since a record is complete before it is linked. */
NOT_IN_ALL static method *method_of(JNIEnv *jni, jmethodID id, void (*complete)(method *)) {
  uint64_t mixed = (uint64_t)(uintptr_t)id * 0x9E3779B97F4A7C15ull;
  _Atomic(method *) *bucket = &buckets[mixed >> 48];
  method *m = search(atomic_load_explicit(bucket, memory_order_acquire), id);
  if (m != NULL) return m;
  method *fresh = describe(jni, id); /* outside the lock: it may block at a safepoint */
  if (complete != NULL) complete(fresh);
  method_list *item = must(malloc(sizeof *item));
  pthread_mutex_lock(&method_lock);
  m = search(atomic_load(bucket), id);
  if (m == NULL) {
    m = fresh;
    m->index = n_methods++;
    m->next = atomic_load(bucket);
    item->method = m;
    item->older = all_methods;
    all_methods = item;
    atomic_store_explicit(bucket, m, memory_order_release);
  }
  pthread_mutex_unlock(&method_lock);
  return m;
}

static FILE *open_output(const char *first_line) {
  FILE *file = fopen(options.out, "w");
  if (file == NULL) {
    fprintf(stderr, "oracle: cannot write %s\n", options.out);
    _Exit(97);
  }
  fprintf(file, "%s\n", first_line);
  return file;
}

static void close_output(FILE *file) {
  fputs("end\n", file);
  if (fclose(file) != 0) {
    fprintf(stderr, "oracle: cannot write %s\n", options.out);
    _Exit(97);
  }
}

/* Whether the VM, not the program, started this thread. Its name, to be freed, goes to *name. */
NOT_IN_ALL static int is_internal(JNIEnv *jni, jthread thread, char **name_out) {
  static const char *const names[] = {"Reference Handler", "Finalizer", "Signal Dispatcher",
                                      "Common-Cleaner", "Notification Thread", "Attach Listener",
                                      "DestroyJavaVM", "VirtualThread-unparker", NULL};
  jvmtiThreadInfo info;
  memset(&info, 0, sizeof info);
  CHECK((*ti)->GetThreadInfo(ti, thread, &info));
  *name_out = copy_text(info.name == NULL ? "" : info.name);
  jclass class = (*jni)->GetObjectClass(jni, thread);
  char *class_name = name_of_class(class);
  int internal = strcmp(class_name, "jdk/internal/misc/CarrierThread") == 0 ||
                 strncmp(class_name, "java/lang/ref/", 14) == 0;
  for (int i = 0; names[i] != NULL; i++) internal |= strcmp(*name_out, names[i]) == 0;
  free(class_name);
  free_ti(info.name);
  (*jni)->DeleteLocalRef(jni, class);
  (*jni)->DeleteLocalRef(jni, info.thread_group);
  (*jni)->DeleteLocalRef(jni, info.context_class_loader);
  return internal;
}

/* Sets up the environment: capabilities common to both oracles are added to `wanted`. */
static jint attach(JavaVM *vm, const char *text, jvmtiCapabilities wanted,
                   const jvmtiEventCallbacks *callbacks) {
  if (!parse_options(text)) return JNI_ERR;
  if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK) {
    fprintf(stderr, "oracle: this VM has no JVMTI\n");
    return JNI_ERR;
  }
  wanted.can_get_line_numbers = 1;
#ifdef JNI_VERSION_21
  wanted.can_support_virtual_threads = 1;
#endif
  CHECK((*ti)->AddCapabilities(ti, &wanted));
  CHECK((*ti)->SetEventCallbacks(ti, callbacks, sizeof *callbacks));
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL));
  CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL));
  return JNI_OK;
}

NOT_IN_ALL static int is_main_class(jclass class) {
  char *name = name_of_class(class);
  int same = strcmp(name, options.main_class) == 0;
  free(name);
  return same;
}

#endif
