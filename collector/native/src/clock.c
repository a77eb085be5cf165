#include "clock.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

#include "store.h"

#define ROUNDS 201
#define CALIBRATION_NS 400000
/* A thread that has to wait for a processor, or for anything else, loses more time than that. So
 * only of longer intervals the scheduler is asked which part the thread was running. */
#define LONG_NS 32000

static const char *const names[CLOCK_KINDS] = {"none", "thread", "timestamp", "monotonic"};
static enum clock_kind chosen;
static int64_t interval_cost; /* what an interval is longer by, because it is measured */
static int64_t asking_cost;   /* what the scheduler charges for asking it, and no stamp has */
static double ns_per_tick = 1;

enum clock_kind clock_named(const char *name) {
  int kind = 0;
  while (kind < CLOCK_KINDS && strcmp(names[kind], name) != 0) {
    kind++;
  }
  return (enum clock_kind)kind;
}

static int64_t read_clock(clockid_t id) {
  struct timespec now;
  if (clock_gettime(id, &now) != 0) {
    return 0;
  }
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#if defined(__x86_64__)
static uint64_t ticks(void) { return __rdtsc(); }

/* Does the counter run at the same speed always, and on all processors? */
static bool has_steady_ticks(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1u << 8) != 0;
}
#elif defined(__aarch64__)
static uint64_t ticks(void) {
  uint64_t value;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
}

static bool has_steady_ticks(void) { return true; }
#else
static uint64_t ticks(void) { return 0; }
static bool has_steady_ticks(void) { return false; }
#endif

static uint64_t stamp(void) {
  return chosen == CLOCK_TIMESTAMP ? ticks() : (uint64_t)read_clock(CLOCK_MONOTONIC);
}

static int64_t between(uint64_t begin, uint64_t end) {
  return (int64_t)((double)(int64_t)(end - begin) * ns_per_tick);
}

void clock_start(struct watch *watch) {
  if (chosen == CLOCK_NONE) {
    return;
  }
  watch->charged_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
  if (chosen != CLOCK_THREAD) {
    watch->given_ns = 0;
    watch->stamp = stamp();
  }
}

/* The length of a long interval: what the scheduler charged since it was asked last, less what
 * the intervals since then have got. */
static int64_t corrected(struct watch *watch, int64_t length) {
  int64_t charged = read_clock(CLOCK_THREAD_CPUTIME_ID);
  int64_t rest = charged - watch->charged_ns - watch->given_ns - asking_cost;
  watch->charged_ns = charged;
  watch->given_ns = 0;
  watch->stamp = stamp();
  return rest < 0 ? 0 : rest > length ? length : rest;
}

int64_t clock_lap(struct watch *watch) {
  if (chosen == CLOCK_NONE) {
    return 0;
  }
  if (chosen == CLOCK_THREAD) {
    int64_t before = watch->charged_ns;
    watch->charged_ns = read_clock(CLOCK_THREAD_CPUTIME_ID);
    return watch->charged_ns - before - interval_cost;
  }
  uint64_t now = stamp();
  int64_t length = between(watch->stamp, now);
  if (length >= LONG_NS) {
    return corrected(watch, length);
  }
  watch->stamp = now;
  watch->given_ns += length;
  return length - interval_cost;
}

static int by_size(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left;
  int64_t b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static int64_t median(int64_t values[ROUNDS]) {
  qsort(values, ROUNDS, sizeof values[0], by_size);
  return values[ROUNDS / 2];
}

/* The median of intervals in which nothing happens: one reading of the clock, as it sees itself. */
static int64_t empty_interval(void) {
  int64_t laps[ROUNDS];
  struct watch watch = {0};
  clock_start(&watch);
  for (int i = 0; i < ROUNDS; i++) {
    laps[i] = clock_lap(&watch);
  }
  return median(laps);
}

/* The same of intervals of which the scheduler was asked. */
static int64_t empty_correction(void) {
  int64_t laps[ROUNDS];
  struct watch watch = {0};
  clock_start(&watch);
  for (int i = 0; i < ROUNDS; i++) {
    laps[i] = corrected(&watch, LONG_NS);
  }
  return median(laps);
}

/* How long a tick is, by the monotonic clock. */
static void calibrate(void) {
  int64_t begin = read_clock(CLOCK_MONOTONIC);
  uint64_t first = ticks();
  int64_t end = begin;
  while (end - begin < CALIBRATION_NS) {
    end = read_clock(CLOCK_MONOTONIC);
  }
  ns_per_tick = (double)(end - begin) / (double)(ticks() - first);
}

static int64_t resolution(void) {
  if (chosen == CLOCK_TIMESTAMP) {
    return ns_per_tick < 1 ? 1 : (int64_t)(ns_per_tick + 0.5);
  }
  struct timespec found = {0, 0};
  clock_getres(chosen == CLOCK_THREAD ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &found);
  return (int64_t)found.tv_sec * 1000000000 + found.tv_nsec;
}

void clock_open(enum clock_kind kind) {
  chosen = kind;
  if (chosen == CLOCK_TIMESTAMP && !has_steady_ticks()) {
    chosen = CLOCK_MONOTONIC_TIME;
  }
  struct header *header = store_header();
  header->clock = chosen;
  if (chosen == CLOCK_NONE) {
    return;
  }
  if (chosen == CLOCK_TIMESTAMP) {
    calibrate();
  }
  empty_interval(); /* the first readings find cold caches */
  int64_t begin = read_clock(CLOCK_MONOTONIC);
  interval_cost = empty_interval();
  header->read_ns = (uint64_t)(read_clock(CLOCK_MONOTONIC) - begin) / (ROUNDS + 1);
  if (chosen != CLOCK_THREAD) {
    empty_correction();
    asking_cost = empty_correction();
  }
  header->resolution_ns = (uint64_t)resolution();
  header->interval_ns = (uint64_t)interval_cost;
}
