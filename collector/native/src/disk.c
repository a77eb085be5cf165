#include "disk.h"

#include <errno.h>
#include <fcntl.h>

bool disk_reserve(int file, uint64_t from, uint64_t bytes) {
  int error;
  do {
    error = posix_fallocate(file, (off_t)from, (off_t)bytes);
  } while (error == EINTR); /* as on tmpfs, where a signal is waiting */
  return error == 0;
}
