/* Tells the recording of locks (jdk.internal.perf.LockProbe) of threads that have to wait for a
 * monitor, which bytecode cannot see. The VM loads the library for it once more, with
 *
 *     -agentpath:LIBRARY=contention
 */
#include "contention.h"

#include <jvmti.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define PROBE "jdk/internal/perf/LockProbe"
#define SYNCHRONIZED 0x20 /* of a method's access flags */

static struct JNINativeInterface_ *jni; /* the VM's own functions: our calls are not counted */
static _Atomic(jclass) probe;           /* NULL: nobody has to know */
static jmethodID contended;

/* Where the current thread is, the innermost of its methods says: a synchronized one may be about
 * to begin. Object.wait and MonitorEnter of JNI are native code, whose entries nobody counts. The
 * thread is named, as in makers.c: asked of no thread, JDK 21 may wait for ever. */
static bool is_in_bytecode(jvmtiEnv *jvmti, jthread current, bool *may_begin) {
  jmethodID method;
  jlocation at;
  jint access;
  if ((*jvmti)->GetFrameLocation(jvmti, current, 0, &method, &at) != JVMTI_ERROR_NONE || at < 0 ||
      (*jvmti)->GetMethodModifiers(jvmti, method, &access) != JVMTI_ERROR_NONE) {
    return false;
  }
  *may_begin = at == 0 && (access & SYNCHRONIZED) != 0;
  return true;
}

static void JNICALL on_contended_enter(jvmtiEnv *jvmti, JNIEnv *env, jthread thread,
                                       jobject object) {
  jclass listener = atomic_load(&probe);
  bool may_begin;
  if (listener != NULL && is_in_bytecode(jvmti, thread, &may_begin)) {
    jni->CallStaticVoidMethod(env, listener, contended, object, (jboolean)may_begin);
    if (jni->ExceptionCheck(env)) { /* there was no stack left */
      jni->ExceptionClear(env);
    }
  }
}

/* Has the probe know that it is told. Without one, as the recording has none, nothing is. */
static void JNICALL on_vm_start(jvmtiEnv *jvmti, JNIEnv *env) {
  if ((*jvmti)->GetJNIFunctionTable(jvmti, &jni) != JVMTI_ERROR_NONE) {
    return;
  }
  jclass found = jni->FindClass(env, PROBE);
  jfieldID listens = found == NULL ? NULL : jni->GetStaticFieldID(env, found, "listens", "Z");
  contended = listens == NULL ? NULL
                              : jni->GetStaticMethodID(env, found, "contended",
                                                       "(Ljava/lang/Object;Z)V");
  jclass kept = contended == NULL ? NULL : jni->NewGlobalRef(env, found);
  if (kept == NULL) {
    jni->ExceptionClear(env);
    return;
  }
  atomic_store(&probe, kept);
  jni->SetStaticBooleanField(env, found, listens, JNI_TRUE);
}

/* Events cannot be asked for while the VM starts, only before and afterwards. */
static bool listen(jvmtiEnv *jvmti, jvmtiEvent event) {
  return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL) == JVMTI_ERROR_NONE;
}

bool contention_open(JavaVM *vm) {
  jvmtiEnv *jvmti = NULL;
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
    return false;
  }
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_generate_monitor_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.VMStart = on_vm_start;
  callbacks.MonitorContendedEnter = on_contended_enter;
  return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE &&
         (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
         listen(jvmti, JVMTI_EVENT_VM_START) && listen(jvmti, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
}
