#include "callers.h"

#include <link.h>
#include <stdint.h>
#include <string.h>

static uintptr_t agents_begin; /* the addresses of java.instrument's library */
static uintptr_t agents_end;

static int find_agents(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  if (strstr(info->dlpi_name, "/libinstrument.so") == NULL) {
    return 0;
  }
  agents_begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > agents_end) {
      agents_end = end;
    }
  }
  return 1;
}

void callers_find_agents(void) { dl_iterate_phdr(find_agents, NULL); }

bool callers_is_program(const void *address) {
  uintptr_t at = (uintptr_t)address;
  return at < agents_begin || at >= agents_end;
}
