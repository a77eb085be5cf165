/* The library of Rooted.java: references that only native code holds. */
#include <jni.h>

#define NATIVE(Result, name) JNIEXPORT Result JNICALL Java_Rooted_##name

static jobject held[8];
static int count;

NATIVE(void, hold)(JNIEnv *env, jclass type, jobject object) {
  (void)type;
  held[count++] = (*env)->NewGlobalRef(env, object);
}

NATIVE(void, holdWeakly)(JNIEnv *env, jclass type, jobject object) {
  (void)type;
  (void)(*env)->NewWeakGlobalRef(env, object);
}

NATIVE(void, release)(JNIEnv *env, jclass type) {
  (void)type;
  while (count > 0) {
    (*env)->DeleteGlobalRef(env, held[--count]);
  }
}

static jfieldID other(JNIEnv *env, jobject thing) {
  return (*env)->GetFieldID(env, (*env)->GetObjectClass(env, thing), "other", "Ljava/lang/Object;");
}

NATIVE(void, store)(JNIEnv *env, jclass type, jobject into, jobject object) {
  (void)type;
  (*env)->SetObjectField(env, into, other(env, into), object);
}

/* Holds what the field refers to, while it runs something that sets the field. */
NATIVE(void, callWithField)(JNIEnv *env, jclass type, jobject thing, jobject run) {
  (void)type;
  jobject local = (*env)->GetObjectField(env, thing, other(env, thing));
  jmethodID method = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, run), "run", "()V");
  (*env)->CallVoidMethod(env, run, method);
  (*env)->DeleteLocalRef(env, local);
}
