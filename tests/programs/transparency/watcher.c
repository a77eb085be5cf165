/* A native agent of the program's own: prints the classes and natives of the program that it sees. */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

static int is_watched(const char *name) {
  return name != NULL && strncmp(name, "battery/", 8) == 0;
}

static void JNICALL on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                  const char *name, jobject domain, jint length,
                                  const unsigned char *bytes, jint *new_length,
                                  unsigned char **new_bytes) {
  (void)jvmti, (void)jni, (void)loader, (void)domain, (void)new_length, (void)new_bytes;
  if (is_watched(name)) {
    unsigned sum = 0;
    for (jint k = 0; k < length; k++) {
      sum = sum * 31 + bytes[k];
    }
    printf("%s %s %d %x\n", redefined == NULL ? "loaded" : "again", name, (int)length, sum);
    fflush(stdout);
  }
}

static void JNICALL on_bind(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                            void *address, void **new_address) {
  (void)jni, (void)thread, (void)address, (void)new_address;
  jclass owner;
  char *class_name = NULL, *name = NULL, *descriptor = NULL;
  if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &owner) != JVMTI_ERROR_NONE ||
      (*jvmti)->GetClassSignature(jvmti, owner, &class_name, NULL) != JVMTI_ERROR_NONE ||
      !is_watched(class_name + 1) ||
      (*jvmti)->GetMethodName(jvmti, method, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) {
    return;
  }
  printf("bound %s.%s%s\n", class_name, name, descriptor);
  fflush(stdout);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  (void)options, (void)reserved;
  jvmtiEnv *jvmti;
  jvmtiCapabilities capabilities = {.can_generate_native_method_bind_events = 1};
  jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class_file,
                                   .NativeMethodBind = on_bind};
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK ||
      (*jvmti)->AddCapabilities(jvmti, &capabilities) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
    return JNI_ERR;
  }
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
  (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL);
  return JNI_OK;
}
