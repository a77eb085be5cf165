#include "clock.h"

#include <stdlib.h>
#include <time.h>

#include "store.h"

#define ROUNDS 201

static enum clock_kind chosen;
static int64_t interval_cost;

static int64_t read_clock(clockid_t id) {
  struct timespec now;
  if (clock_gettime(id, &now) != 0) {
    return 0;
  }
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_now(void) {
  return chosen == CLOCK_NONE ? 0 : read_clock(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_interval_cost(void) { return interval_cost; }

static int by_size(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left;
  int64_t b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

/* The median of intervals in which nothing happens: one reading of the clock, as it sees itself. */
static int64_t empty_interval(void) {
  int64_t intervals[ROUNDS];
  int64_t last = clock_now();
  for (int i = 0; i < ROUNDS; i++) {
    int64_t now = clock_now();
    intervals[i] = now - last;
    last = now;
  }
  qsort(intervals, ROUNDS, sizeof intervals[0], by_size);
  return intervals[ROUNDS / 2];
}

void clock_open(enum clock_kind kind) {
  chosen = kind;
  struct header *header = store_header();
  header->clock = kind;
  if (kind == CLOCK_NONE) {
    return;
  }
  struct timespec resolution = {0, 0};
  clock_getres(CLOCK_THREAD_CPUTIME_ID, &resolution);
  header->resolution_ns = (uint64_t)resolution.tv_sec * 1000000000 + (uint64_t)resolution.tv_nsec;
  empty_interval(); /* the first readings find cold caches */
  int64_t begin = read_clock(CLOCK_MONOTONIC);
  interval_cost = empty_interval();
  header->read_ns = (uint64_t)(read_clock(CLOCK_MONOTONIC) - begin) / (ROUNDS + 1);
  header->interval_ns = (uint64_t)interval_cost;
}
