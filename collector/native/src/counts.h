/* The counters of one thread, which never move: by method, and by method and context. */
#ifndef JVMSCOPE_COUNTS_H
#define JVMSCOPE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "store.h"

struct counts {
  struct chunk **chunks; /* by the numbers of methods; NULL where it called none */
  size_t chunk_count;
  struct call **index; /* hashed by method and context; NULL is free */
  size_t capacity;     /* of the index: a power of two, or 0 */
  size_t used;         /* calls that the index leads to */
  struct calls *last;  /* where the next call goes */
};

/* Forgets what is not in the file. */
void counts_close(struct counts *counts);

/* Makes room for the counters of a chunk; NULL if there is none. */
struct chunk *counts_new_chunk(struct counts *counts, struct thread_record *record, size_t k);

/* The counters of a method in a context; NULL if there is no room for them. */
struct counters *counts_in_context(struct counts *counts, struct thread_record *record,
                                   uint64_t method, uint32_t context);

/* The counters of a method in contexts that are not known; NULL if there is no room for them. */
static inline struct counters *counts_of(struct counts *counts, struct thread_record *record,
                                         uint64_t method) {
  size_t k = method / CHUNK;
  struct chunk *chunk = k < counts->chunk_count ? counts->chunks[k] : NULL;
  if (__builtin_expect(chunk == NULL, 0)) {
    chunk = counts_new_chunk(counts, record, k);
  }
  return chunk == NULL ? NULL : &chunk->counters[method % CHUNK];
}

#endif
