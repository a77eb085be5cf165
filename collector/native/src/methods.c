#include "methods.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ending.h"
#include "store.h"
#include "thunk.h"

/* For methods whose descriptor is not known yet: those of the VM's first moments have fewer. */
#define FIRST_STACK_WORDS 16
/* Natives that are not followed, by how the name of their class begins. */
static const struct {
  const char *class_name;
  const char *name; /* NULL: all of them */
  enum skipping skipping;
} skipped_methods[] = {
    {"Ljdk/internal/vm/Continuation", NULL, SKIPPING_CONTINUATION},
    {"Ljdk/internal/misc/Unsafe;", NULL, SKIPPING_RECORDER},
    {"Ljdk/internal/perf/NativePort;", NULL, SKIPPING_RECORDER},
    {"Ljdk/internal/misc/VM;", "initialize", SKIPPING_STARTUP},
};
/* What the agent puts before the names of natives that it wraps. */
#define PREFIX "jvmscope$"

static pthread_mutex_t binding = PTHREAD_MUTEX_INITIALIZER;
static struct method *methods; /* the newest first */
static uint64_t count;
static bool can_be_named;
static bool keeps_functions;
static void *skipped; /* tree of lines */

static int by_text(const void *left, const void *right) {
  return strcmp((const char *)left, (const char *)right);
}

bool methods_read_skipped(const char *path) {
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return false;
  }
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, file) > 0) {
    line[strcspn(line, "\n")] = '\0';
    tsearch(line, &skipped, by_text);
    line = NULL; /* the tree has it now */
    room = 0;
  }
  free(line);
  fclose(file);
  return true;
}

/* The words on the stack of a call with a descriptor, where JNI adds two arguments. */
static uint64_t stack_words(const char *descriptor) {
  uint64_t integers = 2;
  uint64_t numbers = 0;
  for (const char *at = descriptor + 1; *at != ')' && *at != '\0'; at++) {
    if (*at == 'F' || *at == 'D') {
      numbers++;
      continue;
    }
    integers++;
    at += strspn(at, "[");
    if (*at == 'L') {
      at = strchr(at, ';');
    }
  }
  return (integers > 6 ? integers - 6 : 0) + (numbers > 8 ? numbers - 8 : 0);
}

/* What a library is called by its makers: a temporary file of it has another name each time. */
static const char *library_of(void *function) {
  Dl_info info;
  struct link_map *map = NULL;
  if (dladdr1(function, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || map == NULL) {
    return "";
  }
  const char *strings = NULL;
  const ElfW(Dyn) *named = NULL;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag == DT_STRTAB) {
      strings = (const char *)entry->d_un.d_ptr;
    } else if (entry->d_tag == DT_SONAME) {
      named = entry;
    }
  }
  if (strings != NULL && named != NULL) {
    return strings + named->d_un.d_val;
  }
  const char *slash = strrchr(info.dli_fname, '/');
  return slash == NULL ? info.dli_fname : slash + 1;
}

static char *append(char *at, const char *text) {
  size_t length = strlen(text) + 1;
  memcpy(at, text, length);
  return at + length;
}

static void note_names(struct method *method, char *class_name, char *name, char *descriptor) {
  const char *library = method->library;
  size_t bytes = strlen(class_name) + strlen(name) + strlen(descriptor) + strlen(library) + 4;
  char *names = store_allocate(bytes);
  if (names == NULL) {
    return;
  }
  append(append(append(append(names, class_name), name), descriptor), library);
  method->record->names = store_offset(names);
}

static bool is_replaced(const char *class_name, const char *name, const char *descriptor) {
  size_t bytes = strlen(class_name) + strlen(name) + strlen(descriptor) + 3;
  char *line = malloc(bytes);
  if (line == NULL) {
    return false;
  }
  snprintf(line, bytes, "%s %s%s", class_name, name, descriptor);
  bool is_found = tfind(line, &skipped, by_text) != NULL;
  free(line);
  return is_found;
}

static void skip(struct method *method, enum skipping skipping) {
  method->skipping = skipping;
  method->record->skipping = skipping;
}

static enum skipping skipping_of(const char *class_name, const char *name,
                                 const char *descriptor) {
  if (is_replaced(class_name, name, descriptor)) {
    return SKIPPING_REPLACED;
  }
  for (size_t i = 0; i < sizeof skipped_methods / sizeof skipped_methods[0]; i++) {
    const char *skipped_class = skipped_methods[i].class_name;
    const char *skipped_name = skipped_methods[i].name;
    if (strncmp(class_name, skipped_class, strlen(skipped_class)) == 0 &&
        (skipped_name == NULL || strcmp(name, skipped_name) == 0)) {
      return skipped_methods[i].skipping;
    }
  }
  return SKIPPING_NONE;
}

static void learn_names(jvmtiEnv *jvmti, JNIEnv *env, struct method *method) {
  jclass owner = NULL;
  char *class_name = NULL;
  char *name = NULL;
  char *descriptor = NULL;
  if ((*jvmti)->GetMethodDeclaringClass(jvmti, method->id, &owner) == JVMTI_ERROR_NONE &&
      (*jvmti)->GetClassSignature(jvmti, owner, &class_name, NULL) == JVMTI_ERROR_NONE &&
      (*jvmti)->GetMethodName(jvmti, method->id, &name, &descriptor, NULL) == JVMTI_ERROR_NONE) {
    bool is_prefixed = strncmp(name, PREFIX, strlen(PREFIX)) == 0;
    char *own_name = is_prefixed ? name + strlen(PREFIX) : name;
    method->stack_words = stack_words(descriptor);
    if (method->skipping == SKIPPING_NONE) {
      skip(method, skipping_of(class_name, own_name, descriptor));
    }
    note_names(method, class_name, own_name, descriptor);
    method->function = ending_follow(class_name, own_name, method->function);
  }
  (*env)->DeleteLocalRef(env, owner);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)class_name);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
  (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
}

static struct method *new_method(jmethodID id, void *function, const char *library) {
  struct method *method = calloc(1, sizeof *method);
  struct method_record *record = method == NULL ? NULL : store_allocate(sizeof *record);
  if (record == NULL) {
    free(method);
    return NULL;
  }
  method->id = id;
  method->function = function;
  method->library = library;
  method->stack_words = FIRST_STACK_WORDS;
  method->record = record;
  method->number = count++;
  record->number = method->number;
  record->next = atomic_load(&store_header()->first_method);
  atomic_store(&store_header()->first_method, store_offset(record));
  method->next = methods;
  methods = method;
  return method;
}

/* The method with an id, where no function of ours tells methods apart. */
static struct method *of_id(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id, void *function,
                            const char *library) {
  struct method *method = methods;
  while (method != NULL && method->id != id) {
    method = method->next;
  }
  bool is_known = method != NULL;
  if (!is_known) {
    method = new_method(id, function, library);
  }
  if (method != NULL && can_be_named && (!is_known || function != NULL)) {
    method->function = function;
    method->library = library;
    learn_names(jvmti, env, method);
  }
  return method;
}

static void *bind(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id, void *function,
                  const char *library) {
  if (keeps_functions) {
    struct method *method = of_id(jvmti, env, id, function, library);
    return method == NULL ? function : method->function;
  }
  if (thunk_is(function)) {
    return function;
  }
  for (struct method *known = methods; known != NULL; known = known->next) {
    if (known->id == id && known->function == function) {
      return known->thunk;
    }
  }
  struct method *method = new_method(id, function, library);
  if (method == NULL) {
    return function;
  }
  if (can_be_named) {
    learn_names(jvmti, env, method);
  }
  method->thunk = method->skipping == SKIPPING_NONE ? thunk_of(method) : function;
  if (method->thunk == NULL) {
    store_lose();
    skip(method, SKIPPING_NO_ROOM);
    method->thunk = function;
  }
  return method->thunk;
}

void *methods_bind(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id, void *function) {
  /* Before the lock: the dynamic linker has one of its own, and calls libraries' code under it,
   * which may call Java. */
  const char *library = library_of(function);
  pthread_mutex_lock(&binding);
  void *chosen = bind(jvmti, env, id, function, library);
  pthread_mutex_unlock(&binding);
  return chosen;
}

void methods_can_be_named(jvmtiEnv *jvmti, JNIEnv *env) {
  pthread_mutex_lock(&binding);
  for (struct method *method = methods; method != NULL; method = method->next) {
    learn_names(jvmti, env, method);
  }
  can_be_named = true;
  pthread_mutex_unlock(&binding);
}

void methods_keep_functions(void) { keeps_functions = true; }

struct method *methods_of(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id) {
  pthread_mutex_lock(&binding);
  struct method *method = of_id(jvmti, env, id, NULL, "");
  pthread_mutex_unlock(&binding);
  return method;
}
