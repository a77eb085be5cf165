/* Each function is a stub in a page of code, which loads its method from the page behind it; so
 * no page can be written and executed at once. */
#include "thunk.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096u
#define STUB 16u
#define STUBS (PAGE / STUB)

struct pool {
  unsigned char code[PAGE];
  struct method *methods[STUBS];
  void (*common)(void);
  struct pool *next;
};

extern void thunk_common(void);

static struct pool *pools; /* the newest first */
static unsigned used = STUBS;

/* At `at`, an instruction of the opcode's three or two bytes reads memory at `data`. */
static unsigned char *put(unsigned char *at, const char *opcode, const void *data) {
  size_t length = strlen(opcode);
  memcpy(at, opcode, length);
  unsigned char *end = at + length + 4;
  int32_t distance = (int32_t)((const unsigned char *)data - end);
  memcpy(at + length, &distance, sizeof distance);
  return end;
}

static struct pool *new_pool(void) {
  size_t bytes = (sizeof(struct pool) + PAGE - 1) / PAGE * PAGE;
  struct pool *pool =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pool == MAP_FAILED) {
    return NULL;
  }
  for (unsigned i = 0; i < STUBS; i++) {
    unsigned char *at = pool->code + i * STUB;
    at = put(at, "\x4c\x8b\x1d", &pool->methods[i]); /* mov methods[i](%rip), %r11 */
    put(at, "\xff\x25", &pool->common);              /* jmp *common(%rip) */
  }
  pool->common = thunk_common;
  if (mprotect(pool->code, PAGE, PROT_READ | PROT_EXEC) != 0) {
    munmap(pool, bytes);
    return NULL;
  }
  pool->next = pools;
  return pool;
}

void *thunk_of(struct method *method) {
  if (used == STUBS) {
    struct pool *pool = new_pool();
    if (pool == NULL) {
      return NULL;
    }
    pools = pool;
    used = 0;
  }
  pools->methods[used] = method;
  return pools->code + STUB * used++;
}

bool thunk_is(const void *function) {
  uintptr_t at = (uintptr_t)function;
  for (struct pool *pool = pools; pool != NULL; pool = pool->next) {
    uintptr_t start = (uintptr_t)pool->code;
    if (at >= start && at < start + PAGE) {
      return true;
    }
  }
  return false;
}
