/* The native side of Share.java: the loop, and what each thread knows of its own times. The
 * system's charge for all of a thread is read when the system ends it, after the VM has. */
#include <inttypes.h>
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define THREADS 16
#define TRIAL 2000000

/* One kind of code in a thread. */
struct side {
  int64_t measured_ns;
  int64_t measured; /* iterations of the loop that took this time */
  int64_t others;   /* those that were not measured */
};

struct account {
  struct side native, bytecode;
  int64_t begin_ns; /* of what is measured now */
  int64_t nap_ns;
  int64_t total_ns;
  int64_t n_native; /* calls of native methods */
  int64_t n_jni;
  int has_ended;
};

static struct account accounts[THREADS];
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;

static int64_t thread_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void loop(int64_t iterations) {
  static _Thread_local volatile uint64_t sink;
  uint64_t x = sink | 1;
  for (int64_t i = 0; i < iterations; i++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  sink = x;
}

/* The account of the current thread; a native method of it has been called. */
static struct account *called(void) {
  struct account *account = pthread_getspecific(key);
  account->n_native++;
  return account;
}

static void end(void *account) {
  pthread_mutex_lock(&lock);
  ((struct account *)account)->total_ns = thread_ns();
  ((struct account *)account)->has_ended = 1;
  pthread_cond_broadcast(&ended);
  pthread_mutex_unlock(&lock);
}

static int64_t time_of(const struct side *side) {
  double each = (double)side->measured_ns / (double)side->measured;
  return side->measured_ns + (int64_t)(each * (double)side->others);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  (void)vm, (void)reserved;
  return pthread_key_create(&key, end) == 0 ? JNI_VERSION_10 : JNI_ERR;
}

JNIEXPORT void JNICALL Java_Share_begin(JNIEnv *env, jclass type, jint index) {
  (void)env, (void)type;
  pthread_setspecific(key, &accounts[index]);
  called();
}

JNIEXPORT void JNICALL Java_Share_measured(JNIEnv *env, jclass type, jlong iterations) {
  (void)env, (void)type;
  struct account *account = called();
  int64_t begin = thread_ns();
  loop(iterations);
  account->native.measured_ns += thread_ns() - begin;
  account->native.measured += iterations;
}

JNIEXPORT void JNICALL Java_Share_spin(JNIEnv *env, jclass type, jlong iterations) {
  (void)env, (void)type;
  loop(iterations);
  called()->native.others += iterations;
}

JNIEXPORT void JNICALL Java_Share_call(JNIEnv *env, jclass type, jlong pieces, jlong in_native,
                                       jlong in_bytecode) {
  struct account *account = called();
  jmethodID work = (*env)->GetStaticMethodID(env, type, "work", "(J)V");
  for (jlong i = 0; i < pieces; i++) {
    loop(in_native);
    (*env)->CallStaticVoidMethod(env, type, work, in_bytecode);
  }
  account->native.others += pieces * in_native;
  account->n_jni += pieces;
}

JNIEXPORT void JNICALL Java_Share_nap(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  struct account *account = called();
  struct timespec length = {0, 1000000};
  int64_t begin = thread_ns();
  nanosleep(&length, NULL);
  account->nap_ns += thread_ns() - begin;
}

JNIEXPORT void JNICALL Java_Share_startBytecode(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  called()->begin_ns = thread_ns();
}

JNIEXPORT void JNICALL Java_Share_endBytecode(JNIEnv *env, jclass type, jlong iterations) {
  (void)env, (void)type;
  int64_t now = thread_ns();
  struct account *account = called();
  account->bytecode.measured_ns += now - account->begin_ns;
  account->bytecode.measured += iterations;
}

JNIEXPORT void JNICALL Java_Share_end(JNIEnv *env, jclass type, jlong iterations) {
  (void)env, (void)type;
  called()->bytecode.others = iterations;
}

JNIEXPORT jlong JNICALL Java_Share_iterationsPerMs(JNIEnv *env, jclass type) {
  (void)env, (void)type;
  loop(TRIAL);
  int64_t begin = thread_ns();
  loop(TRIAL);
  return TRIAL * INT64_C(1000000) / (thread_ns() - begin);
}

JNIEXPORT jstring JNICALL Java_Share_result(JNIEnv *env, jclass type, jint index) {
  (void)type;
  struct account *account = &accounts[index];
  pthread_mutex_lock(&lock);
  while (!account->has_ended) {
    pthread_cond_wait(&ended, &lock);
  }
  pthread_mutex_unlock(&lock);
  char text[160];
  snprintf(text, sizeof text, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRId64,
           time_of(&account->native) + account->nap_ns, time_of(&account->bytecode),
           account->total_ns, account->n_native, account->n_jni);
  return (*env)->NewStringUTF(env, text);
}
