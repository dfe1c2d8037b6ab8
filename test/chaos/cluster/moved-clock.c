// A library (LD_PRELOAD) that moves the wall clock of a process by the seconds in a file: 8 bytes, which may change at any
// time. libfaketime does the same behind a lock, which makes a busy MongoDB too slow to be used.
// What measures durations does not move. Waits until a wall time end when the moved clock says so.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const volatile int64_t none = 0;
static const volatile int64_t *seconds = &none;

__attribute__((constructor)) static void map_file(void) {
  const char *file = getenv("MOVED_CLOCK");
  int fd = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) seconds = mapped;
}

#define REAL(name, type)                              \
  static type real;                                   \
  if (real == NULL) real = (type)dlsym(RTLD_NEXT, name)

typedef int (*get_time)(clockid_t, struct timespec *);
typedef int (*timed_wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
typedef int (*clock_wait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL("clock_gettime", get_time);
  int result = real(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *seconds;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now != NULL) *now = precise.tv_sec;
  return precise.tv_sec;
}

// Times of the clock that measures durations are seconds since the start of the machine.
static const time_t WALL_TIMES = 1000000000;

static struct timespec unmoved(const struct timespec *until) {
  struct timespec time = *until;
  if (time.tv_sec > WALL_TIMES) time.tv_sec -= *seconds;
  return time;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  // Without a version, x86-64 gives one that does not fit the conditions of today.
  static timed_wait real;
  if (real == NULL) real = (timed_wait)dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (real == NULL) real = (timed_wait)dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec time = unmoved(until);
  return real(condition, mutex, &time);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  REAL("pthread_cond_clockwait", clock_wait);
  struct timespec time = unmoved(until);
  return real(condition, mutex, clock, &time);
}
