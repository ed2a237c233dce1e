/* Replaces the daemon's recv(); see guard.h. As long as whole requests arrive, the guard receives bytes in
 * the daemon's memory and checks them there, with one system call per read and without copying. */
#include "server/http/guard.h"

#include "base/bug.h"
#include "base/clock.h"
#include "server/operations/metrics.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Substitute for a rejected head. The request has no effect. */
static const char stand_in[] = "GET / HTTP/1.1\r\nHost: refused\r\nConnection: close\r\n\r\n";

enum {
    HELD_MAX = SRV_HEAD_MAX + sizeof(stand_in),
    DRAIN_MAX = 64 * 1024, /* discarded after a rejected request, because otherwise closing would reset the
                              connection and lose the response */
};

static void let_go(struct srv_http_guard *guard)
{
    if (guard->held)
        sodium_memzero(guard->held, guard->held_n); /* may contain tokens */
    free(guard->held);
    guard->held = NULL;
    guard->held_n = guard->clear_n = 0;
}

/* false: out of memory. */
static bool hold(struct srv_http_guard *guard, const char *bytes, size_t n)
{
    if (!guard->held && !(guard->held = malloc(HELD_MAX)))
        return false;
    ASSERT(n <= HELD_MAX - guard->held_n);
    if (n > 0)
        memcpy(guard->held + guard->held_n, bytes, n);
    guard->held_n += n;
    return true;
}

/* Moves cleared bytes to the daemon. */
static size_t give(struct srv_http_guard *guard, char *bytes, size_t cap)
{
    size_t n = guard->clear_n < cap ? guard->clear_n : cap;
    if (n == 0)
        return 0;
    ASSERT(guard->held && guard->clear_n <= guard->held_n);
    memcpy(bytes, guard->held, n);
    guard->held_n -= n;
    guard->clear_n -= n;
    memmove(guard->held, guard->held + n, guard->held_n);
    if (guard->held_n == 0)
        let_go(guard);
    return n;
}

/* The framing is invalid. Replaces the uncleared bytes with bytes that complete the daemon's request. */
static bool put_end(struct srv_http_guard *guard, int fd)
{
    char waste[4096];
    const char *end = guard->framing.end[0] == '\0' ? stand_in : guard->framing.end;
    srv_metric_add(METRIC_HTTP_MALFORMED, 1);
    guard->held_n = guard->clear_n;
    if (!hold(guard, end, strlen(end)))
        return false;
    guard->clear_n = guard->held_n;
    for (size_t n = 0; n < DRAIN_MAX; n += sizeof(waste))
        if (recvfrom(fd, waste, sizeof(waste), 0, NULL, NULL) <= 0)
            break;
    return true;
}

/* Resets the connection when there is no memory for its bytes. */
static ssize_t give_up(struct srv_http_guard *guard)
{
    guard->framing.phase = FRAMING_BAD;
    guard->framing.end = "";
    let_go(guard);
    errno = ECONNRESET;
    return -1;
}

/* Receives into the daemon's memory. Returns what recv() returned; *taken: bytes passed to the daemon. */
static ssize_t read_through(struct srv_http_guard *guard, int fd, char *bytes, size_t cap, size_t *taken)
{
    ssize_t came = recvfrom(fd, bytes, cap, 0, NULL, NULL);
    if (came <= 0)
        return came;
    guard->heard_ms = clock_mono_ms();
    *taken = srv_http_framing_clear(&guard->framing, bytes, (size_t)came);
    bool ok = guard->framing.phase == FRAMING_BAD
                  ? put_end(guard, fd)
                  : *taken == (size_t)came || hold(guard, bytes + *taken, (size_t)came - *taken);
    return ok ? came : give_up(guard);
}

/* Receives after the held bytes, none of which are cleared. */
static ssize_t read_behind(struct srv_http_guard *guard, int fd)
{
    ASSERT(guard->clear_n == 0 && guard->held_n < SRV_HEAD_MAX);
    ssize_t came = recvfrom(fd, guard->held + guard->held_n, SRV_HEAD_MAX - guard->held_n, 0, NULL, NULL);
    if (came <= 0)
        return came;
    guard->heard_ms = clock_mono_ms();
    guard->held_n += (size_t)came;
    guard->clear_n = srv_http_framing_clear(&guard->framing, guard->held, guard->held_n);
    return guard->framing.phase != FRAMING_BAD || put_end(guard, fd) ? came : give_up(guard);
}

/* If the daemon gets fewer bytes than requested, it waits until the socket becomes readable again.
 * Therefore, return all bytes that are available and cleared. */
static ssize_t read_guarded(struct recv_hook *hook, int fd, void *memory, size_t cap)
{
    struct srv_http_guard *guard =
        (struct srv_http_guard *)((char *)hook - offsetof(struct srv_http_guard, hook));
    char *bytes = memory;
    size_t n = 0;
    while (n < cap) {
        size_t taken = give(guard, bytes + n, cap - n), asked = cap - n;
        ssize_t came = 1;
        bool through = taken == 0 && !guard->held;
        if (taken == 0 && guard->framing.phase == FRAMING_BAD) {
            errno = EAGAIN; /* no further input is read */
            came = -1;
        } else if (through) {
            came = read_through(guard, fd, bytes + n, asked, &taken);
        } else if (taken == 0) {
            came = read_behind(guard, fd);
        }
        n += taken;
        if (came < 0 && errno == ECONNRESET)
            return came;
        if (came <= 0)
            return n > 0 ? (ssize_t)n : came;
        if (through && !guard->held && (size_t)came < asked)
            break; /* the socket is empty */
    }
    return (ssize_t)n;
}

bool srv_http_guard_begin(struct srv_http_guard *guard, int fd)
{
    *guard = (struct srv_http_guard){.hook = {.read = read_guarded}};
    srv_http_framing_begin(&guard->framing);
    return recv_hook_set(fd, &guard->hook);
}

void srv_http_guard_end(struct srv_http_guard *guard, int fd)
{
    recv_hook_clear(fd);
    let_go(guard);
}

bool srv_http_guard_awaits(const struct srv_http_guard *guard)
{
    const enum srv_http_framing_phase phase = guard->framing.phase;
    return phase != FRAMING_BAD && (phase != FRAMING_HEAD || guard->held_n > guard->clear_n);
}

bool srv_http_guard_saw(const struct srv_http_guard *guard, uint64_t n)
{
    return n < guard->framing.heads_n || srv_http_guard_refusal(guard, n);
}

const struct srv_refusal *srv_http_guard_refusal(const struct srv_http_guard *guard, uint64_t n)
{
    return srv_http_framing_refusal(&guard->framing, n);
}
