/* How the VM ends. */
#ifndef JVMSCOPE_ENDING_H
#define JVMSCOPE_ENDING_H

/* The function for a native method with this class and name in place of its own: of the one that
 * halts the VM another one, which notes its argument; of others their own. */
void *ending_follow(const char *class_name, const char *name, void *function);

/* The VM ends now. */
void ending_note(void);

#endif
