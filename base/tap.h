/* Intercepts what arrives on a descriptor before a library reads it. libmicrohttpd and libwebsockets call
 * recv() and show a request only after parsing it. The program defines recv() in place of the C library's,
 * and passes a descriptor with a tap to that tap; all others are read as before. Reasons:
 * docs/decisions/0024-parse-http-headers-before-libmicrohttpd.md. Any thread; a tap belongs to the thread
 * that set it. */
#ifndef RUMMYD_BASE_TAP_H
#define RUMMYD_BASE_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Replaces recv() on this descriptor: same semantics as recv(2), including errno. */
struct tap {
    ssize_t (*read)(struct tap *tap, int fd, void *bytes, size_t cap);
};

/* The caller keeps the tap until tap_off. A library's MSG_PEEK bypasses it. false: out of memory. */
bool tap_on(int fd, struct tap *tap);
/* Before the descriptor is closed, because its number is soon reused. A descriptor without a tap is fine. */
void tap_off(int fd);
/* The descriptor that this thread accepted last, in any library; -1: none. libmicrohttpd asks whether to
 * accept a connection before it shows its descriptor. */
int tap_accepted(void);
/* Frees the thread's table of taps; none may be left. */
void tap_end(void);

#endif
