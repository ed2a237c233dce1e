/* Which bytes of a connection belong to which request: heads (server/head.h), bodies of a length, chunks.
 * Heads and the lines between chunks are cleared only as a whole, so that the daemon never has half of what
 * is refused. What RFC 9112 leaves open about chunks is refused: extensions, trailers, other line ends than
 * CR LF. Heads are rewritten as server/head.h says. Pure, any thread. */
#ifndef RUMMYD_SERVER_HTTP_FRAMING_H
#define RUMMYD_SERVER_HTTP_FRAMING_H

#include "server/head.h"

enum srv_http_framing_phase {
    FRAMING_HEAD,
    FRAMING_BODY,       /* of a length: `left` bytes */
    FRAMING_CHUNK_LINE, /* the size of a chunk; of the last one with the end behind it */
    FRAMING_CHUNK,      /* `left` bytes */
    FRAMING_CHUNK_END,  /* CR LF */
    FRAMING_BAD,
};

struct srv_http_framing {
    enum srv_http_framing_phase phase;
    uint64_t left;
    uint64_t heads_n;     /* cleared */
    struct srv_head head; /* in FRAMING_HEAD: the one that is coming in */
    const char *end;      /* FRAMING_BAD: what ends the request that is with the daemon, "" for a head */
};

void srv_http_framing_begin(struct srv_http_framing *framing);
/* bytes: n of them, those that follow the last cleared one. Returns how many of them are cleared; the others
 * are to be shown again, with more behind them, unless the phase is FRAMING_BAD: then nothing behind them is
 * ever read. What has not been cleared is never longer than SRV_HEAD_MAX. */
size_t srv_http_framing_clear(struct srv_http_framing *framing, char *bytes, size_t n);
/* Why request number n, from 0 on, is refused; NULL: it is not. */
const struct srv_refusal *srv_http_framing_refusal(const struct srv_http_framing *framing, uint64_t n);

#endif
