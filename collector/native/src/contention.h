/* Entries of monitors that have to wait. */
#ifndef JVMSCOPE_CONTENTION_H
#define JVMSCOPE_CONTENTION_H

#include <jni.h>
#include <stdbool.h>

/* Tells the recording of them from the VM's start on; false if this VM cannot. */
bool contention_open(JavaVM *vm);

#endif
