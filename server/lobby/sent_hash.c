/* A hash of the text last sent; see sent_hash.h. */
#include "server/lobby/sent_hash.h"

uint64_t srv_lobby_hash(const char *text)
{
    uint64_t hash = 14695981039346656037ULL;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211ULL;
    return hash ? hash : 1;
}
