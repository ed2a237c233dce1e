/* A look at what arrives on a descriptor before a library does. libmicrohttpd and libwebsockets read with
 * recv() and show a request only when they have taken it apart; the program's own recv() stands before that
 * of the C library and gives a descriptor with a tap to that (docs/decisions/0024-heads-are-read-twice.md has
 * the reasons). Every other descriptor is read as ever. Any thread; a tap belongs to the thread that set it.
 */
#ifndef RUMMYD_BASE_TAP_H
#define RUMMYD_BASE_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What recv() is on this descriptor: as recv(2) says, errno included. */
struct tap {
    ssize_t (*read)(struct tap *tap, int fd, void *bytes, size_t cap);
};

/* The caller keeps the tap until tap_off. A library that peeks is not given to it. false: memory is short. */
bool tap_on(int fd, struct tap *tap);
/* Before the descriptor is closed: its number is soon somebody else's. One without a tap is no fault. */
void tap_off(int fd);
/* The descriptor that this thread accepted last, whichever library did; -1: none. libmicrohttpd asks whether
 * a connection may come in before it shows its descriptor. */
int tap_accepted(void);
/* Frees what the thread keeps for its taps; none may be left. */
void tap_end(void);

#endif
