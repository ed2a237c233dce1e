/* Intercepts incoming bytes on a descriptor before a library reads them. libmicrohttpd and libwebsockets
 * call recv() and expose a request only after parsing it. The program replaces the C library's recv() with
 * its own, which calls the descriptor's hook if there is one and otherwise reads as usual. Reasons:
 * docs/decisions/0024-parse-http-headers-before-libmicrohttpd.md. Any thread; a hook belongs to the thread
 * that set it. */
#ifndef RUMMYD_BASE_RECV_HOOK_H
#define RUMMYD_BASE_RECV_HOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Replaces recv() on this descriptor: same semantics as recv(2), including errno. */
struct recv_hook {
    ssize_t (*read)(struct recv_hook *hook, int fd, void *bytes, size_t cap);
};

/* The hook must remain valid until recv_hook_clear. A library's MSG_PEEK bypasses it. false: out of
 * memory. */
bool recv_hook_set(int fd, struct recv_hook *hook);
/* Call this before the descriptor is closed, because its number is soon reused. A descriptor without a hook
 * is fine. */
void recv_hook_clear(int fd);
/* The descriptor that this thread accepted last, in any library; -1: none. libmicrohttpd calls its accept
 * policy before it exposes the descriptor. */
int recv_hook_accepted(void);
/* Frees the thread's table of hooks; none may be left. */
void recv_hook_free(void);

#endif
