/*
 * Makes the state of a bare VM at the start of `main` that of a recorded one: does what the
 * recorder's start does to the class library, and nothing else. Options, separated by commas:
 *
 *   patch=FILE        the class file that takes the place of java/util/ImmutableCollections
 *   hashes=N          identity hash codes to take from the VM's sequence
 *   asked=NAME        a class that the program's class loader is asked for, found or not
 *   initialised=NAME  a class to initialise; like the one before, more than once
 *
 * `--patch-module` and `-javaagent` would do the same, but each makes the VM resolve its modules
 * at start: it then runs and links lambdas before `main` that neither a bare nor a recorded VM runs.
 */
#include <jni.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATCHED "java/util/ImmutableCollections"

static char *options_text;
static unsigned char *content;
static long length;

static void stop(const char *what, const char *name) {
  fprintf(stderr, "oracle: %s %s\n", what, name);
  _Exit(97);
}

static void check(jvmtiError error, const char *what) {
  if (error != JVMTI_ERROR_NONE) stop("cannot", what);
}

static void read_content(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) stop("cannot open", path);
  length = ftell(file);
  rewind(file);
  content = malloc((size_t)length);
  if (content == NULL || fread(content, 1, (size_t)length, file) != (size_t)length) stop("cannot read", path);
  fclose(file);
}

static void JNICALL on_load(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader,
                            const char *name, jobject domain, jint old_length,
                            const unsigned char *old, jint *new_length, unsigned char **new) {
  (void)jni, (void)redefined, (void)loader, (void)domain, (void)old_length, (void)old;
  if (name == NULL || strcmp(name, PATCHED) != 0) return;
  check((*env)->Allocate(env, length, new), "allocate");
  memcpy(*new, content, (size_t)length);
  *new_length = (jint)length;
}

/* FindClass would ask the program's class loader, which the VM then does not ask again. */
static jclass find(JNIEnv *jni, jclass class_of_classes, const char *name) {
  jmethodID find = (*jni)->GetStaticMethodID(
      jni, class_of_classes, "forName",
      "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  jclass found = (*jni)->CallStaticObjectMethod(
      jni, class_of_classes, find, (*jni)->NewStringUTF(jni, name), JNI_TRUE, NULL);
  if (found == NULL) stop("no class", name);
  return found;
}

static void use_hashes(JNIEnv *jni, jclass class_of_classes, int n) {
  jclass object = find(jni, class_of_classes, "java.lang.Object");
  jclass system = find(jni, class_of_classes, "java.lang.System");
  jmethodID hash =
      (*jni)->GetStaticMethodID(jni, system, "identityHashCode", "(Ljava/lang/Object;)I");
  while (n-- > 0) {
    jobject fresh = (*jni)->AllocObject(jni, object);
    (*jni)->CallStaticIntMethod(jni, system, hash, fresh);
    (*jni)->DeleteLocalRef(jni, fresh);
  }
}

static void ask_for(JNIEnv *jni, jclass class_of_classes, const char *name) {
  jclass type = find(jni, class_of_classes, "java.lang.ClassLoader");
  jmethodID get =
      (*jni)->GetStaticMethodID(jni, type, "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
  jmethodID load =
      (*jni)->GetMethodID(jni, type, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
  jobject loader = (*jni)->CallStaticObjectMethod(jni, type, get);
  (*jni)->CallObjectMethod(jni, loader, load, (*jni)->NewStringUTF(jni, name));
  (*jni)->ExceptionClear(jni);
}

static void JNICALL on_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
  char *rest = NULL;
  (void)env;
  (*jni)->PushLocalFrame(jni, 64);
  jclass classes = (*jni)->GetObjectClass(jni, (*jni)->GetObjectClass(jni, thread));
  for (char *part = strtok_r(options_text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
    char *value = strchr(part, '=') + 1;
    if (strncmp(part, "hashes=", 7) == 0) use_hashes(jni, classes, atoi(value));
    if (strncmp(part, "asked=", 6) == 0) ask_for(jni, classes, value);
    if (strncmp(part, "initialised=", 12) == 0) find(jni, classes, value);
  }
  (*jni)->PopLocalFrame(jni, NULL);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
  const jvmtiEvent events[] = {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_VM_INIT};
  jvmtiEnv *ti = NULL;
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  (void)reserved;
  if (strncmp(text, "patch=", 6) != 0) stop("patch=FILE expected, not", text);
  options_text = strchr(text, ',');
  options_text = strdup(options_text == NULL ? "" : options_text + 1);
  text = strdup(text + 6);
  text[strcspn(text, ",")] = 0;
  read_content(text);
  memset(&wanted, 0, sizeof wanted);
  memset(&callbacks, 0, sizeof callbacks);
  wanted.can_generate_all_class_hook_events = 1;
  wanted.can_generate_early_class_hook_events = 1;
  callbacks.ClassFileLoadHook = on_load;
  callbacks.VMInit = on_init;
  if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK) stop("no JVMTI in", "this VM");
  check((*ti)->AddCapabilities(ti, &wanted), "see classes load");
  check((*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks), "set callbacks");
  for (int i = 0; i < 2; i++) {
    check((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL), "enable an event");
  }
  return JNI_OK;
}
