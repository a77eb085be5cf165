/* The library of Unseen.java. */
#include <jni.h>

#include <stdarg.h>

#define NATIVE(Result, name) JNIEXPORT Result JNICALL Java_Unseen_##name

/* Passes on its arguments to the constructors of two objects. */
static void pass(JNIEnv *env, jobject object, jclass type, jmethodID own, ...) {
  va_list list;
  va_start(list, own);
  (*env)->CallVoidMethodV(env, object, own, list);
  va_end(list);
  va_start(list, own);
  (*env)->CallNonvirtualVoidMethodV(env, (*env)->AllocObject(env, type), type, own, list);
  va_end(list);
}

NATIVE(jobjectArray, make)(JNIEnv *env, jclass type, jclass own, jclass constructed) {
  (void)type;
  jobject object = (*env)->AllocObject(env, own);
  (*env)->AllocObject(env, own);
  jobjectArray array = (*env)->NewObjectArray(env, 3, own, object);
  jobjectArray outer =
      (*env)->NewObjectArray(env, 2, (*env)->GetObjectClass(env, array), array);
  (*env)->NewObject(env, constructed, (*env)->GetMethodID(env, constructed, "<init>", "()V"));
  (*env)->NewBooleanArray(env, 1);
  (*env)->NewByteArray(env, 1);
  (*env)->NewCharArray(env, 1);
  (*env)->NewShortArray(env, 1);
  (*env)->NewIntArray(env, 1);
  (*env)->NewLongArray(env, 1);
  (*env)->NewFloatArray(env, 1);
  (*env)->NewDoubleArray(env, 1);
  jclass any = (*env)->FindClass(env, "java/lang/Object");
  return (*env)->NewObjectArray(env, 1, any, outer);
}

NATIVE(void, build)(JNIEnv *env, jclass type, jclass built) {
  (void)type;
  jmethodID own = (*env)->GetMethodID(env, built, "<init>", "(I)V");
  const jvalue seven = {.i = 7};
  pass(env, (*env)->AllocObject(env, built), built, own, 7);
  jobject object = (*env)->AllocObject(env, built);
  (*env)->CallVoidMethod(env, object, own, 7);
  (*env)->CallVoidMethodA(env, (*env)->AllocObject(env, built), own, &seven);
  (*env)->CallNonvirtualVoidMethod(env, (*env)->AllocObject(env, built), built, own, 7);
  (*env)->CallNonvirtualVoidMethodA(env, (*env)->AllocObject(env, built), built, own, &seven);
  jmethodID other = (*env)->GetMethodID(env, built, "other", "()V");
  (*env)->CallVoidMethod(env, object, other);
  (*env)->CallNonvirtualVoidMethod(env, (*env)->AllocObject(env, built), built, other);
}

NATIVE(jobjectArray, returned)(JNIEnv *env, jclass type, jclass own, jint length) {
  (void)type;
  return (*env)->NewObjectArray(env, length, own, NULL);
}

NATIVE(jstring, text)(JNIEnv *env, jclass type, jstring text) {
  (void)type;
  const jchar *chars = (*env)->GetStringChars(env, text, NULL);
  (*env)->NewString(env, chars, (*env)->GetStringLength(env, text));
  (*env)->ReleaseStringChars(env, text, chars);
  return (*env)->NewStringUTF(env, "");
}

NATIVE(void, fail)(JNIEnv *env, jclass type, jclass failure, jstring message) {
  (void)type;
  const char *text = (*env)->GetStringUTFChars(env, message, NULL);
  (*env)->ThrowNew(env, failure, text);
  (*env)->ReleaseStringUTFChars(env, message, text);
}

NATIVE(jobject, reflected)(JNIEnv *env, jclass type, jclass of) {
  (void)type;
  jmethodID main = (*env)->GetStaticMethodID(env, of, "main", "([Ljava/lang/String;)V");
  return (*env)->ToReflectedMethod(env, of, main, JNI_TRUE);
}
