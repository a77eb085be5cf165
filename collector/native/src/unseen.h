/* Objects that no bytecode makes: those of JNI's functions, and those of the VM of which it tells
 * agents. */
#ifndef JVMSCOPE_UNSEEN_H
#define JVMSCOPE_UNSEEN_H

#include <jni.h>
#include <stdbool.h>

/* Counts them in a file from the VM's start on; false if this VM does not tell, or there is no
 * room for the file. */
bool unseen_open(JavaVM *vm, const char *path);

#endif
