/* Functions that are bound to native methods in place of their own. */
#ifndef JVMSCOPE_THUNK_H
#define JVMSCOPE_THUNK_H

#include <stdbool.h>

#include "methods.h"

/* A function that calls `native_enter`, the function of the method, and `native_leave`; NULL if
 * there is no memory for it. */
void *thunk_of(struct method *method);

/* Is it one of these functions? */
bool thunk_is(const void *function);

#endif
