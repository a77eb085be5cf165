/* Counts the transitions between bytecode and native code, and what time is spent in each: the
 * method of Binder, Hulaas and Moret (IPA). The VM loads the library with
 *
 *     -agentpath:LIBRARY=file=FILE,skipped=FILE,clock=NAME[,properties=FILE][,mode=spa]
 *
 * and it writes FILE, which store.h describes; with `properties`, it is alone: no recording of
 * calls writes what the VM and its threads are. A native method is followed by a function that is
 * bound in place of its own, so no class has to change; calls by JNI by a table of functions. In
 * the mode SPA, the VM's events of entry and exit of methods tell of both. */
#include <errno.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callers.h"
#include "clock.h"
#include "contention.h"
#include "contexts.h"
#include "ending.h"
#include "jni_calls.h"
#include "methods.h"
#include "paths.h"
#include "properties.h"
#include "spa.h"
#include "store.h"
#include "threads.h"
#include "unseen.h"
#include "who.h"

#ifndef SOURCES
#define SOURCES "" /* of an experiment */
#endif
/* By it a checkout knows the library of its sources. */
JNIEXPORT const char jvmscope_sources[] = SOURCES;

#define UNSEEN "unseen=" /* before the file */
#define PORT "jdk/internal/perf/NativePort"

static struct JNINativeInterface_ *jni;
static bool has_events;  /* mode SPA */
static char *properties; /* where to write those of the VM; NULL: nowhere */

/* Ends the VM's start with a message; the VM says that the agent failed. */
static jint refuse(const char *what, const char *why) {
  fprintf(stderr, "jvmscope: native code cannot be recorded: %s: %s\n", what, why);
  return JNI_ERR;
}

static void JNICALL on_native_bind(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method,
                                   void *function, void **bound) {
  (void)thread;
  *bound = methods_bind(jvmti, env, method, function);
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
  (void)jvmti;
  (void)thread;
  threads_begin(env);
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
  (void)jvmti;
  (void)thread;
  threads_end(env);
}

/* The VM finds it by its name, at the first call. To register it would be told to the user. */
JNIEXPORT void JNICALL Java_jdk_internal_perf_NativePort_setPaused(JNIEnv *env, jclass type,
                                                                   jboolean is_paused);

JNIEXPORT void JNICALL Java_jdk_internal_perf_NativePort_setPaused(JNIEnv *env, jclass type,
                                                                   jboolean is_paused) {
  (void)type;
  threads_pause(env, is_paused == JNI_TRUE);
}

/* Has the recording of calls tell when it works on a thread. The class is of a prepared JDK. */
static void listen_to_recording(JNIEnv *env) {
  jclass port = jni->FindClass(env, PORT);
  jfieldID listens = port == NULL ? NULL : jni->GetStaticFieldID(env, port, "listens", "Z");
  if (listens == NULL) {
    jni->ExceptionClear(env); /* recorded without calls */
    return;
  }
  jni->SetStaticBooleanField(env, port, listens, JNI_TRUE);
}

/* JNI's functions, which count calls from now on; the VM does not give them away before. */
static void take_functions(jvmtiEnv *jvmti) {
  struct JNINativeInterface_ *table = NULL;
  if ((*jvmti)->GetJNIFunctionTable(jvmti, &jni) != JVMTI_ERROR_NONE) {
    store_fail();
    return;
  }
  if (has_events) {
    return; /* and the events tell of calls */
  }
  if ((*jvmti)->GetJNIFunctionTable(jvmti, &table) != JVMTI_ERROR_NONE) {
    store_fail();
    return;
  }
  jni_calls_replace(table, jni);
  if ((*jvmti)->SetJNIFunctionTable(jvmti, table) != JVMTI_ERROR_NONE) {
    store_fail();
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
}

static void JNICALL on_vm_start(jvmtiEnv *jvmti, JNIEnv *env) {
  take_functions(jvmti);
  if (jni == NULL) {
    return; /* which is noted */
  }
  methods_can_be_named(jvmti, env);
  who_can_be_told(env, jni);
  callers_find_agents();
  threads_pause(env, true); /* what is not there is said by exceptions, which call natives */
  contexts_can_be_told(env, jni);
  listen_to_recording(env);
  threads_begin(env); /* whose context can be told now */
  threads_pause(env, false);
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
  (void)env;
  (void)thread;
  if (properties != NULL && !properties_write(jvmti, properties)) {
    refuse(properties, "cannot be written");
  }
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
  (void)jvmti;
  who_describe_all(env);
  threads_close();
  ending_note();
}

static bool listen_to_vm(jvmtiEnv *jvmti) {
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.NativeMethodBind = on_native_bind;
  callbacks.ThreadStart = on_thread_start;
  callbacks.ThreadEnd = on_thread_end;
  callbacks.VMStart = on_vm_start;
  callbacks.VMInit = on_vm_init;
  callbacks.VMDeath = on_vm_death;
  static const jvmtiEvent events[] = {
      JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
      JVMTI_EVENT_VM_START,           JVMTI_EVENT_VM_INIT,    JVMTI_EVENT_VM_DEATH,
  };
  bool listens =
      (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE;
  for (size_t i = 0; listens && i < sizeof events / sizeof events[0]; i++) {
    listens = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL) ==
              JVMTI_ERROR_NONE;
  }
  return listens && (!has_events || spa_listen(jvmti, &callbacks));
}

/* Why the file could not be opened, by errno. It is sparse, but a limit counts all of it. */
static const char *why_not_open(void) {
  return errno == EFBIG ? "it cannot be 2 GiB long; `ulimit -f` limits the length of files"
                        : strerror(errno);
}

/* Reads the options, opens the file and the clock; false, with a message, if that fails. */
static bool begin(jvmtiEnv *jvmti, char *options) {
  const char *path = NULL;
  const char *skipped = NULL;
  enum clock_kind clock = CLOCK_TIMESTAMP;
  for (char *word = strtok(options, ","); word != NULL; word = strtok(NULL, ",")) {
    if (strncmp(word, "file=", 5) == 0) {
      path = path_of_vm(word + 5);
    } else if (strncmp(word, "skipped=", 8) == 0) {
      skipped = word + 8;
    } else if (strncmp(word, "properties=", 11) == 0) {
      properties = path_of_vm(word + 11);
    } else if (strcmp(word, "mode=spa") == 0) {
      has_events = true;
    } else if (strncmp(word, "clock=", 6) == 0 && clock_named(word + 6) != CLOCK_KINDS) {
      clock = clock_named(word + 6);
    } else {
      refuse(word, "unknown option");
      return false;
    }
  }
  if (path == NULL || !store_open(path)) {
    refuse(path == NULL ? "file" : path, path == NULL ? "missing option" : why_not_open());
    return false;
  }
  if (skipped != NULL && !methods_read_skipped(skipped)) {
    refuse(skipped, "cannot be read");
    return false;
  }
  clock_open(clock);
  who_open(jvmti, properties != NULL);
  return true;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  if (options != NULL && strcmp(options, "contention") == 0) {
    return contention_open(vm) ? JNI_OK : refuse("JVMTI", "this VM does not tell of monitors");
  }
  if (options != NULL && strncmp(options, UNSEEN, strlen(UNSEEN)) == 0) {
    if (!unseen_open(vm, options + strlen(UNSEEN))) {
      fprintf(stderr, "jvmscope: objects that native code makes are not counted: the VM does not "
                      "tell of them, or there is no room for a file\n");
    }
    return JNI_OK;
  }
  jvmtiEnv *jvmti = NULL;
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
    return refuse("JVMTI", "this VM does not have it");
  }
  if (!begin(jvmti, options)) {
    return JNI_ERR;
  }
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_generate_native_method_bind_events = 1;
  if (has_events) {
    spa_want(&wanted);
    methods_keep_functions();
    threads_expect_events();
  }
  if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE ||
      !listen_to_vm(jvmti)) {
    return refuse("JVMTI", "this VM does not let agents follow native methods");
  }
  return JNI_OK;
}
