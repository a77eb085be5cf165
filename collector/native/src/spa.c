#include "spa.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "methods.h"
#include "threads.h"

#define BUCKETS 65536

/* A method that was entered. */
struct known {
  jmethodID id;
  struct method *native; /* NULL: bytecode, or a native that compilers replace */
  struct known *next;
};

static struct known *_Atomic buckets[BUCKETS];

static struct known *learn(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id,
                           struct known *_Atomic *bucket) {
  struct known *known = calloc(1, sizeof *known);
  if (known == NULL) {
    return NULL;
  }
  jboolean is_native = JNI_FALSE;
  (*jvmti)->IsMethodNative(jvmti, id, &is_native);
  struct method *method = is_native == JNI_TRUE ? methods_of(jvmti, env, id) : NULL;
  known->id = id;
  known->native = method == NULL || method->skipping != SKIPPING_NONE ? NULL : method;
  known->next = atomic_load(bucket);
  while (!atomic_compare_exchange_weak(bucket, &known->next, known)) {
  }
  return known;
}

static struct method *native_of(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id) {
  struct known *_Atomic *bucket = &buckets[((uintptr_t)id >> 3) % BUCKETS];
  struct known *known = atomic_load_explicit(bucket, memory_order_acquire);
  while (known != NULL && known->id != id) {
    known = known->next;
  }
  if (known == NULL) {
    known = learn(jvmti, env, id, bucket);
  }
  return known == NULL ? NULL : known->native;
}

static void JNICALL on_entry(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method) {
  (void)thread;
  spa_enter(native_of(jvmti, env, method), env);
}

static void JNICALL on_exit_(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method,
                             jboolean was_popped_by_exception, jvalue value) {
  (void)jvmti;
  (void)thread;
  (void)method;
  (void)value;
  spa_leave(env, was_popped_by_exception == JNI_TRUE);
}

void spa_want(jvmtiCapabilities *wanted) {
  wanted->can_generate_method_entry_events = 1;
  wanted->can_generate_method_exit_events = 1;
}

bool spa_listen(jvmtiEnv *jvmti, jvmtiEventCallbacks *callbacks) {
  callbacks->MethodEntry = on_entry;
  callbacks->MethodExit = on_exit_;
  return (*jvmti)->SetEventCallbacks(jvmti, callbacks, sizeof *callbacks) == JVMTI_ERROR_NONE &&
         (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL) ==
             JVMTI_ERROR_NONE &&
         (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, NULL) ==
             JVMTI_ERROR_NONE;
}
