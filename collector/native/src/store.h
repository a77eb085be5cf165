/* The file that counts are kept in. It is mapped, so it is whole however the VM ends, and the
 * dump reads it (io.jvmscope.probe.NativeFile, which has the same layout in its comments).
 *
 * Memory is given out in order and never taken back. Offsets are bytes from the start of the
 * file; 0 stands for none. Numbers are in the order of bytes of the machine. */
#ifndef JVMSCOPE_STORE_H
#define JVMSCOPE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_MAGIC UINT64_C(0x3154414e534d564a) /* "JVMSNAT1" */

/* What a thread did when it passed from one kind of code to the other. */
enum kind {
  KIND_NATIVE,      /* bytecode called a native method */
  KIND_CALL,        /* JNI: Call...Method */
  KIND_STATIC,      /* JNI: CallStatic...Method */
  KIND_NONVIRTUAL,  /* JNI: CallNonvirtual...Method */
  KIND_NEW_OBJECT,  /* JNI: NewObject... */
  KINDS
};

struct header {
  uint64_t magic;
  _Atomic uint64_t used;
  _Atomic uint64_t first_method;
  _Atomic uint64_t first_thread;
  uint64_t clock;         /* enum clock_kind */
  uint64_t resolution_ns; /* of the clock */
  uint64_t read_ns;       /* what reading it costs */
  uint64_t interval_ns;   /* what was taken off each interval */
  _Atomic uint64_t lost;  /* records that found no room */
  uint64_t has_failed;    /* 1: the VM refused what is needed to see all */
};

/* A native method that was bound to a function. The names are one after the other, each ended by
 * a zero: class, method, descriptor, library (empty: not known). */
struct method_record {
  uint64_t next;
  uint64_t number;
  uint64_t names;      /* 0: they were never learnt */
  uint64_t is_skipped; /* 1: its calls do not count, though some of the first were seen */
};

struct counters {
  uint64_t number; /* of the method, plus 1; 0: free */
  uint64_t calls;
  uint64_t exceptions; /* calls that ended with one */
  uint64_t jni_calls;  /* of Java methods and constructors, by the method itself */
  int64_t self_ns;
};

struct thread_record {
  uint64_t next;
  int64_t tid; /* Thread.threadId(); 0: not known */
  _Atomic uint64_t table; /* of counters, hashed by number */
  uint64_t capacity;
  uint64_t transitions[KINDS];
  int64_t bytecode_ns;
  int64_t native_ns;
};

/* Makes and maps the file; false if that is not possible, with errno. */
bool store_open(const char *path);

struct header *store_header(void);

/* Zeroed memory in the file; NULL if there is none left. */
void *store_allocate(size_t bytes);

/* Notes that the VM refused what is needed. */
void store_fail(void);

uint64_t store_offset(const void *memory);

void *store_at(uint64_t offset);

#endif
