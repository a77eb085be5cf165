/* The processor time of a thread. */
#ifndef JVMSCOPE_CLOCK_H
#define JVMSCOPE_CLOCK_H

#include <stdint.h>

enum clock_kind {
  CLOCK_NONE,  /* times are not wanted */
  CLOCK_THREAD /* CLOCK_THREAD_CPUTIME_ID: what the scheduler charges the thread */
};

/* Chooses the clock, and notes in the file what it is like. */
void clock_open(enum clock_kind kind);

/* Processor time of the current thread in nanoseconds; 0 without a clock. */
int64_t clock_now(void);

/* What an interval between two readings is longer by, because it is measured. */
int64_t clock_interval_cost(void);

#endif
