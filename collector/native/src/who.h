/* Which thread of Java runs, and what it is called. */
#ifndef JVMSCOPE_WHO_H
#define JVMSCOPE_WHO_H

#include <jvmti.h>
#include <stdbool.h>

#include "store.h"

/* Prepares; `with_names`: no other recording knows what threads are called. */
void who_open(jvmtiEnv *jvmti, bool with_names);

/* The VM can tell which thread runs from now on; `functions` are JNI's own. */
void who_can_be_told(JNIEnv *env, const struct JNINativeInterface_ *functions);

/* Can the VM tell? */
bool who_is_told(void);

/* The number of the current Java thread, 0 if the VM does not tell it; and, unless it is NULL,
 * whether it carries virtual threads. */
int64_t who_runs(JNIEnv *env, bool *is_carrier);

/* A new global reference to the current Java thread; NULL if the VM does not tell it. */
jobject who_is_it(JNIEnv *env);

/* Notes the current thread's name, and what kind it is. */
void who_describe(JNIEnv *env, struct thread_record *record, bool is_virtual);

/* Notes the names that the threads have in the end. */
void who_describe_all(JNIEnv *env);

#endif
