/*
 * The shadow-stack oracle: the calling context tree, from method entry and exit events.
 *
 * Each thread has its own tree; a node is (parent, bytecode index in the parent's frame, method)
 * with a call count. Events start when the main class is prepared: a thread's frames of before
 * that are unknown, and a call from one of them becomes a child of the thread's root.
 * The stack checks itself: the frame below an entered method must be the shadow stack's top.
 * With the option `application` the frames of the class library are left out of stacks and trees:
 * the nearest frame of the application below an entered method of it must be the stack's top; a
 * call through the library has bci -1. The library's methods are marked if they were called.
 *
 * Output, tab-separated:
 *   M loader class method descriptor code_bytes left_out
 *                                                    a method; its number is its order
 *   T kind is_internal name                          a thread, then its nodes in pre-order
 *   N depth method bci calls                         bci -1: no caller, or a native one
 *   A n text                                         n events that did not fit the shadow stack
 */
#include "oracle.h"

typedef struct node {
  struct node *parent, *child, *sibling;
  method *method;
  int32_t bci;
  uint32_t depth;
  uint64_t calls;
} node;

typedef struct tree {
  node root;
  node *top;
  char *name;
  int is_virtual, is_internal;
  uint64_t wrong_caller, wrong_exit;
  char *example;
  struct tree *older;
} tree;

static _Atomic(tree *) trees;

static tree *tree_of(JNIEnv *jni, jthread thread) {
  tree *t = NULL;
  CHECK((*ti)->GetThreadLocalStorage(ti, thread, (void **)&t));
  if (t != NULL) return t;
  t = must(calloc(1, sizeof *t));
  t->top = &t->root;
  t->is_internal = is_internal(jni, thread, &t->name);
#ifdef JNI_VERSION_21
  t->is_virtual = (*jni)->IsVirtualThread(jni, thread) == JNI_TRUE;
#endif
  CHECK((*ti)->SetThreadLocalStorage(ti, thread, t));
  t->older = atomic_load(&trees);
  while (!atomic_compare_exchange_weak(&trees, &t->older, t)) {
  }
  return t;
}

static node *child_of(node *parent, method *m, int32_t bci) {
  for (node *n = parent->child; n != NULL; n = n->sibling) {
    if (n->method == m && n->bci == bci) return n;
  }
  node *n = must(calloc(1, sizeof *n));
  n->parent = parent;
  n->method = m;
  n->bci = bci;
  n->depth = parent->depth + 1;
  n->sibling = parent->child;
  parent->child = n; /* complete before it is linked: a dump may run in another thread */
  return n;
}

static void note(tree *t, const char *what, const method *m, const method *other) {
  if (t->example != NULL) return;
  const char *form = "%s %s.%s%s at %s.%s%s";
  const char *c = other ? other->class_name : "-", *n = other ? other->name : "-";
  const char *d = other ? other->descriptor : "-";
  int size = snprintf(NULL, 0, form, what, m->class_name, m->name, m->descriptor, c, n, d);
  t->example = must(malloc((size_t)size + 1));
  snprintf(t->example, (size_t)size + 1, form, what, m->class_name, m->name, m->descriptor, c, n, d);
}

/* Marks a method of the class library that one of the program's threads called. */
static void note_call(JNIEnv *jni, jthread thread, method *m) {
  if (atomic_load_explicit(&m->is_called, memory_order_relaxed)) return;
  if (!tree_of(jni, thread)->is_internal) atomic_store(&m->is_called, 1);
}

/* The nearest method of the application below the top of the VM's stack, NULL if there is none. */
static method *application_caller(JNIEnv *jni, jthread thread, int32_t *bci) {
  for (jint depth = 1;; depth++) {
    jmethodID caller = NULL;
    jlocation location = -1;
    jvmtiError error = (*ti)->GetFrameLocation(ti, thread, depth, &caller, &location);
    if (error == JVMTI_ERROR_NO_MORE_FRAMES) return NULL;
    if (error != JVMTI_ERROR_NONE) fail("GetFrameLocation", error);
    method *m = method_of(jni, caller, NULL);
    if (m->loader != 'a') continue;
    *bci = depth == 1 ? (int32_t)location : -1;
    return m;
  }
}

/* Without the class library: the application's caller, by whatever it was called between. */
static int32_t find_application_caller(JNIEnv *jni, jthread thread, tree *t, const method *m) {
  int32_t bci = -1;
  const method *expected = application_caller(jni, thread, &bci);
  if (t->top->method == expected) return bci;
  t->wrong_caller++;
  note(t, "another caller of", m, t->top->method);
  while (t->top != &t->root && t->top->method != expected) t->top = t->top->parent;
  return t->top == &t->root ? -1 : bci;
}

/* Makes the top of the stack the frame that the VM says is the caller. */
static int32_t find_caller(JNIEnv *jni, jthread thread, tree *t, const method *m) {
  jmethodID caller = NULL;
  jlocation location = -1;
  jvmtiError error = (*ti)->GetFrameLocation(ti, thread, 1, &caller, &location);
  if (error == JVMTI_ERROR_NO_MORE_FRAMES) {
    if (t->top != &t->root) {
      t->wrong_caller++;
      note(t, "no caller of", m, t->top->method);
    }
    t->top = &t->root;
    return -1;
  }
  if (error != JVMTI_ERROR_NONE) fail("GetFrameLocation", error);
  if (t->top == &t->root) return -1; /* the caller was entered before the events started */
  method *expected = method_of(jni, caller, NULL);
  if (t->top->method == expected) return (int32_t)location;
  t->wrong_caller++;
  note(t, "another caller of", m, t->top->method);
  node *n = t->top;
  while (n != &t->root && n->method != expected) n = n->parent;
  t->top = n;
  return n == &t->root ? -1 : (int32_t)location;
}

static void JNICALL on_method_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id) {
  (void)env;
  INSIDE;
  method *m = method_of(jni, id, NULL);
  if (options.application && m->loader != 'a') {
    note_call(jni, thread, m);
    return;
  }
  tree *t = tree_of(jni, thread);
  int32_t bci = options.application ? find_application_caller(jni, thread, t, m)
                                    : find_caller(jni, thread, t, m);
  t->top = child_of(t->top, m, bci);
  t->top->calls++;
}

static void JNICALL on_method_exit(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID id,
                                   jboolean by_exception, jvalue value) {
  (void)env;
  (void)by_exception;
  (void)value;
  INSIDE;
  if (options.application && method_of(jni, id, NULL)->loader != 'a') return;
  tree *t = tree_of(jni, thread);
  if (t->top == &t->root) return; /* a frame of before the events started */
  if (t->top->method->id == id) {
    t->top = t->top->parent;
    return;
  }
  method *m = method_of(jni, id, NULL);
  t->wrong_exit++;
  note(t, "exit of", m, t->top->method);
  for (node *n = t->top; n != &t->root; n = n->parent) {
    if (n->method == m) {
      t->top = n->parent;
      return;
    }
  }
}

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass class) {
  (void)jni;
  (void)thread;
  if (!is_main_class(class)) return;
  CHECK((*env)->SetEventNotificationMode(env, JVMTI_DISABLE, JVMTI_EVENT_CLASS_PREPARE, NULL));
  CHECK((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL));
  CHECK((*env)->SetEventNotificationMode(env, JVMTI_ENABLE, JVMTI_EVENT_METHOD_EXIT, NULL));
}

static void write_methods(FILE *file) {
  method **in_order = must(calloc(n_methods + 1, sizeof *in_order));
  for (method_list *item = all_methods; item != NULL; item = item->older) {
    in_order[item->method->index] = item->method;
  }
  for (uint32_t i = 0; i < n_methods; i++) {
    const method *m = in_order[i];
    fprintf(file, "M\t%c\t%s\t%s\t%s\t%u\t%d\n", m->loader, m->class_name, m->name, m->descriptor,
            m->length, m->is_called);
  }
  free(in_order);
}

static void write_tree(FILE *file, const tree *t) {
  fprintf(file, "T\t%s\t%d\t%s\n", t->is_virtual ? "virtual" : "platform", t->is_internal, t->name);
  if (t->wrong_caller) {
    fprintf(file, "A\t%llu\tunexpected callers, e.g. %s\n", (unsigned long long)t->wrong_caller,
            t->example);
  }
  if (t->wrong_exit) {
    fprintf(file, "A\t%llu\tunexpected exits, e.g. %s\n", (unsigned long long)t->wrong_exit,
            t->example);
  }
  const node *n = t->root.child; /* a loop: recursion of the program may be deep */
  while (n != NULL) {
    fprintf(file, "N\t%u\t%u\t%d\t%llu\n", n->depth, n->method->index, n->bci,
            (unsigned long long)n->calls);
    if (n->child != NULL) {
      n = n->child;
      continue;
    }
    while (n != &t->root && n->sibling == NULL) n = n->parent;
    n = n == &t->root ? NULL : n->sibling;
  }
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
  (void)env;
  (void)jni;
  be_over();
  FILE *file = open_output("tree oracle 2");
  pthread_mutex_lock(&method_lock);
  write_methods(file);
  for (const tree *t = atomic_load(&trees); t != NULL; t = t->older) write_tree(file, t);
  pthread_mutex_unlock(&method_lock);
  close_output(file);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  (void)reserved;
  memset(&wanted, 0, sizeof wanted);
  memset(&callbacks, 0, sizeof callbacks);
  wanted.can_generate_method_entry_events = 1;
  wanted.can_generate_method_exit_events = 1;
  callbacks.MethodEntry = on_method_entry;
  callbacks.MethodExit = on_method_exit;
  callbacks.ClassPrepare = on_prepare;
  callbacks.VMDeath = on_death;
  return attach(vm, text, wanted, &callbacks);
}
