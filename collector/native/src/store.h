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

#define STORE_MAGIC UINT64_C(0x3254414e534d564a) /* "JVMSNAT2" */

/* What a thread did when it passed from one kind of code to the other. */
enum kind {
  KIND_NATIVE,      /* bytecode called a native method */
  KIND_CALL,        /* JNI: Call...Method */
  KIND_STATIC,      /* JNI: CallStatic...Method */
  KIND_NONVIRTUAL,  /* JNI: CallNonvirtual...Method */
  KIND_NEW_OBJECT,  /* JNI: NewObject... */
  KIND_JAVA,        /* native code, or the VM for it, called a method of bytecode (SPA) */
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
  _Atomic uint64_t state; /* enum ending */
  int64_t status;         /* of the VM, if it was halted */
};

/* How the VM ended, with the numbers of the arena (collector/arena.py). */
enum ending {
  ENDING_NONE,   /* it runs, or was killed */
  ENDING_LAST,   /* its last thread ended */
  ENDING_HALTED, /* System.exit, Runtime.halt, or a signal that it handles */
};

/* Why a native method is not followed. */
enum skipping {
  SKIPPING_NONE,
  SKIPPING_REPLACED,     /* compilers replace calls of it */
  SKIPPING_RECORDER,     /* the recording itself calls it */
  SKIPPING_CONTINUATION, /* it switches stacks */
  SKIPPING_NO_ROOM,      /* no memory for its thunk */
  SKIPPING_STARTUP,      /* called while the VM starts, by whichever thread is first */
};

/* A native method that was bound to a function. The names are one after the other, each ended by
 * a zero: class, method, descriptor, library (empty: not known). */
struct method_record {
  uint64_t next;
  uint64_t number;
  uint64_t names;    /* 0: they were never learnt */
  uint64_t skipping; /* enum skipping: if any, its calls do not count, though the first were seen */
};

struct counters {
  uint64_t calls;
  uint64_t exceptions; /* calls that ended with one */
  uint64_t jni_calls;  /* of Java methods and constructors, by the method itself */
  int64_t self_ns;
};

#define CHUNK 32 /* methods; a power of two */

/* The counters of methods with successive numbers. */
struct chunk {
  uint64_t next;
  uint64_t first; /* number of the first method, a multiple of CHUNK */
  struct counters counters[CHUNK];
};

/* The counters of a method that was called in a context. */
struct call {
  uint32_t method;  /* its number, plus 1; 0: free */
  uint32_t context; /* link of a node of the calling context tree */
  struct counters counters;
};

/* Calls of a thread, in the order in which it first made them. */
struct calls {
  uint64_t next;
  struct call call[CHUNK];
};

enum thread_flags { THREAD_DAEMON = 1, THREAD_VIRTUAL = 2, THREAD_OF_VM = 4 };

struct thread_record {
  uint64_t next;
  int64_t tid; /* Thread.threadId(); 0: not known */
  _Atomic uint64_t first_chunk;
  uint64_t transitions[KINDS]; /* not of KIND_NATIVE, which are the calls of methods */
  int64_t bytecode_ns;
  int64_t native_ns;
  uint64_t name; /* ended by a zero; 0: not asked for, or not known */
  uint64_t flags;
  _Atomic uint64_t first_calls; /* those of a known context; others are in chunks */
};

/* Makes and maps the file; false if that is not possible, with errno. */
bool store_open(const char *path);

struct header *store_header(void);

/* Zeroed memory in the file; NULL if there is none left. */
void *store_allocate(size_t bytes);

/* Notes that something found no room. */
void store_lose(void);

/* Notes that the VM refused what is needed. */
void store_fail(void);

uint64_t store_offset(const void *memory);

void *store_at(uint64_t offset);

#endif
