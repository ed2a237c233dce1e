/* Splits the bytes of a connection into heads (server/edge/head.h), bodies with a length, and chunks, and
 * clears them for the daemon. Heads and the lines between chunks are cleared only when complete, so that
 * the daemon never gets a part of something that is then rejected. Optional parts of chunked coding in RFC
 * 9112 are rejected: extensions, trailers, and line ends other than CR LF. Heads are rewritten as described
 * in server/edge/head.h. Pure, any thread. */
#ifndef RUMMYD_SERVER_HTTP_FRAMING_H
#define RUMMYD_SERVER_HTTP_FRAMING_H

#include "server/edge/head.h"

enum srv_http_framing_phase {
    FRAMING_HEAD,
    FRAMING_BODY,       /* body with a length: `left` bytes */
    FRAMING_CHUNK_LINE, /* the size of a chunk; the last one includes the final CR LF */
    FRAMING_CHUNK,      /* `left` bytes */
    FRAMING_CHUNK_END,  /* CR LF */
    FRAMING_BAD,
};

struct srv_http_framing {
    enum srv_http_framing_phase phase;
    uint64_t left;
    uint64_t heads_n;     /* cleared */
    struct srv_head head; /* FRAMING_HEAD: the head being received */
    const char *end;      /* FRAMING_BAD: bytes that complete the daemon's current request, "" for a head */
};

void srv_http_framing_begin(struct srv_http_framing *framing);
/* bytes: the n bytes after the last cleared one. Returns how many of them are cleared. Pass the rest again
 * with more bytes appended, unless the phase is FRAMING_BAD, which ends all parsing. The rest is at most
 * SRV_HEAD_MAX bytes. */
size_t srv_http_framing_clear(struct srv_http_framing *framing, char *bytes, size_t n);
/* Why request number n (from 0) is rejected; NULL: it is not. */
const struct srv_refusal *srv_http_framing_refusal(const struct srv_http_framing *framing, uint64_t n);

#endif
