#include "jni_calls.h"

#include <stdarg.h>

#include "callers.h"
#include "threads.h"

static const struct JNINativeInterface_ *jni;

#define ENTER(kind) \
  struct thread *thread = jni_enter(env, kind, callers_is_program(__builtin_return_address(0)))

/* The results of methods: the name in JNI's functions, and the type. */
#define RESULTS(X)      \
  X(Object, jobject)    \
  X(Boolean, jboolean)  \
  X(Byte, jbyte)        \
  X(Char, jchar)        \
  X(Short, jshort)      \
  X(Int, jint)          \
  X(Long, jlong)        \
  X(Float, jfloat)      \
  X(Double, jdouble)

/* How the arguments of the method come: as those of the function, as a list, as an array. The
 * first form passes on a list, to the function of the second form. */
#define FORMS(group, kind, Name, Type, parameters, arguments)                                \
  static Type JNICALL group##Name##Method parameters, ...) {                                 \
    ENTER(kind);                                                                             \
    va_list list;                                                                            \
    va_start(list, method);                                                                  \
    Type result = jni->group##Name##MethodV arguments, list);                                \
    va_end(list);                                                                            \
    jni_leave(thread);                                                                       \
    return result;                                                                           \
  }                                                                                          \
  static Type JNICALL group##Name##MethodV parameters, va_list list) {                       \
    ENTER(kind);                                                                             \
    Type result = jni->group##Name##MethodV arguments, list);                                \
    jni_leave(thread);                                                                       \
    return result;                                                                           \
  }                                                                                          \
  static Type JNICALL group##Name##MethodA parameters, const jvalue *values) {               \
    ENTER(kind);                                                                             \
    Type result = jni->group##Name##MethodA arguments, values);                              \
    jni_leave(thread);                                                                       \
    return result;                                                                           \
  }

/* The same without a result. */
#define VOID_FORMS(group, kind, parameters, arguments)                                       \
  static void JNICALL group##VoidMethod parameters, ...) {                                   \
    ENTER(kind);                                                                             \
    va_list list;                                                                            \
    va_start(list, method);                                                                  \
    jni->group##VoidMethodV arguments, list);                                                \
    va_end(list);                                                                            \
    jni_leave(thread);                                                                       \
  }                                                                                          \
  static void JNICALL group##VoidMethodV parameters, va_list list) {                         \
    ENTER(kind);                                                                             \
    jni->group##VoidMethodV arguments, list);                                                \
    jni_leave(thread);                                                                       \
  }                                                                                          \
  static void JNICALL group##VoidMethodA parameters, const jvalue *values) {                 \
    ENTER(kind);                                                                             \
    jni->group##VoidMethodA arguments, values);                                              \
    jni_leave(thread);                                                                       \
  }

#define ON_OBJECT (JNIEnv * env, jobject object, jmethodID method
#define ON_OBJECT_ARGUMENTS (env, object, method
#define ON_CLASS (JNIEnv * env, jclass type, jmethodID method
#define ON_CLASS_ARGUMENTS (env, type, method
#define ON_BOTH (JNIEnv * env, jobject object, jclass type, jmethodID method
#define ON_BOTH_ARGUMENTS (env, object, type, method

#define VIRTUAL(Name, Type) \
  FORMS(Call, KIND_CALL, Name, Type, ON_OBJECT, ON_OBJECT_ARGUMENTS)
#define STATIC(Name, Type) \
  FORMS(CallStatic, KIND_STATIC, Name, Type, ON_CLASS, ON_CLASS_ARGUMENTS)
#define NONVIRTUAL(Name, Type) \
  FORMS(CallNonvirtual, KIND_NONVIRTUAL, Name, Type, ON_BOTH, ON_BOTH_ARGUMENTS)

RESULTS(VIRTUAL)
VOID_FORMS(Call, KIND_CALL, ON_OBJECT, ON_OBJECT_ARGUMENTS)
RESULTS(STATIC)
VOID_FORMS(CallStatic, KIND_STATIC, ON_CLASS, ON_CLASS_ARGUMENTS)
RESULTS(NONVIRTUAL)
VOID_FORMS(CallNonvirtual, KIND_NONVIRTUAL, ON_BOTH, ON_BOTH_ARGUMENTS)

static jobject JNICALL NewObject(JNIEnv *env, jclass type, jmethodID method, ...) {
  ENTER(KIND_NEW_OBJECT);
  va_list list;
  va_start(list, method);
  jobject result = jni->NewObjectV(env, type, method, list);
  va_end(list);
  jni_leave(thread);
  return result;
}

static jobject JNICALL NewObjectV(JNIEnv *env, jclass type, jmethodID method, va_list list) {
  ENTER(KIND_NEW_OBJECT);
  jobject result = jni->NewObjectV(env, type, method, list);
  jni_leave(thread);
  return result;
}

static jobject JNICALL NewObjectA(JNIEnv *env, jclass type, jmethodID method,
                                  const jvalue *values) {
  ENTER(KIND_NEW_OBJECT);
  jobject result = jni->NewObjectA(env, type, method, values);
  jni_leave(thread);
  return result;
}

#define REPLACE(group, Name)                             \
  table->group##Name##Method = group##Name##Method;      \
  table->group##Name##MethodV = group##Name##MethodV;    \
  table->group##Name##MethodA = group##Name##MethodA;

#define REPLACE_ALL(Name, Type)  \
  REPLACE(Call, Name)            \
  REPLACE(CallStatic, Name)      \
  REPLACE(CallNonvirtual, Name)

void jni_calls_replace(struct JNINativeInterface_ *table,
                       const struct JNINativeInterface_ *functions) {
  jni = functions;
  RESULTS(REPLACE_ALL)
  REPLACE_ALL(Void, void)
  table->NewObject = NewObject;
  table->NewObjectV = NewObjectV;
  table->NewObjectA = NewObjectA;
}
