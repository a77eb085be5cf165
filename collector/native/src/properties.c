#include "properties.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a character of UTF-8, or a unit of the VM's form of it; a byte that begins none is one. */
static uint32_t next_character(const unsigned char **at) {
  static const struct {
    unsigned char mask, lead, bits;
    int more;
  } forms[] = {{0xe0, 0xc0, 0x1f, 1}, {0xf0, 0xe0, 0x0f, 2}, {0xf8, 0xf0, 0x07, 3}};
  const unsigned char *begin = (*at)++;
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    if ((*begin & forms[i].mask) == forms[i].lead) {
      uint32_t character = *begin & forms[i].bits;
      int k = 1;
      while (k <= forms[i].more && (begin[k] & 0xc0) == 0x80) {
        character = character << 6 | (begin[k++] & 0x3f);
      }
      if (k > forms[i].more) {
        *at = begin + k;
        return character;
      }
    }
  }
  return *begin;
}

static void write_escaped(FILE *file, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  while (*at != '\0') {
    uint32_t character = next_character(&at);
    if (character > 0xffff) {
      character -= 0x10000;
      fprintf(file, "\\u%04x\\u%04x", 0xd800 | character >> 10, 0xdc00 | (character & 0x3ff));
    } else if (character < ' ' || character > '~') {
      fprintf(file, "\\u%04x", character);
    } else {
      fprintf(file, strchr("\\ =:#!", (int)character) != NULL ? "\\%c" : "%c", (int)character);
    }
  }
}

static void write_entry(FILE *file, const char *name, const char *value) {
  write_escaped(file, name);
  fputc('=', file);
  write_escaped(file, value);
  fputc('\n', file);
}

/* The class library would set it. */
static void write_directory(FILE *file) {
  char *directory = getcwd(NULL, 0);
  if (directory != NULL) {
    write_entry(file, "user.dir", directory);
  }
  free(directory);
}

bool properties_write(jvmtiEnv *jvmti, const char *path) {
  jint count = 0;
  char **names = NULL;
  FILE *file = fopen(path, "we");
  if (file == NULL || (*jvmti)->GetSystemProperties(jvmti, &count, &names) != JVMTI_ERROR_NONE) {
    return file != NULL && fclose(file) == 0;
  }
  for (jint i = 0; i < count; i++) {
    char *value = NULL;
    if ((*jvmti)->GetSystemProperty(jvmti, names[i], &value) == JVMTI_ERROR_NONE) {
      write_entry(file, names[i], value);
      (*jvmti)->Deallocate(jvmti, (unsigned char *)value);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)names[i]);
  }
  (*jvmti)->Deallocate(jvmti, (unsigned char *)names);
  write_directory(file);
  return fclose(file) == 0;
}
