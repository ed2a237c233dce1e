/* A hash that replaces the text last sent. Pure, any thread. */
#ifndef RUMMYD_SERVER_LOBBY_SENT_HASH_H
#define RUMMYD_SERVER_LOBBY_SENT_HASH_H

#include <stdint.h>

/* FNV-1a of a text to send; never 0, which means that nothing was sent. */
uint64_t srv_lobby_hash(const char *text);

#endif
