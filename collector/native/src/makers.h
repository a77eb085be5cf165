/* The native method in which an object is made, and what the recording knows of it. */
#ifndef JVMSCOPE_MAKERS_H
#define JVMSCOPE_MAKERS_H

#include <jvmti.h>
#include <stdbool.h>

/* Is an array that the current thread's native method makes by JNI counted where that is called?
 * So are arrays of the type of its result, if it is one of the JDK. */
bool makers_return(jvmtiEnv *jvmti, JNIEnv *env, jthread current, const char *type);

/* Does the VM itself make objects of a type in the current thread's native method? It also tells
 * of some that bytecode makes, which a native runs as long as it lasts: to load classes. */
bool makers_are_vm(jvmtiEnv *jvmti, JNIEnv *env, jthread current, const char *type);

#endif
