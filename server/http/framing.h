/* Which bytes of a connection belong to which request: heads (server/edge/head.h), bodies with a length,
 * chunks. Heads, and the lines between chunks, are cleared only when complete, so that the daemon never gets
 * half of something that is rejected. Optional parts of chunked coding in RFC 9112 are rejected: extensions,
 * trailers, line ends other than CR LF. Heads are rewritten as described in server/edge/head.h. Pure, any
 * thread. */
#ifndef RUMMYD_SERVER_HTTP_FRAMING_H
#define RUMMYD_SERVER_HTTP_FRAMING_H

#include "server/edge/head.h"

enum srv_http_framing_phase {
    FRAMING_HEAD,
    FRAMING_BODY,       /* body with a length: `left` bytes */
    FRAMING_CHUNK_LINE, /* the size of a chunk; for the last one including the final CR LF */
    FRAMING_CHUNK,      /* `left` bytes */
    FRAMING_CHUNK_END,  /* CR LF */
    FRAMING_BAD,
};

struct srv_http_framing {
    enum srv_http_framing_phase phase;
    uint64_t left;
    uint64_t heads_n;     /* cleared */
    struct srv_head head; /* in FRAMING_HEAD: the head being received */
    const char *end; /* FRAMING_BAD: what terminates the request that the daemon has begun, "" for a head */
};

void srv_http_framing_begin(struct srv_http_framing *framing);
/* bytes: n of them, following the last cleared one. Returns how many of them are cleared; pass the rest again
 * with more bytes appended, unless the phase is FRAMING_BAD: then nothing after them is ever read. The
 * uncleared rest is never longer than SRV_HEAD_MAX. */
size_t srv_http_framing_clear(struct srv_http_framing *framing, char *bytes, size_t n);
/* Why request number n, from 0 on, is rejected; NULL: it is not. */
const struct srv_refusal *srv_http_framing_refusal(const struct srv_http_framing *framing, uint64_t n);

#endif
