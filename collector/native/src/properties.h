/* The VM's properties, for a recording that has no other agent to write them. */
#ifndef JVMSCOPE_PROPERTIES_H
#define JVMSCOPE_PROPERTIES_H

#include <jvmti.h>
#include <stdbool.h>

/* Writes those that the VM itself sets as `java.util.Properties` would. */
bool properties_write(jvmtiEnv *jvmti, const char *path);

#endif
