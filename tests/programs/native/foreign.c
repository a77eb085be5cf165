/* The library of Foreign.java: it knows nothing of Java. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

typedef int (*function)(int);

struct pair {
  long first;
  long second;
};

int twice(int value) { return 2 * value; }

int first(const int *values) { return values[0]; }

int down(function up, int depth) { return up(depth); }

int times(function called, int count) {
  int value = 0;
  for (int i = 0; i < count; i++) {
    value = called(value);
  }
  return value;
}

struct pair swapped(struct pair given) {
  struct pair result = {given.second, given.first};
  return result;
}

int failing(void) {
  errno = EDOM;
  return -1;
}

static void *call(void *called) {
  ((function)called)(1);
  return NULL;
}

void started(void *called, int count) {
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, call, called);
    pthread_join(thread, NULL);
  }
}
