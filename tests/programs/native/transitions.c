/* The library of Transitions.java. */
#include <jni.h>
#include <pthread.h>
#include <stdio.h>

#define NATIVE(Result, name) JNIEXPORT Result JNICALL Java_Transitions_##name

static JavaVM *vm;
static jclass own;

NATIVE(void, leaf)(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
}

static jint JNICALL twice(JNIEnv *env, jclass type, jint value) {
  (void)env;
  (void)type;
  return 2 * value;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *loaded, void *reserved) {
  (void)reserved;
  JNIEnv *env = NULL;
  vm = loaded;
  (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8);
  own = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "Transitions"));
  JNINativeMethod method = {"registered", "(I)I", (void *)twice};
  (*env)->RegisterNatives(env, own, &method, 1);
  return JNI_VERSION_1_8;
}

NATIVE(jint, down)(JNIEnv *env, jclass type, jint depth) {
  jmethodID up = (*env)->GetStaticMethodID(env, type, "up", "(I)I");
  return (*env)->CallStaticIntMethod(env, type, up, depth - 1);
}

NATIVE(void, throwing)(JNIEnv *env, jclass type, jstring message) {
  (void)type;
  const char *text = (*env)->GetStringUTFChars(env, message, NULL);
  (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), text);
  (*env)->ReleaseStringUTFChars(env, message, text);
}

NATIVE(void, passing)(JNIEnv *env, jclass type) {
  (*env)->CallStaticVoidMethod(env, type,
                               (*env)->GetStaticMethodID(env, type, "failing", "()V"));
}

NATIVE(void, fall)(JNIEnv *env, jclass type, jint depth, jint caught_at) {
  jmethodID falling = (*env)->GetStaticMethodID(env, type, "falling", "(II)V");
  (*env)->CallStaticVoidMethod(env, type, falling, depth - 1, caught_at);
}

NATIVE(jboolean, catching)(JNIEnv *env, jclass type) {
  Java_Transitions_passing(env, type);
  jboolean threw = (*env)->ExceptionCheck(env);
  (*env)->ExceptionClear(env);
  return threw;
}

NATIVE(jstring, many)(JNIEnv *env, jclass type, jint a, jdouble b, jlong c, jfloat d, jbyte e,
                      jshort f, jchar g, jboolean h, jobject i, jlong j, jdouble k, jfloat l,
                      jdouble m, jfloat n, jdouble o, jfloat p, jdouble q, jlong r, jintArray s,
                      jbyte t) {
  (void)type;
  char text[512];
  const char *chars = (*env)->GetStringUTFChars(env, i, NULL);
  snprintf(text, sizeof text, "%d %g %lld %g %d %d %c %d %s %lld %g %g %g %g %g %g %g %lld %d %d",
           a, b, (long long)c, d, e, f, g, h, chars, (long long)j, k, l, m, n, o, p, q,
           (long long)r, (*env)->GetArrayLength(env, s), t);
  (*env)->ReleaseStringUTFChars(env, i, chars);
  return (*env)->NewStringUTF(env, text);
}

NATIVE(jint, overriding)(JNIEnv *env, jobject self, jint value) {
  (void)env;
  (void)self;
  return 10 * value;
}

NATIVE(void, locked)(JNIEnv *env, jobject self) {
  (void)env;
  (void)self;
}

static void *attach(void *data) {
  JNIEnv *env = NULL;
  (void)data;
  (*vm)->AttachCurrentThread(vm, (void **)&env, NULL);
  jmethodID note = (*env)->GetStaticMethodID(env, own, "note", "()V");
  (*env)->CallStaticVoidMethod(env, own, note);
  (*env)->CallStaticVoidMethodA(env, own, note, NULL);
  (*vm)->DetachCurrentThread(vm);
  return NULL;
}

NATIVE(void, attached)(JNIEnv *env, jclass type, jint threads) {
  (void)env;
  (void)type;
  for (jint i = 0; i < threads; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, attach, NULL);
    pthread_join(thread, NULL);
  }
}

static jvalue one(void) {
  jvalue value;
  value.j = 0;
  value.i = 1;
  return value;
}

/* JNI has no functions to pass on an argument list but in a function that has one. */
#define LISTS(Name, Type)                                                                        \
  static Type virtual##Name(JNIEnv *env, jobject object, jmethodID method, ...) {                \
    va_list list;                                                                                \
    va_start(list, method);                                                                      \
    Type result = (*env)->Call##Name##MethodV(env, object, method, list);                        \
    va_end(list);                                                                                \
    return result;                                                                               \
  }                                                                                              \
  static Type static##Name(JNIEnv *env, jclass type, jmethodID method, ...) {                    \
    va_list list;                                                                                \
    va_start(list, method);                                                                      \
    Type result = (*env)->CallStatic##Name##MethodV(env, type, method, list);                    \
    va_end(list);                                                                                \
    return result;                                                                               \
  }                                                                                              \
  static Type direct##Name(JNIEnv *env, jobject object, jclass type, jmethodID method, ...) {    \
    va_list list;                                                                                \
    va_start(list, method);                                                                      \
    Type result = (*env)->CallNonvirtual##Name##MethodV(env, object, type, method, list);        \
    va_end(list);                                                                                \
    return result;                                                                               \
  }

#define RESULTS(X)                            \
  X(Object, jobject, "anObject", "Ljava/lang/Object;") \
  X(Boolean, jboolean, "aBoolean", "Z")       \
  X(Byte, jbyte, "aByte", "B")                \
  X(Char, jchar, "aChar", "C")                \
  X(Short, jshort, "aShort", "S")             \
  X(Int, jint, "anInt", "I")                  \
  X(Long, jlong, "aLong", "J")                \
  X(Float, jfloat, "aFloat", "F")             \
  X(Double, jdouble, "aDouble", "D")

#define DEFINE(Name, Type, name, descriptor) LISTS(Name, Type)
RESULTS(DEFINE)

static void virtualVoid(JNIEnv *env, jobject object, jmethodID method, ...) {
  va_list list;
  va_start(list, method);
  (*env)->CallVoidMethodV(env, object, method, list);
  va_end(list);
}

static void staticVoid(JNIEnv *env, jclass type, jmethodID method, ...) {
  va_list list;
  va_start(list, method);
  (*env)->CallStaticVoidMethodV(env, type, method, list);
  va_end(list);
}

static void directVoid(JNIEnv *env, jobject object, jclass type, jmethodID method, ...) {
  va_list list;
  va_start(list, method);
  (*env)->CallNonvirtualVoidMethodV(env, object, type, method, list);
  va_end(list);
}

static jobject newV(JNIEnv *env, jclass type, jmethodID method, ...) {
  va_list list;
  va_start(list, method);
  jobject result = (*env)->NewObjectV(env, type, method, list);
  va_end(list);
  return result;
}

/* Each returns 1, or an object for it. */
#define CALL(Name, Type, name, descriptor)                                          \
  method = (*env)->GetMethodID(env, own, name, "(I)" descriptor);                   \
  right += (*env)->Call##Name##Method(env, other, method, 1) != 0;                  \
  right += virtual##Name(env, other, method, 1) != 0;                               \
  right += (*env)->Call##Name##MethodA(env, other, method, &value) != 0;            \
  right += (*env)->CallNonvirtual##Name##Method(env, other, own, method, 1) != 0;   \
  right += direct##Name(env, other, own, method, 1) != 0;                           \
  right += (*env)->CallNonvirtual##Name##MethodA(env, other, own, method, &value) != 0; \
  method = (*env)->GetStaticMethodID(env, own, name "S", "(I)" descriptor);         \
  right += (*env)->CallStatic##Name##Method(env, own, method, 1) != 0;              \
  right += static##Name(env, own, method, 1) != 0;                                  \
  right += (*env)->CallStatic##Name##MethodA(env, own, method, &value) != 0;

NATIVE(jint, every)(JNIEnv *env, jobject self, jobject other) {
  (void)self;
  jint right = 0;
  jmethodID method;
  jvalue value = one();
  RESULTS(CALL)
  method = (*env)->GetMethodID(env, own, "aVoid", "(I)V");
  (*env)->CallVoidMethod(env, other, method, 1);
  virtualVoid(env, other, method, 1);
  (*env)->CallVoidMethodA(env, other, method, &value);
  (*env)->CallNonvirtualVoidMethod(env, other, own, method, 1);
  directVoid(env, other, own, method, 1);
  (*env)->CallNonvirtualVoidMethodA(env, other, own, method, &value);
  right += (*env)->GetIntField(env, other, (*env)->GetFieldID(env, own, "value", "I")) - 7;
  method = (*env)->GetStaticMethodID(env, own, "aVoidS", "(I)V");
  (*env)->CallStaticVoidMethod(env, own, method, 1);
  staticVoid(env, own, method, 1);
  (*env)->CallStaticVoidMethodA(env, own, method, &value);
  right += (*env)->GetStaticIntField(env, own, (*env)->GetStaticFieldID(env, own, "noted", "I"));
  method = (*env)->GetMethodID(env, own, "<init>", "(I)V");
  right += (*env)->NewObject(env, own, method, 1) != NULL;
  right += newV(env, own, method, 1) != NULL;
  right += (*env)->NewObjectA(env, own, method, &value) != NULL;
  return right;
}
