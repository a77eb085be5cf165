/* Counts the objects that native code makes by JNI, and those that the VM makes in native methods
 * of the class library, as far as it tells agents. Objects whose constructor is called are not
 * among them: the calling context tree has that call. The VM loads the library for it once more:
 *
 *     -agentpath:LIBRARY=unseen=FILE
 */
#include "unseen.h"

#include <jvmti.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "callers.h"
#include "contexts.h"
#include "makers.h"
#include "paths.h"
#include "unseen_file.h"

#define HIDDEN ".0x" /* what tells hidden classes of one name apart is an address */

static jvmtiEnv *tool;
static const struct JNINativeInterface_ *jni; /* the VM's own functions */

/* Does the current thread do the recording's own work, or is there none to be told of? */
static bool is_paused(JNIEnv *env) {
  jthread current = NULL;
  if (!contexts_are_known ||
      (*tool)->GetCurrentThread(tool, &current) != JVMTI_ERROR_NONE || current == NULL) {
    return !contexts_are_known;
  }
  bool is_paused = contexts_is_paused(env, current);
  jni->DeleteLocalRef(env, current);
  return is_paused;
}

/* Counts an object of a type, unless the recording does so by itself, or it is not the VM's. */
static void count(JNIEnv *env, enum maker maker, const char *type) {
  bool is_unseen = maker == MAKER_VM ? makers_are_vm(tool, env, type)
                                     : !makers_return(tool, env, type);
  if (is_unseen && !is_paused(env)) {
    unseen_file_add(maker, type);
  }
}

/* The name of a class, or the descriptor of an array, behind `prefix`; it has to be freed. NULL:
 * the VM does not tell it, or there is no memory. */
static char *type_of(const char *prefix, jclass type) {
  char *signature = NULL;
  if ((*tool)->GetClassSignature(tool, type, &signature, NULL) != JVMTI_ERROR_NONE) {
    return NULL;
  }
  char *hidden = strstr(signature, HIDDEN);
  if (hidden != NULL) {
    strcpy(hidden, ";");
  }
  bool is_class = prefix[0] == '\0' && signature[0] == 'L';
  size_t length = strlen(signature) - (is_class ? 2 : 0);
  char *name = malloc(strlen(prefix) + length + 1);
  if (name != NULL) {
    strcpy(name, prefix);
    strncat(name, signature + is_class, length);
  }
  (*tool)->Deallocate(tool, (unsigned char *)signature);
  return name;
}

static void count_class(JNIEnv *env, enum maker maker, const char *prefix, jclass type) {
  char *name = type_of(prefix, type);
  if (name != NULL) {
    count(env, maker, name);
    free(name);
  }
}

static void count_of(JNIEnv *env, jobject object) {
  jclass type = jni->GetObjectClass(env, object);
  count_class(env, MAKER_JNI, "", type);
  jni->DeleteLocalRef(env, type);
}

/* A string, and the array of its characters. */
static void count_text(JNIEnv *env) {
  count(env, MAKER_JNI, "java/lang/String");
  count(env, MAKER_JNI, "[B");
}

#define IS_COUNTED(made) ((made) && callers_is_program(__builtin_return_address(0)))

static jobject JNICALL AllocObject(JNIEnv *env, jclass type) {
  jobject object = jni->AllocObject(env, type);
  if (IS_COUNTED(object != NULL)) {
    count_class(env, MAKER_JNI, "", type);
  }
  return object;
}

static jobjectArray JNICALL NewObjectArray(JNIEnv *env, jsize length, jclass type,
                                           jobject element) {
  jobjectArray array = jni->NewObjectArray(env, length, type, element);
  if (IS_COUNTED(array != NULL)) {
    count_class(env, MAKER_JNI, "[", type);
  }
  return array;
}

static jstring JNICALL NewString(JNIEnv *env, const jchar *text, jsize length) {
  jstring string = jni->NewString(env, text, length);
  if (IS_COUNTED(string != NULL)) {
    count_text(env);
  }
  return string;
}

static jstring JNICALL NewStringUTF(JNIEnv *env, const char *text) {
  jstring string = jni->NewStringUTF(env, text);
  if (IS_COUNTED(string != NULL)) {
    count_text(env);
  }
  return string;
}

/* What it makes is counted before the exception is pending: nothing may be asked afterwards. The
 * constructor of the exception is called. */
static jint JNICALL ThrowNew(JNIEnv *env, jclass type, const char *message) {
  if (IS_COUNTED(message != NULL)) {
    count_text(env);
  }
  return jni->ThrowNew(env, type, message);
}

static jobject JNICALL ToReflectedMethod(JNIEnv *env, jclass type, jmethodID method,
                                         jboolean is_static) {
  jobject object = jni->ToReflectedMethod(env, type, method, is_static);
  if (IS_COUNTED(object != NULL)) {
    count_of(env, object);
  }
  return object;
}

static jobject JNICALL ToReflectedField(JNIEnv *env, jclass type, jfieldID field,
                                        jboolean is_static) {
  jobject object = jni->ToReflectedField(env, type, field, is_static);
  if (IS_COUNTED(object != NULL)) {
    count_of(env, object);
  }
  return object;
}

#define NUMBERS(X)                \
  X(Boolean, jbooleanArray, "[Z") \
  X(Byte, jbyteArray, "[B")       \
  X(Char, jcharArray, "[C")       \
  X(Short, jshortArray, "[S")     \
  X(Int, jintArray, "[I")         \
  X(Long, jlongArray, "[J")       \
  X(Float, jfloatArray, "[F")     \
  X(Double, jdoubleArray, "[D")

#define NEW_ARRAY(Name, Type, type)                              \
  static Type JNICALL New##Name##Array(JNIEnv *env, jsize n) {   \
    Type array = jni->New##Name##Array(env, n);                  \
    if (IS_COUNTED(array != NULL)) {                             \
      count(env, MAKER_JNI, type);                               \
    }                                                            \
    return array;                                                \
  }

NUMBERS(NEW_ARRAY)

#define REPLACE(Name, Type, type) table->New##Name##Array = New##Name##Array;

/* Puts functions that count into JNI's table; agents may, once the VM has started. */
static void JNICALL on_vm_start(jvmtiEnv *jvmti, JNIEnv *env) {
  struct JNINativeInterface_ *table = NULL;
  struct JNINativeInterface_ *own = NULL;
  if ((*jvmti)->GetJNIFunctionTable(jvmti, &own) != JVMTI_ERROR_NONE ||
      (*jvmti)->GetJNIFunctionTable(jvmti, &table) != JVMTI_ERROR_NONE) {
    return;
  }
  jni = own;
  contexts_can_be_told(env, jni);
  callers_find_agents();
  NUMBERS(REPLACE)
  table->AllocObject = AllocObject;
  table->NewObjectArray = NewObjectArray;
  table->NewString = NewString;
  table->NewStringUTF = NewStringUTF;
  table->ThrowNew = ThrowNew;
  table->ToReflectedMethod = ToReflectedMethod;
  table->ToReflectedField = ToReflectedField;
  (*jvmti)->SetJNIFunctionTable(jvmti, table);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
}

static void JNICALL on_vm_object(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object,
                                 jclass type, jlong size) {
  (void)jvmti, (void)thread, (void)object, (void)size;
  count_class(env, MAKER_VM, "", type);
}

static bool listen(jvmtiEnv *jvmti, jvmtiEvent event) {
  return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL) == JVMTI_ERROR_NONE;
}

bool unseen_open(JavaVM *vm, const char *path) {
  if ((*vm)->GetEnv(vm, (void **)&tool, JVMTI_VERSION_1_2) != JNI_OK) {
    return false;
  }
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_generate_vm_object_alloc_events = 1;
  jvmtiEventCallbacks callbacks;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.VMStart = on_vm_start;
  callbacks.VMObjectAlloc = on_vm_object;
  char *file = path_of_vm(path);
  bool is_open =
      file != NULL && unseen_file_open(file) &&
      (*tool)->AddCapabilities(tool, &wanted) == JVMTI_ERROR_NONE &&
      (*tool)->SetEventCallbacks(tool, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
      listen(tool, JVMTI_EVENT_VM_START) && listen(tool, JVMTI_EVENT_VM_OBJECT_ALLOC);
  free(file);
  return is_open;
}
