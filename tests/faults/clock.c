/* Intercepts calls from a program to the C library (LD_PRELOAD): a wall clock that a test moves forward and
 * back, and a monotonic clock that it moves forward, so that no test waits for the end of a turn. The
 * offsets in seconds are two 64-bit numbers in the file RUMMY_TEST_CLOCK. A thread that waits until a time
 * of the monotonic clock does not wait longer because of the offset. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WALL, MONOTONIC, CLOCKS };

static const volatile int64_t *off_s;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("RUMMY_TEST_CLOCK");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *at = fd >= 0 ? mmap(NULL, CLOCKS * sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (at != MAP_FAILED)
        off_s = at;
    if (fd >= 0)
        (void)close(fd);
}

int clock_gettime(clockid_t id, struct timespec *time)
{
    int result = (int)syscall(SYS_clock_gettime, id, time);
    if (result == 0 && off_s && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
        time->tv_sec += off_s[WALL];
    if (result == 0 && off_s && (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE))
        time->tv_sec += off_s[MONOTONIC];
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return result;
}

time_t time(time_t *at)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}

/* The kernel's clock was not changed. All condition variables of the program use the monotonic one. */
int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict lock,
                           const struct timespec *restrict until)
{
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    struct timespec real = *until;
    if (!wait)
        *(void **)&wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    if (off_s)
        real.tv_sec -= off_s[MONOTONIC];
    return wait(cond, lock, &real);
}
