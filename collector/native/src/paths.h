/* Paths in options that several VMs get alike. */
#ifndef JVMSCOPE_PATHS_H
#define JVMSCOPE_PATHS_H

/* The path that a pattern stands for: `%{pid}` in it is the number of the process, and then the
 * directories from there on are made. NULL if there is no memory for it. */
char *path_of_vm(const char *pattern);

#endif
