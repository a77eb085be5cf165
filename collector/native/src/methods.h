/* The native methods that have been bound. */
#ifndef JVMSCOPE_METHODS_H
#define JVMSCOPE_METHODS_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "store.h"

struct method {
  void *function;       /* what it was bound to; thunk_x86_64.S reads it, and the next one */
  uint64_t stack_words; /* words of arguments that are on the stack */
  struct method_record *record;
  uint64_t number;
  jmethodID id;
  enum skipping skipping; /* why its calls are not counted */
  void *thunk;
  const char *library; /* of the function; empty: not known */
  struct method *next;
};

/* Reads the natives that compilers replace: lines with class, name and descriptor. */
bool methods_read_skipped(const char *path);

/* From now on methods keep their functions: they are followed in another way. */
void methods_keep_functions(void);

/* The native method with an id. */
struct method *methods_of(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id);

/* The function that a method shall be bound to in place of another. */
void *methods_bind(jvmtiEnv *jvmti, JNIEnv *env, jmethodID id, void *function);

/* Methods have names from now on, which the VM did not tell before. */
void methods_can_be_named(jvmtiEnv *jvmti, JNIEnv *env);

#endif
