/* The file of the objects that no bytecode made. It is mapped, so it is whole however the VM ends;
 * the dump reads it (io.jvmscope.probe.UnseenFile, which has the same layout).
 *
 * Behind the header is a record for each maker and type, one after the other, never moved. */
#ifndef JVMSCOPE_UNSEEN_FILE_H
#define JVMSCOPE_UNSEEN_FILE_H

#include <stdbool.h>
#include <stdint.h>

#define UNSEEN_MAGIC UINT64_C(0x31534e55534d564a) /* "JVMSUNS1" */

enum maker {
  MAKER_JNI, /* a function of JNI, called by native code */
  MAKER_VM,  /* the VM, in a native method of the class library */
};

struct unseen_header {
  uint64_t magic;
  _Atomic uint64_t used; /* bytes of the file with whole records */
  _Atomic uint64_t lost; /* objects whose type found no room */
};

struct unseen_record {
  _Atomic uint64_t n_objects;
  uint32_t maker;
  uint32_t length; /* bytes of the type, without the zero at its end */
  char type[];     /* a class's name, or an array's descriptor; padded to 8 bytes */
};

/* Makes and maps the file; false if that is not possible. */
bool unseen_file_open(const char *path);

/* Counts an object. */
void unseen_file_add(enum maker maker, const char *type);

/* Takes off an object that was counted, if there is one. */
void unseen_file_remove(enum maker maker, const char *type);

#endif
