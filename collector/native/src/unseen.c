/* Counts the objects that native code makes by JNI, and those that the VM makes in native methods
 * of the class library, as far as it tells agents. Objects whose constructor is called are not
 * among them: the calling context tree has that call. The VM loads the library for it once more:
 *
 *     -agentpath:LIBRARY=unseen=FILE
 */
#include "unseen.h"

#include <jvmti.h>
#include <stdarg.h>
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
static atomic_bool has_bare; /* were there objects of AllocObject, without a constructor? */

/* A local reference to the current thread; NULL: the VM has no object of it yet. */
static jthread current_thread(void) {
  jthread current = NULL;
  return (*tool)->GetCurrentThread(tool, &current) == JVMTI_ERROR_NONE ? current : NULL;
}

/* Does the current thread do the recording's own work, or is there none to be told of? */
static bool is_paused(JNIEnv *env, jthread current) {
  return !contexts_are_known || (current != NULL && contexts_is_paused(env, current));
}

/* Counts an object of a type, unless the recording does so by itself, or it is not the VM's. */
static void count(JNIEnv *env, enum maker maker, const char *type) {
  if (jni == NULL) { /* the VM has not started */
    return;
  }
  jthread current = current_thread();
  bool is_unseen = maker == MAKER_VM ? makers_are_vm(tool, env, current, type)
                                     : !makers_return(tool, env, current, type);
  if (is_unseen && !is_paused(env, current)) {
    unseen_file_add(maker, type);
  }
  jni->DeleteLocalRef(env, current);
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
    atomic_store_explicit(&has_bare, true, memory_order_relaxed);
  }
  return object;
}

static bool is_constructor(jmethodID method) {
  char *name = NULL;
  bool is_found = (*tool)->GetMethodName(tool, method, &name, NULL, NULL) == JVMTI_ERROR_NONE &&
                  strcmp(name, "<init>") == 0;
  (*tool)->Deallocate(tool, (unsigned char *)name);
  return is_found;
}

/* Native code calls a method of an object: if it is the constructor of the object's class, the
 * calling context tree has the object, which AllocObject made. */
static void take_constructed(JNIEnv *env, jobject object, jmethodID method) {
  jclass owner = NULL;
  if (object == NULL || !is_constructor(method) ||
      (*tool)->GetMethodDeclaringClass(tool, method, &owner) != JVMTI_ERROR_NONE) {
    return;
  }
  jclass type = jni->GetObjectClass(env, object);
  jthread current = current_thread();
  bool is_its_own = jni->IsSameObject(env, owner, type) && !is_paused(env, current);
  char *name = is_its_own ? type_of("", type) : NULL;
  if (name != NULL) {
    unseen_file_remove(MAKER_JNI, name);
  }
  free(name);
  jni->DeleteLocalRef(env, current);
  jni->DeleteLocalRef(env, type);
  jni->DeleteLocalRef(env, owner);
}

#define TAKE_CONSTRUCTED                                                   \
  if (IS_COUNTED(atomic_load_explicit(&has_bare, memory_order_relaxed))) { \
    take_constructed(env, object, method);                                 \
  }

/* The functions of a group that can call a constructor; the first form passes on a list. */
#define VOID_METHODS(group, parameters, arguments)                           \
  static void JNICALL group##VoidMethod parameters, ...) {                   \
    TAKE_CONSTRUCTED                                                         \
    va_list list;                                                            \
    va_start(list, method);                                                  \
    jni->group##VoidMethodV arguments, list);                                \
    va_end(list);                                                            \
  }                                                                          \
  static void JNICALL group##VoidMethodV parameters, va_list list) {         \
    TAKE_CONSTRUCTED                                                         \
    jni->group##VoidMethodV arguments, list);                                \
  }                                                                          \
  static void JNICALL group##VoidMethodA parameters, const jvalue *values) { \
    TAKE_CONSTRUCTED                                                         \
    jni->group##VoidMethodA arguments, values);                              \
  }

#define ON_OBJECT (JNIEnv * env, jobject object, jmethodID method
#define ON_OBJECT_ARGUMENTS (env, object, method
#define ON_BOTH (JNIEnv * env, jobject object, jclass type, jmethodID method
#define ON_BOTH_ARGUMENTS (env, object, type, method

VOID_METHODS(Call, ON_OBJECT, ON_OBJECT_ARGUMENTS)
VOID_METHODS(CallNonvirtual, ON_BOTH, ON_BOTH_ARGUMENTS)

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

#define REPLACE_VOID(group)                        \
  table->group##VoidMethod = group##VoidMethod;    \
  table->group##VoidMethodV = group##VoidMethodV;  \
  table->group##VoidMethodA = group##VoidMethodA;

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
  REPLACE_VOID(Call)
  REPLACE_VOID(CallNonvirtual)
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
