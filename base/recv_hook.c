/* The program's own recv() and accept4(); see recv_hook.h. A thread's table has a slot for each descriptor
 * up to the highest one that ever had a hook, so that a lookup is one comparison and one load. */
#include "base/recv_hook.h"

#include "base/bug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HOOKS_STEP = 1024 };

struct place {
    struct recv_hook *hook; /* NULL: none */
};

static _Thread_local struct place *hooks;
static _Thread_local size_t hooks_n;

bool recv_hook_set(int fd, struct recv_hook *hook)
{
    ASSERT(fd >= 0 && hook && hook->read);
    size_t at = (size_t)fd;
    if (at >= hooks_n) {
        size_t n = (at / HOOKS_STEP + 1) * HOOKS_STEP;
        void *more = realloc(hooks, n * sizeof(*hooks));
        if (!more)
            return false;
        hooks = more;
        memset(hooks + hooks_n, 0, (n - hooks_n) * sizeof(*hooks));
        hooks_n = n;
    }
    ASSERT(!hooks[at].hook);
    hooks[at].hook = hook;
    return true;
}

void recv_hook_clear(int fd)
{
    if (fd >= 0 && (size_t)fd < hooks_n)
        hooks[fd].hook = NULL;
}

void recv_hook_free(void)
{
    for (size_t i = 0; i < hooks_n; i++)
        ASSERT(!hooks[i].hook);
    free(hooks);
    hooks = NULL;
    hooks_n = 0;
}

/* Has a different name in C, because the headers of a hardened build already define an inline recv(). */
ssize_t hooked_recv(int fd, void *bytes, size_t cap, int flags) __asm__("recv");

ssize_t hooked_recv(int fd, void *bytes, size_t cap, int flags)
{
    if (fd < 0) {
        errno = EBADF;
        return -1;
    }
    struct recv_hook *hook = (size_t)fd < hooks_n && !(flags & MSG_PEEK) ? hooks[fd].hook : NULL;
    return hook ? hook->read(hook, fd, bytes, cap) : recvfrom(fd, bytes, cap, flags, NULL, NULL);
}

static _Thread_local int accepted = -1;

int hooked_accept4(int fd, struct sockaddr *peer, socklen_t *len, int flags) __asm__("accept4");

int hooked_accept4(int fd, struct sockaddr *peer, socklen_t *len, int flags)
{
    accepted = (int)syscall(SYS_accept4, fd, peer, len, flags);
    return accepted;
}

int recv_hook_accepted(void)
{
    return accepted;
}
