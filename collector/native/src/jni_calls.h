/* JNI's functions that call methods. */
#ifndef JVMSCOPE_JNI_CALLS_H
#define JVMSCOPE_JNI_CALLS_H

#include <jni.h>

/* Puts functions that count into a table in place of those that call; `functions` are JNI's own. */
void jni_calls_replace(struct JNINativeInterface_ *table,
                       const struct JNINativeInterface_ *functions);

#endif
