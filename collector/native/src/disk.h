/* Space on the disk, taken before it is written. */
#ifndef JVMSCOPE_DISK_H
#define JVMSCOPE_DISK_H

#include <stdbool.h>
#include <stdint.h>

/* Takes space for a part of a file; false: there is none. A full disk is told so, and not by a
 * signal later. */
bool disk_reserve(int file, uint64_t from, uint64_t bytes);

#endif
