#include "paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PID "%{pid}"

char *path_of_vm(const char *pattern) {
  const char *place = strstr(pattern, PID);
  if (place == NULL) {
    return strdup(pattern);
  }
  char *path = NULL;
  int length = (int)(place - pattern);
  if (asprintf(&path, "%.*s%d%s", length, pattern, (int)getpid(), place + strlen(PID)) < 0) {
    return NULL;
  }
  for (char *slash = strchr(path + length, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    mkdir(path, 0777); /* what is wrong is told when the file is opened */
    *slash = '/';
  }
  return path;
}
