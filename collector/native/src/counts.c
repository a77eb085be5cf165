#include "counts.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 32

void counts_close(struct counts *counts) {
  free(counts->chunks);
  free(counts->index);
}

struct chunk *counts_new_chunk(struct counts *counts, struct thread_record *record, size_t k) {
  if (k >= counts->chunk_count) {
    size_t count = k + 8;
    struct chunk **chunks = realloc(counts->chunks, count * sizeof *chunks);
    if (chunks == NULL) {
      return NULL;
    }
    memset(chunks + counts->chunk_count, 0, (count - counts->chunk_count) * sizeof *chunks);
    counts->chunks = chunks;
    counts->chunk_count = count;
  }
  struct chunk *chunk = store_allocate(sizeof *chunk);
  if (chunk != NULL) {
    chunk->first = k * CHUNK;
    chunk->next = atomic_load_explicit(&record->first_chunk, memory_order_relaxed);
    atomic_store(&record->first_chunk, store_offset(chunk));
    counts->chunks[k] = chunk;
  }
  return chunk;
}

/* Where the index has a call, or has room for it. */
static struct call **find(struct call **index, size_t capacity, uint32_t method,
                          uint32_t context) {
  uint64_t key = (uint64_t)context << 32 | method;
  uint64_t at = key * UINT64_C(0x9E3779B97F4A7C15) >> 32;
  for (;;) {
    struct call **place = &index[at++ & (capacity - 1)];
    if (*place == NULL || ((*place)->method == method && (*place)->context == context)) {
      return place;
    }
  }
}

static bool enlarge(struct counts *counts) {
  size_t capacity = counts->capacity == 0 ? FIRST_CAPACITY : 2 * counts->capacity;
  struct call **index = calloc(capacity, sizeof *index);
  if (index == NULL) {
    return false;
  }
  for (size_t i = 0; i < counts->capacity; i++) {
    struct call *call = counts->index[i];
    if (call != NULL) {
      *find(index, capacity, call->method, call->context) = call;
    }
  }
  free(counts->index);
  counts->index = index;
  counts->capacity = capacity;
  return true;
}

static struct call *new_call(struct counts *counts, struct thread_record *record) {
  if (counts->used % CHUNK == 0) {
    struct calls *calls = store_allocate(sizeof *calls);
    if (calls == NULL) {
      return NULL;
    }
    calls->next = atomic_load_explicit(&record->first_calls, memory_order_relaxed);
    atomic_store(&record->first_calls, store_offset(calls));
    counts->last = calls;
  }
  return &counts->last->call[counts->used++ % CHUNK];
}

struct counters *counts_in_context(struct counts *counts, struct thread_record *record,
                                   uint64_t method, uint32_t context) {
  uint32_t number = (uint32_t)method + 1;
  if (2 * (counts->used + 1) > counts->capacity && !enlarge(counts)) {
    return NULL;
  }
  struct call **place = find(counts->index, counts->capacity, number, context);
  if (*place == NULL) {
    struct call *call = new_call(counts, record);
    if (call == NULL) {
      return NULL;
    }
    call->context = context;
    call->method = number;
    *place = call;
  }
  return &(*place)->counters;
}
