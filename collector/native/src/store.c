#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "disk.h"

/* Address space; the file is sparse, and its reader maps it as a whole. */
#ifndef MOST_BYTES
#define MOST_BYTES (UINT64_C(2047) << 20)
#endif
/* Disk space is taken in such steps: a full disk is then an error code and no signal. */
#define STEP_BYTES (UINT64_C(1) << 20)

static char *base;
static int file = -1;
static _Atomic uint64_t reserved;
static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER;

static bool reserve(uint64_t end) {
  if (end > MOST_BYTES) {
    return false;
  }
  if (end <= atomic_load(&reserved)) {
    return true;
  }
  pthread_mutex_lock(&growing);
  uint64_t known = atomic_load(&reserved);
  bool has_room = true;
  if (end > known) {
    uint64_t wanted = (end + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    has_room = disk_reserve(file, known, wanted - known);
    if (has_room) {
      atomic_store(&reserved, wanted);
    }
  }
  pthread_mutex_unlock(&growing);
  return has_room;
}

bool store_open(const char *path) {
  file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    return false;
  }
  if (ftruncate(file, (off_t)MOST_BYTES) != 0) {
    return false;
  }
  if (!reserve(sizeof(struct header))) {
    errno = ENOSPC;
    return false;
  }
  void *memory = mmap(NULL, MOST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  base = memory;
  store_header()->magic = STORE_MAGIC;
  atomic_store(&store_header()->used, sizeof(struct header));
  return true;
}

struct header *store_header(void) { return (struct header *)(void *)base; }

void store_lose(void) { atomic_fetch_add(&store_header()->lost, 1); }

void *store_allocate(size_t bytes) {
  uint64_t rounded = (bytes + 7) / 8 * 8;
  uint64_t at = atomic_fetch_add(&store_header()->used, rounded);
  if (!reserve(at + rounded)) {
    store_lose();
    return NULL;
  }
  return base + at;
}

void store_fail(void) { store_header()->has_failed = 1; }

uint64_t store_offset(const void *memory) { return (uint64_t)((const char *)memory - base); }

void *store_at(uint64_t offset) { return base + offset; }
