/*
 * An oracle for states of fields: JVMTI's watches of reads and writes, set on all instance fields
 * that the application declares, and for objects and their allocating threads JVMTI's sampling at
 * an interval of 0. It keeps every object's accesses for ever, and writes for each field at the
 * VM's death what the tables of the probes `zeroing`, `immutability` and `sharing` say.
 *
 * A write is a constructor's if the thread has a frame of a constructor of this object. A clone is
 * reported before its header is written, with which a newer VM loses the tag; so it is found at its
 * first access, as any clone of the class that was not accessed before.
 */
#include "oracle.h"

enum { MAX_FRAMES = 4096, NOBODY = 0, SEVERAL = -1 };

typedef struct field {
  jfieldID id;
  struct class_info *owner;
  struct field *next;
  char *name;
  uint64_t read_first, written_first, mutable, read_shared, write_shared, n_objects;
} field;

typedef struct class_info {
  struct class_info *super, *next;
  field *fields;
  char *name;
} class_info;

typedef struct access {
  field *field;
  struct access *next;
  int is_written_first, is_mutable;
  jlong reader, writer; /* the number of the thread, NOBODY or SEVERAL */
} access;

typedef struct object {
  class_info *class;
  access *accesses;
  struct object *next;
  jlong allocator;
  int is_tagged;
} object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static class_info *classes;
static object *objects;
static jlong n_threads;
static uint64_t n_unborn;

static jlong tag_of(jobject of) {
  jlong tag = 0;
  CHECK((*ti)->GetTag(ti, of, &tag));
  return tag;
}

static void set_tag(jobject of, const void *to) {
  CHECK((*ti)->SetTag(ti, of, (jlong)(intptr_t)to));
}

/* The number of a thread: its tag, which no object of the application has. */
static jlong number_of(jthread thread) {
  jlong number = tag_of(thread);
  if (number != 0) return number;
  number = ++n_threads;
  CHECK((*ti)->SetTag(ti, thread, number));
  return number;
}

static class_info *class_of(jclass class) {
  return class == NULL ? NULL : (class_info *)(intptr_t)tag_of(class);
}

static void watch_field(jclass class, class_info *owner, jfieldID id) {
  char *name = NULL;
  jint modifiers = 0;
  CHECK((*ti)->GetFieldModifiers(ti, class, id, &modifiers));
  if (modifiers & 8) return; /* static */
  CHECK((*ti)->GetFieldName(ti, class, id, &name, NULL, NULL));
  field *f = must(calloc(1, sizeof *f));
  f->id = id;
  f->owner = owner;
  f->name = copy_text(name);
  f->next = owner->fields;
  owner->fields = f;
  free_ti(name);
  CHECK((*ti)->SetFieldAccessWatch(ti, class, id));
  CHECK((*ti)->SetFieldModificationWatch(ti, class, id));
}

/* Objects are reported one by one from here on, in this thread and in those that it starts. */
static void begin(JNIEnv *jni) {
  CHECK((*ti)->SetHeapSamplingInterval(ti, 0));
  for (int i = 0; i < 32; i++) {
    (*jni)->DeleteLocalRef(jni, must((*jni)->NewByteArray(jni, 1 << 20)));
  }
}

static void JNICALL on_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass class) {
  jint n = 0;
  jfieldID *ids = NULL;
  (void)env, (void)thread;
  if (loader_of(jni, class) != 'a') return;
  class_info *info = must(calloc(1, sizeof *info));
  info->name = name_of_class(class);
  pthread_mutex_lock(&lock);
  info->super = class_of((*jni)->GetSuperclass(jni, class));
  info->next = classes;
  classes = info;
  set_tag(class, info);
  CHECK((*ti)->GetClassFields(ti, class, &n, &ids));
  for (jint i = 0; i < n; i++) watch_field(class, info, ids[i]);
  free_ti(ids);
  pthread_mutex_unlock(&lock);
  if (is_main_class(class)) begin(jni);
}

static object *new_object(class_info *class, jlong allocator) {
  object *o = must(calloc(1, sizeof *o));
  *o = (object){class, NULL, objects, allocator, 0};
  return objects = o;
}

static void tag_object(jobject of, object *o) {
  set_tag(of, o);
  o->is_tagged = 1;
}

static object *untagged_object(JNIEnv *jni, jobject of) {
  class_info *class = class_of((*jni)->GetObjectClass(jni, of));
  for (object *o = objects; o != NULL; o = o->next) {
    if (o->class == class && !o->is_tagged) return o;
  }
  n_unborn++;
  return new_object(class, NOBODY);
}

static int is_cloning(jthread thread) {
  jvmtiFrameInfo top;
  jint n = 0;
  char *name = NULL;
  CHECK((*ti)->GetStackTrace(ti, thread, 0, 1, &top, &n));
  CHECK((*ti)->GetMethodName(ti, top.method, &name, NULL, NULL));
  int is = strcmp(name, "clone") == 0 && top.location == -1;
  free_ti(name);
  return is;
}

static void JNICALL on_allocation(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject made,
                                  jclass class, jlong size) {
  (void)env, (void)jni, (void)size;
  INSIDE;
  pthread_mutex_lock(&lock);
  class_info *info = class_of(class);
  if (info != NULL) {
    object *o = new_object(info, number_of(thread));
    if (!is_cloning(thread)) tag_object(made, o);
  }
  pthread_mutex_unlock(&lock);
}

static field *field_of(class_info *class, jfieldID id) {
  for (field *f = class == NULL ? NULL : class->fields; f != NULL; f = f->next) {
    if (f->id == id) return f;
  }
  fprintf(stderr, "oracle: an unknown field\n");
  _Exit(97);
}

/* The accesses to a field of an object; these are the first if *is_first is set. */
static access *access_of(JNIEnv *jni, jobject of, jclass declaring, jfieldID id, int *is_first) {
  object *o = (object *)(intptr_t)tag_of(of);
  if (o == NULL) {
    o = untagged_object(jni, of);
    tag_object(of, o);
  }
  field *f = field_of(class_of(declaring), id);
  *is_first = 0;
  for (access *a = o->accesses; a != NULL; a = a->next) {
    if (a->field == f) return a;
  }
  *is_first = 1;
  access *fresh = must(calloc(1, sizeof *fresh));
  fresh->field = f;
  fresh->next = o->accesses;
  return o->accesses = fresh;
}

static void add(jlong *threads, jlong number) {
  *threads = *threads == NOBODY || *threads == number ? number : SEVERAL;
}

static int is_constructor(jmethodID method) {
  char *name = NULL;
  CHECK((*ti)->GetMethodName(ti, method, &name, NULL, NULL));
  int is = strcmp(name, "<init>") == 0;
  free_ti(name);
  return is;
}

static int is_constructing(JNIEnv *jni, jthread thread, jobject of) {
  static jvmtiFrameInfo frames[MAX_FRAMES]; /* under the lock */
  jint n = 0;
  CHECK((*ti)->GetStackTrace(ti, thread, 0, MAX_FRAMES, frames, &n));
  for (jint i = 0; i < n; i++) {
    jobject self = NULL;
    if (!is_constructor(frames[i].method)) continue;
    CHECK((*ti)->GetLocalObject(ti, thread, i, 0, &self));
    int is = (*jni)->IsSameObject(jni, self, of);
    (*jni)->DeleteLocalRef(jni, self);
    if (is) return 1;
  }
  return 0;
}

static void JNICALL on_read(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                            jlocation location, jclass declaring, jobject of, jfieldID id) {
  int is_first;
  (void)env, (void)method, (void)location;
  INSIDE;
  pthread_mutex_lock(&lock);
  add(&access_of(jni, of, declaring, id, &is_first)->reader, number_of(thread));
  pthread_mutex_unlock(&lock);
}

static void JNICALL on_write(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                             jlocation location, jclass declaring, jobject of, jfieldID id,
                             char type, jvalue value) {
  int is_first;
  (void)env, (void)method, (void)location, (void)type, (void)value;
  INSIDE;
  pthread_mutex_lock(&lock);
  access *a = access_of(jni, of, declaring, id, &is_first);
  a->is_written_first |= is_first;
  if (!a->is_mutable) a->is_mutable = !is_constructing(jni, thread, of);
  add(&a->writer, number_of(thread));
  pthread_mutex_unlock(&lock);
}

static void add_up(const object *o) {
  for (class_info *c = o->class; c != NULL; c = c->super) {
    for (field *f = c->fields; f != NULL; f = f->next) f->n_objects++;
  }
  for (access *a = o->accesses; a != NULL; a = a->next) {
    field *f = a->field;
    f->written_first += a->is_written_first;
    f->read_first += !a->is_written_first;
    f->mutable += a->is_mutable;
    f->read_shared += a->reader == SEVERAL && a->writer == o->allocator && a->writer != NOBODY;
    f->write_shared += a->writer == SEVERAL;
  }
}

static void write_field(FILE *file, const field *f) {
  uint64_t immutable = f->read_first + f->written_first - f->mutable;
  const uint64_t numbers[] = {f->n_objects, f->read_first, f->written_first, immutable,
                              f->mutable, f->read_shared, f->write_shared};
  fprintf(file, "%s.%s", f->owner->name, f->name);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    fprintf(file, "\t%llu", (unsigned long long)numbers[i]);
  }
  fputc('\n', file);
}

static void JNICALL on_death(jvmtiEnv *env, JNIEnv *jni) {
  (void)env, (void)jni;
  be_over();
  pthread_mutex_lock(&lock);
  for (object *o = objects; o != NULL; o = o->next) add_up(o);
  FILE *file = open_output("field\tn\tread\twritten\timmutable\tmutable\tread_shared\twrite_shared");
  for (class_info *c = classes; c != NULL; c = c->next) {
    for (field *f = c->fields; f != NULL; f = f->next) write_field(file, f);
  }
  fprintf(file, "%llu objects that were not seen to be made\n", (unsigned long long)n_unborn);
  close_output(file);
  pthread_mutex_unlock(&lock);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved) {
  const jvmtiEvent events[] = {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JVMTI_EVENT_FIELD_ACCESS,
                               JVMTI_EVENT_FIELD_MODIFICATION};
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  (void)reserved;
  memset(&wanted, 0, sizeof wanted);
  memset(&callbacks, 0, sizeof callbacks);
  wanted.can_generate_sampled_object_alloc_events = 1;
  wanted.can_generate_field_access_events = 1;
  wanted.can_generate_field_modification_events = 1;
  wanted.can_access_local_variables = 1;
  wanted.can_tag_objects = 1;
  callbacks.SampledObjectAlloc = on_allocation;
  callbacks.ClassPrepare = on_prepare;
  callbacks.FieldAccess = on_read;
  callbacks.FieldModification = on_write;
  callbacks.VMDeath = on_death;
  jint attached = attach(vm, text, wanted, &callbacks);
  if (attached != JNI_OK) return attached;
  for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
    CHECK((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, events[i], NULL));
  }
  return JNI_OK;
}
