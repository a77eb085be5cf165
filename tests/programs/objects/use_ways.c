/* The library of UseWays.java. */
#include <jni.h>

#define NATIVE(Result, name) JNIEXPORT Result JNICALL Java_UseWays_##name

JNIEXPORT void JNICALL Java_UseWays_00024ByNative_method(JNIEnv *env, jobject self) {
  (void)env;
  (void)self;
}

NATIVE(void, enter)(JNIEnv *env, jclass type, jobject object) {
  (void)type;
  (*env)->MonitorEnter(env, object);
  (*env)->MonitorExit(env, object);
}

NATIVE(jint, hash)(JNIEnv *env, jclass type, jobject object) {
  (void)type;
  jclass any = (*env)->FindClass(env, "java/lang/Object");
  return (*env)->CallIntMethod(env, object, (*env)->GetMethodID(env, any, "hashCode", "()I"));
}

NATIVE(jint, identityHash)(JNIEnv *env, jclass type, jobject object) {
  (void)type;
  jclass system = (*env)->FindClass(env, "java/lang/System");
  jmethodID identity =
      (*env)->GetStaticMethodID(env, system, "identityHashCode", "(Ljava/lang/Object;)I");
  return (*env)->CallStaticIntMethod(env, system, identity, object);
}
