#include "contexts.h"

#include <stddef.h>

#define ARENA "jdk/internal/perf/Arena"

/* As in ArenaLayout and Arena. */
#define TOP 24
#define PARENT 8
#define EMPTY 512
#define FIRST_NODE 1314832
#define BOOT_BYTES 268435456
#define FIRST_LINK (FIRST_NODE >> 3)

bool contexts_are_known;

static const struct JNINativeInterface_ *jni;
static jfieldID slot_field;
static jclass arena_class;
static jfieldID base_field;
static uintptr_t boot_base; /* where the arena was before it moved into its file */
static _Atomic uintptr_t base;

static jfieldID static_long(JNIEnv *env, jclass type, const char *name) {
  return jni->GetStaticFieldID(env, type, name, "J");
}

void contexts_can_be_told(JNIEnv *env, const struct JNINativeInterface_ *functions) {
  if (contexts_are_known) { /* the library is loaded for objects, too */
    return;
  }
  jni = functions;
  jclass thread_class = jni->FindClass(env, "java/lang/Thread");
  slot_field = jni->GetFieldID(env, thread_class, "jvmscope$slot", "J");
  jni->DeleteLocalRef(env, thread_class);
  jclass found = slot_field == NULL ? NULL : jni->FindClass(env, ARENA);
  if (found == NULL) {
    jni->ExceptionClear(env); /* recorded without calls */
    return;
  }
  arena_class = jni->NewGlobalRef(env, found);
  base_field = static_long(env, found, "base");
  boot_base = (uintptr_t)jni->GetStaticLongField(env, found, static_long(env, found, "BOOT_BASE"));
  base = boot_base;
  jni->DeleteLocalRef(env, found);
  contexts_are_known = true;
}

static uint32_t int_at(uint64_t distance) {
  return __atomic_load_n((const uint32_t *)(base + distance), __ATOMIC_RELAXED);
}

static uint64_t used_bytes(void) {
  return __atomic_load_n((const uint64_t *)(base + TOP), __ATOMIC_RELAXED);
}

/* The distance of a slot from the arena's start. A slot of a frame that is older than the arena's
 * move lies as far from the old start. */
static uint64_t distance_of(JNIEnv *env, jobject thread) {
  uintptr_t slot = (uintptr_t)jni->GetLongField(env, thread, slot_field);
  uint64_t distance = slot - boot_base;
  if (distance >= BOOT_BYTES) {
    if (base == boot_base) { /* it has not moved, as far as is known here */
      base = (uintptr_t)jni->GetStaticLongField(env, arena_class, base_field);
    }
    distance = slot - base;
  }
  return distance;
}

uint32_t contexts_find(JNIEnv *env, jobject thread) {
  uint64_t distance = distance_of(env, thread);
  if (distance < FIRST_NODE || distance >= used_bytes()) {
    return 0;
  }
  uint32_t link = int_at(distance);
  return link < FIRST_LINK ? (uint32_t)((distance + 4 * (uint64_t)(link - EMPTY + 1)) >> 3)
                           : int_at(((uint64_t)link << 3) + PARENT);
}

bool contexts_is_paused(JNIEnv *env, jobject thread) {
  return distance_of(env, thread) < FIRST_NODE;
}
