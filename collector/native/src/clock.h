/* The processor time of a thread. */
#ifndef JVMSCOPE_CLOCK_H
#define JVMSCOPE_CLOCK_H

#include <stdint.h>

enum clock_kind {
  CLOCK_NONE,      /* times are not wanted */
  CLOCK_THREAD,    /* CLOCK_THREAD_CPUTIME_ID: what the scheduler charges the thread */
  CLOCK_TIMESTAMP, /* the processor's time-stamp counter; long intervals as the scheduler says */
  CLOCK_MONOTONIC_TIME, /* the same with CLOCK_MONOTONIC, where there is no such counter */
  CLOCK_KINDS
};

/* Measures one thread, interval by interval. */
struct watch {
  uint64_t stamp;     /* when the interval began */
  int64_t charged_ns; /* what the scheduler had charged the thread when it was asked last */
  int64_t given_ns;   /* what the intervals since then took by the stamps */
};

/* The kind of a name; CLOCK_KINDS: there is none. */
enum clock_kind clock_named(const char *name);

/* Chooses the clock, and notes in the file what it is like. */
void clock_open(enum clock_kind kind);

/* Begins to measure the current thread. */
void clock_start(struct watch *watch);

/* Processor time of the current thread since the last call, or the start, in nanoseconds,
 * without the cost of measuring; 0 without a clock. */
int64_t clock_lap(struct watch *watch);

#endif
