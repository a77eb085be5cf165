/* The natives of NativeCalls. */
#include <jni.h>
#include <stdio.h>
#include <string.h>

#define NAME(name) JNICALL Java_battery_NativeCalls_##name

JNIEXPORT jint NAME(plus)(JNIEnv *env, jclass type, jint a, jint b) {
  (void)env, (void)type;
  return a + b;
}

JNIEXPORT jstring NAME(same__I)(JNIEnv *env, jclass type, jint a) {
  (void)type;
  char text[20];
  snprintf(text, sizeof text, "int %d", (int)a);
  return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jstring NAME(same__Ljava_lang_String_2)(JNIEnv *env, jclass type, jstring a) {
  (void)env, (void)type;
  return a;
}

JNIEXPORT jint NAME(ofInstance)(JNIEnv *env, jobject self, jlong a, jdouble b, jobject c) {
  return (jint)(a + b) + (*env)->IsSameObject(env, self, c) + (c != NULL);
}

JNIEXPORT jboolean NAME(holdsLock)(JNIEnv *env, jclass type, jobject lock) {
  (void)type;
  jclass thread = (*env)->FindClass(env, "java/lang/Thread");
  jmethodID holds = (*env)->GetStaticMethodID(env, thread, "holdsLock", "(Ljava/lang/Object;)Z");
  jboolean answer = (*env)->CallStaticBooleanMethod(env, thread, holds, lock);
  return (*env)->ExceptionCheck(env) ? JNI_FALSE : answer;
}

JNIEXPORT void NAME(callBack)(JNIEnv *env, jclass type, jobject runnable) {
  (void)type;
  if (runnable == NULL) {
    jclass error = (*env)->FindClass(env, "java/lang/NullPointerException");
    (*env)->ThrowNew(env, error, "nothing to call");
    return;
  }
  jclass class = (*env)->GetObjectClass(env, runnable);
  jmethodID run = (*env)->GetMethodID(env, class, "run", "()V");
  if (run != NULL) {
    (*env)->CallVoidMethod(env, runnable, run);
  }
}

JNIEXPORT void NAME(throwing)(JNIEnv *env, jclass type, jstring message) {
  (void)type;
  jclass error = (*env)->FindClass(env, "java/lang/UnsatisfiedLinkError");
  const char *text = (*env)->GetStringUTFChars(env, message, NULL);
  (*env)->ThrowNew(env, error, text);
  (*env)->ReleaseStringUTFChars(env, message, text);
}

static jint JNICALL twice(JNIEnv *env, jclass type, jint a) {
  (void)env, (void)type;
  return 2 * a;
}

static jstring JNICALL echo(JNIEnv *env, jobject self, jstring a) {
  (void)env, (void)self;
  return a;
}

JNIEXPORT jint NAME(register)(JNIEnv *env, jclass type, jclass of) {
  (void)type;
  JNINativeMethod methods[] = {
    {"registered", "(I)I", (void *)twice},
    {"registeredInstance", "(Ljava/lang/String;)Ljava/lang/String;", (void *)echo},
  };
  return (*env)->RegisterNatives(env, of, methods, 2);
}

JNIEXPORT jint NAME(registerUnknown)(
    JNIEnv *env, jclass type, jclass of, jstring name, jstring descriptor) {
  (void)type;
  const char *n = (*env)->GetStringUTFChars(env, name, NULL);
  const char *d = (*env)->GetStringUTFChars(env, descriptor, NULL);
  JNINativeMethod method = {(char *)n, (char *)d, (void *)twice};
  jint status = (*env)->RegisterNatives(env, of, &method, 1);
  jthrowable thrown = (*env)->ExceptionOccurred(env);
  (*env)->ExceptionClear(env);
  (*env)->ReleaseStringUTFChars(env, name, n);
  (*env)->ReleaseStringUTFChars(env, descriptor, d);
  if (thrown != NULL) {
    (*env)->Throw(env, thrown);
  }
  return status;
}

JNIEXPORT jint NAME(unregister)(JNIEnv *env, jclass type, jclass of) {
  (void)type;
  return (*env)->UnregisterNatives(env, of);
}

static jmethodID find(
    JNIEnv *env, jclass of, jstring name, jstring descriptor, jboolean is_static) {
  const char *n = (*env)->GetStringUTFChars(env, name, NULL);
  const char *d = (*env)->GetStringUTFChars(env, descriptor, NULL);
  jmethodID id = is_static ? (*env)->GetStaticMethodID(env, of, n, d)
                           : (*env)->GetMethodID(env, of, n, d);
  (*env)->ExceptionClear(env);
  (*env)->ReleaseStringUTFChars(env, name, n);
  (*env)->ReleaseStringUTFChars(env, descriptor, d);
  return id;
}

JNIEXPORT jobject NAME(reflect)(
    JNIEnv *env, jclass type, jclass of, jstring name, jstring descriptor, jboolean is_static) {
  (void)type;
  jmethodID id = find(env, of, name, descriptor, is_static);
  return id == NULL ? NULL : (*env)->ToReflectedMethod(env, of, id, is_static);
}

JNIEXPORT jint NAME(callById)(
    JNIEnv *env, jclass type, jclass of, jstring name, jstring descriptor, jint argument) {
  (void)type;
  jmethodID id = find(env, of, name, descriptor, JNI_TRUE);
  if (id == NULL) {
    return -1;
  }
  jint answer = (*env)->CallStaticIntMethod(env, of, id, argument);
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionClear(env);
    return -2;
  }
  return answer;
}

JNIEXPORT jlong NAME(fieldId)(
    JNIEnv *env, jclass type, jclass of, jstring name, jstring descriptor) {
  (void)type;
  const char *n = (*env)->GetStringUTFChars(env, name, NULL);
  const char *d = (*env)->GetStringUTFChars(env, descriptor, NULL);
  jfieldID id = (*env)->GetFieldID(env, of, n, d);
  (*env)->ExceptionClear(env);
  (*env)->ReleaseStringUTFChars(env, name, n);
  (*env)->ReleaseStringUTFChars(env, descriptor, d);
  return (jlong)(size_t)id;
}
