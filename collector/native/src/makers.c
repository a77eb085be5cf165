#include "makers.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256
#define PREFIX "jvmscope$" /* of the program's natives, whose results are not looked at */
#define MOST_TYPES 9

struct native {
  struct native *next; /* in its bucket */
  jmethodID method;
  const char *const *made; /* types that the VM makes in it, and NULL; NULL: none */
  char *array;             /* descriptor of the array that it returns; NULL: none that is counted */
};

static _Atomic(struct native *) buckets[BUCKETS];

/* Natives of java.lang.Class and of reflection, and of what the VM makes in them only types that
 * the bytecode does not make by which classes are loaded in the middle of them. */
static const struct {
  const char *name;
  const char *types[MOST_TYPES];
} known[] = {
    {"initClassName", {"java/lang/String", "[B"}},
    {"getDeclaredConstructors0", {"java/lang/reflect/Constructor"}},
    {"getDeclaredFields0", {"java/lang/reflect/Field"}},
    {"getDeclaredMethods0", {"java/lang/reflect/Method"}},
    {"getRecordComponents0", {"java/lang/reflect/RecordComponent"}},
    {"getStackAccessControlContext",
     {"java/security/AccessControlContext", "[Ljava/security/ProtectionDomain;"}},
    {"invoke0",
     {"java/lang/Boolean", "java/lang/Byte", "java/lang/Character", "java/lang/Short",
      "java/lang/Integer", "java/lang/Long", "java/lang/Float", "java/lang/Double"}},
};

static const char *const *types_of(const char *name) {
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i].name) == 0) {
      return known[i].types;
    }
  }
  return NULL;
}

static char *array_of(const char *descriptor) {
  const char *result = strchr(descriptor, ')');
  return result != NULL && result[1] == '[' ? strdup(result + 1) : NULL;
}

/* Is a class one of the JDK, whose natives are counted where they are called? So are those of
 * modules beside it, which have hardly any. */
static bool is_of_jdk(jvmtiEnv *jvmti, JNIEnv *env, jclass type) {
  jobject loader = NULL;
  char *name = NULL;
  if ((*jvmti)->GetClassLoader(jvmti, type, &loader) != JVMTI_ERROR_NONE) {
    return false;
  }
  if (loader == NULL) {
    return true;
  }
  jobject module = NULL;
  if ((*jvmti)->GetClassSignature(jvmti, type, &name, NULL) == JVMTI_ERROR_NONE) {
    char *slash = strrchr(name, '/');
    if (slash != NULL) { /* the unnamed package is in no named module */
      *slash = '\0';
      (*jvmti)->GetNamedModule(jvmti, loader, name + 1, &module); /* behind the L */
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
  }
  bool is_named = module != NULL;
  (*env)->DeleteLocalRef(env, module);
  (*env)->DeleteLocalRef(env, loader);
  return is_named;
}

static bool is_method_of_jdk(jvmtiEnv *jvmti, JNIEnv *env, jmethodID method) {
  jclass owner = NULL;
  if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &owner) != JVMTI_ERROR_NONE) {
    return false;
  }
  bool is_found = is_of_jdk(jvmti, env, owner);
  (*env)->DeleteLocalRef(env, owner);
  return is_found;
}

static struct native *describe(jvmtiEnv *jvmti, JNIEnv *env, jmethodID method) {
  char *name = NULL;
  char *descriptor = NULL;
  if ((*jvmti)->GetMethodName(jvmti, method, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) {
    return NULL;
  }
  struct native *native = calloc(1, sizeof *native);
  if (native != NULL) {
    native->method = method;
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 && is_method_of_jdk(jvmti, env, method)) {
      native->made = types_of(name);
      native->array = array_of(descriptor);
    }
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
  return native;
}

/* The native method that the current thread executes; NULL: none, as in a thread that native code
 * began. The thread is named: asked of no thread, JDK 21 waits until no virtual thread is being
 * mounted, and one that is may wait for a lock that the current thread has. */
static struct native *native_of(jvmtiEnv *jvmti, JNIEnv *env, jthread current) {
  jmethodID method;
  jlocation at;
  if (current == NULL ||
      (*jvmti)->GetFrameLocation(jvmti, current, 0, &method, &at) != JVMTI_ERROR_NONE || at >= 0) {
    return NULL;
  }
  _Atomic(struct native *) *bucket = &buckets[(uintptr_t)method / 8 % BUCKETS];
  for (struct native *native = atomic_load(bucket); native != NULL; native = native->next) {
    if (native->method == method) {
      return native;
    }
  }
  struct native *made = describe(jvmti, env, method);
  if (made != NULL) {
    made->next = atomic_load(bucket);
    while (!atomic_compare_exchange_weak(bucket, &made->next, made)) {
    }
  }
  return made;
}

bool makers_return(jvmtiEnv *jvmti, JNIEnv *env, jthread current, const char *type) {
  const struct native *native = type[0] == '[' ? native_of(jvmti, env, current) : NULL;
  const char *array = native == NULL ? NULL : native->array;
  for (; array != NULL && array[0] == '['; array++) { /* arrays in it are counted, too */
    if (strcmp(type, array) == 0) {
      return true;
    }
  }
  return false;
}

bool makers_are_vm(jvmtiEnv *jvmti, JNIEnv *env, jthread current, const char *type) {
  const struct native *native = native_of(jvmti, env, current);
  const char *const *made = native == NULL ? NULL : native->made;
  for (; made != NULL && *made != NULL; made++) {
    if (strcmp(type, *made) == 0) {
      return true;
    }
  }
  return false;
}
