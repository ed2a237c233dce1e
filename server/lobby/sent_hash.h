/* Remembers what was sent last without keeping it. Pure, any thread. */
#ifndef RUMMYD_SERVER_LOBBY_SENT_HASH_H
#define RUMMYD_SERVER_LOBBY_SENT_HASH_H

#include <stdint.h>

/* FNV-1a of a text to be sent; never 0, which means none. */
uint64_t srv_lobby_hash(const char *text);

#endif
