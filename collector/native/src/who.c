#include "who.h"

#include <string.h>

#define CARRIER "Ljdk/internal/misc/CarrierThread;"

static jvmtiEnv *tool;
static const struct JNINativeInterface_ *jni;
static jfieldID tid_field; /* NULL: the VM cannot tell yet */
static bool has_names;

void who_open(jvmtiEnv *jvmti, bool with_names) {
  tool = jvmti;
  has_names = with_names;
}

void who_can_be_told(JNIEnv *env, const struct JNINativeInterface_ *functions) {
  jni = functions;
  jclass thread_class = jni->FindClass(env, "java/lang/Thread");
  tid_field = jni->GetFieldID(env, thread_class, "tid", "J");
  jni->DeleteLocalRef(env, thread_class);
}

bool who_is_told(void) { return tid_field != NULL; }

/* Does a thread carry virtual ones? It is asked by name: to find the class would initialise it. */
static bool is_of_carriers(JNIEnv *env, jthread thread) {
  char *name = NULL;
  jclass type = jni->GetObjectClass(env, thread);
  bool is_carrier = (*tool)->GetClassSignature(tool, type, &name, NULL) == JVMTI_ERROR_NONE &&
                    strcmp(name, CARRIER) == 0;
  (*tool)->Deallocate(tool, (unsigned char *)name);
  jni->DeleteLocalRef(env, type);
  return is_carrier;
}

int64_t who_runs(JNIEnv *env, bool *is_carrier) {
  jthread current = NULL;
  if (tid_field == NULL || (*tool)->GetCurrentThread(tool, &current) != JVMTI_ERROR_NONE ||
      current == NULL) {
    return 0;
  }
  int64_t tid = jni->GetLongField(env, current, tid_field);
  if (is_carrier != NULL) {
    *is_carrier = is_of_carriers(env, current);
  }
  jni->DeleteLocalRef(env, current);
  return tid;
}

jobject who_is_it(JNIEnv *env) {
  jthread current = NULL;
  if (tid_field == NULL || (*tool)->GetCurrentThread(tool, &current) != JVMTI_ERROR_NONE ||
      current == NULL) {
    return NULL;
  }
  jobject reference = jni->NewGlobalRef(env, current);
  jni->DeleteLocalRef(env, current);
  return reference;
}

/* Is a group one of the VM's own: the top one, or one beside that of `main`? The rule is that of
 * the recording of calls (ThreadDescription). */
static bool is_of_vm(JNIEnv *env, jthreadGroup group) {
  jvmtiThreadGroupInfo info;
  if (group == NULL || (*tool)->GetThreadGroupInfo(tool, group, &info) != JVMTI_ERROR_NONE) {
    return false;
  }
  bool is_main = strcmp(info.name, "main") == 0;
  (*tool)->Deallocate(tool, (unsigned char *)info.name);
  bool is_top = info.parent == NULL;
  bool is_below = false;
  if (!is_top) {
    jvmtiThreadGroupInfo above;
    if ((*tool)->GetThreadGroupInfo(tool, info.parent, &above) == JVMTI_ERROR_NONE) {
      is_below = above.parent == NULL;
      (*tool)->Deallocate(tool, (unsigned char *)above.name);
      jni->DeleteLocalRef(env, above.parent);
    }
    jni->DeleteLocalRef(env, info.parent);
  }
  return is_top || (is_below && !is_main);
}

static void note_name(struct thread_record *record, const char *name) {
  if (record->name != 0 && strcmp(store_at(record->name), name) == 0) {
    return;
  }
  size_t bytes = strlen(name) + 1;
  char *kept = store_allocate(bytes);
  if (kept != NULL) {
    memcpy(kept, name, bytes);
    record->name = store_offset(kept);
  }
}

static void describe(JNIEnv *env, jthread thread, struct thread_record *record, bool is_virtual) {
  jvmtiThreadInfo info;
  if ((*tool)->GetThreadInfo(tool, thread, &info) != JVMTI_ERROR_NONE) {
    return;
  }
  if (info.name != NULL) {
    note_name(record, info.name);
  }
  uint64_t flags = is_virtual ? THREAD_VIRTUAL : info.is_daemon ? THREAD_DAEMON : 0;
  bool is_own = !is_virtual && is_of_vm(env, info.thread_group);
  record->flags = flags | (is_own ? THREAD_OF_VM : 0);
  (*tool)->Deallocate(tool, (unsigned char *)info.name);
  jni->DeleteLocalRef(env, info.thread_group);
  jni->DeleteLocalRef(env, info.context_class_loader);
}

void who_describe(JNIEnv *env, struct thread_record *record, bool is_virtual) {
  jthread current = NULL;
  if (!has_names || tid_field == NULL ||
      (*tool)->GetCurrentThread(tool, &current) != JVMTI_ERROR_NONE || current == NULL) {
    return;
  }
  describe(env, current, record, is_virtual);
  jni->DeleteLocalRef(env, current);
}

/* Describes the records of a thread that has not ended. */
static void describe_known(JNIEnv *env, jthread thread) {
  int64_t tid = jni->GetLongField(env, thread, tid_field);
  uint64_t at = atomic_load(&store_header()->first_thread);
  while (at != 0) {
    struct thread_record *record = store_at(at);
    if (record->tid == tid) {
      describe(env, thread, record, false);
    }
    at = record->next;
  }
}

void who_describe_all(JNIEnv *env) {
  jint count = 0;
  jthread *threads = NULL;
  if (!has_names || tid_field == NULL ||
      (*tool)->GetAllThreads(tool, &count, &threads) != JVMTI_ERROR_NONE) {
    return;
  }
  for (jint i = 0; i < count; i++) {
    describe_known(env, threads[i]);
    jni->DeleteLocalRef(env, threads[i]);
  }
  (*tool)->Deallocate(tool, (unsigned char *)threads);
}
