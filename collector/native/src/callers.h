/* Who calls a function of JNI: native code of the program and the JDK, or an agent's. */
#ifndef JVMSCOPE_CALLERS_H
#define JVMSCOPE_CALLERS_H

#include <stdbool.h>

/* Looks where the VM's library java.instrument is; its calls of JNI are for agents. */
void callers_find_agents(void);

/* Is an address, to which a function returns, outside of that library? All are, before it is
 * found. */
bool callers_is_program(const void *address);

#endif
