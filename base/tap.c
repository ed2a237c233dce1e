/* The program's own recv() and accept4(); see tap.h. A thread's table has a slot for each descriptor up to
 * the highest that had a tap, so that a lookup is one comparison and one load. */
#include "base/tap.h"

#include "base/bug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TAPS_STEP = 1024 };

struct place {
    struct tap *tap; /* NULL: none */
};

static _Thread_local struct place *taps;
static _Thread_local size_t taps_n;

bool tap_on(int fd, struct tap *tap)
{
    ASSERT(fd >= 0 && tap && tap->read);
    size_t at = (size_t)fd;
    if (at >= taps_n) {
        size_t n = (at / TAPS_STEP + 1) * TAPS_STEP;
        void *more = realloc(taps, n * sizeof(*taps));
        if (!more)
            return false;
        taps = more;
        memset(taps + taps_n, 0, (n - taps_n) * sizeof(*taps));
        taps_n = n;
    }
    ASSERT(!taps[at].tap);
    taps[at].tap = tap;
    return true;
}

void tap_off(int fd)
{
    if (fd >= 0 && (size_t)fd < taps_n)
        taps[fd].tap = NULL;
}

void tap_end(void)
{
    for (size_t i = 0; i < taps_n; i++)
        ASSERT(!taps[i].tap);
    free(taps);
    taps = NULL;
    taps_n = 0;
}

/* Under a different name, because the headers of a hardened build already define an inline recv(). */
ssize_t tap_recv(int fd, void *bytes, size_t cap, int flags) __asm__("recv");

ssize_t tap_recv(int fd, void *bytes, size_t cap, int flags)
{
    if (fd < 0) {
        errno = EBADF;
        return -1;
    }
    struct tap *tap = (size_t)fd < taps_n && !(flags & MSG_PEEK) ? taps[fd].tap : NULL;
    return tap ? tap->read(tap, fd, bytes, cap) : recvfrom(fd, bytes, cap, flags, NULL, NULL);
}

static _Thread_local int accepted = -1;

int tap_accept4(int fd, struct sockaddr *peer, socklen_t *len, int flags) __asm__("accept4");

int tap_accept4(int fd, struct sockaddr *peer, socklen_t *len, int flags)
{
    accepted = (int)syscall(SYS_accept4, fd, peer, len, flags);
    return accepted;
}

int tap_accepted(void)
{
    return accepted;
}
