#include "unseen_file.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "disk.h"

#define FILE_BYTES (UINT64_C(1) << 20) /* some ten thousand types */
#define BUCKETS 1024

struct known {
  struct known *next; /* in its bucket */
  struct unseen_record *record;
};

static char *base;
static _Atomic(struct known *) buckets[BUCKETS];
static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER;

static struct unseen_header *header(void) { return (struct unseen_header *)(void *)base; }

bool unseen_file_open(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    return false;
  }
  bool has_room = disk_reserve(file, 0, FILE_BYTES);
  void *memory = has_room ? mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                          : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED) {
    unlink(path);
    return false;
  }
  base = memory;
  atomic_store(&header()->used, sizeof(struct unseen_header));
  header()->magic = UNSEEN_MAGIC;
  return true;
}

static struct unseen_record *find(unsigned bucket, enum maker maker, const char *type) {
  for (struct known *known = atomic_load(&buckets[bucket]); known != NULL; known = known->next) {
    if (known->record->maker == maker && strcmp(known->record->type, type) == 0) {
      return known->record;
    }
  }
  return NULL;
}

/* Makes the record; NULL if there is no room. The lock is held. */
static struct unseen_record *make(unsigned bucket, enum maker maker, const char *type) {
  size_t length = strlen(type);
  uint64_t at = atomic_load(&header()->used);
  uint64_t end = at + (sizeof(struct unseen_record) + length + 1 + 7) / 8 * 8;
  struct known *known = end <= FILE_BYTES ? malloc(sizeof *known) : NULL;
  if (known == NULL) {
    return NULL;
  }
  struct unseen_record *record = (struct unseen_record *)(void *)(base + at);
  record->maker = maker;
  record->length = (uint32_t)length;
  memcpy(record->type, type, length + 1);
  known->record = record;
  known->next = atomic_load(&buckets[bucket]);
  atomic_store(&header()->used, end);
  atomic_store(&buckets[bucket], known);
  return record;
}

static unsigned bucket_of(enum maker maker, const char *type) {
  unsigned hash = maker;
  for (const char *at = type; *at != '\0'; at++) {
    hash = hash * 31 + (unsigned char)*at;
  }
  return hash % BUCKETS;
}

void unseen_file_add(enum maker maker, const char *type) {
  unsigned bucket = bucket_of(maker, type);
  struct unseen_record *record = find(bucket, maker, type);
  if (record == NULL) {
    pthread_mutex_lock(&growing);
    record = find(bucket, maker, type);
    record = record == NULL ? make(bucket, maker, type) : record;
    pthread_mutex_unlock(&growing);
  }
  atomic_fetch_add(record == NULL ? &header()->lost : &record->n_objects, 1);
}

void unseen_file_remove(enum maker maker, const char *type) {
  struct unseen_record *record = find(bucket_of(maker, type), maker, type);
  uint64_t objects = record == NULL ? 0 : atomic_load(&record->n_objects);
  while (objects != 0 &&
         !atomic_compare_exchange_weak(&record->n_objects, &objects, objects - 1)) {
  }
}
