/* The head of an HTTP/1 request, as bytes: request line and headers up to the empty line, read by RFC 9112
 * without any of the liberties it allows a recipient. What two readers could take for two things is refused,
 * so whatever stands between us and the client has seen the same request. What RFC 9112 allows and a library
 * behind us reads differently is rewritten in place, in the same number of bytes: blanks behind a value move
 * before it, and Cookie, which nothing here reads, gets a name that no library takes apart. Used by both
 * fronts before their library sees a byte. Pure, any thread. */
#ifndef RUMMYD_SERVER_HEAD_H
#define RUMMYD_SERVER_HEAD_H

#include "api/faults.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SRV_HEAD_MAX = 8192,          /* bytes with the empty line */
    SRV_HEAD_TARGET_MAX = 2047,   /* bytes of path and query; the reader of the whole head checks it */
    SRV_HEAD_PARAMETERS_MAX = 64, /* of the query, empty ones included: libmicrohttpd has memory for each */
    SRV_HEAD_FIELDS_MAX = 64,     /* headers */
    SRV_HEAD_NAME_MAX = 48,       /* bytes of a name in a refusal, with the NUL */
};

#define SRV_WS_PROTOCOL "rummy.v1" /* the subprotocol that a handshake offers */

enum srv_head_state { SRV_HEAD_MORE, SRV_HEAD_WHOLE, SRV_HEAD_BAD };

enum srv_head_body { SRV_BODY_NONE, SRV_BODY_LENGTH, SRV_BODY_CHUNKED };

/* Why a request is refused: the problem's code, and the header it is about. */
struct srv_refusal {
    enum api_code code;           /* API_OK: it is not */
    enum api_fault_code fault;    /* API_FAULT_NONE: no header is named */
    char name[SRV_HEAD_NAME_MAX]; /* of the header, cut */
};

struct srv_head {
    size_t line_at;   /* where the line begins that is not read yet */
    size_t looked_at; /* no line ends before here */
    int lines_n;      /* read */
    uint32_t known;   /* headers of head.c's table that were there, a bit each */
    bool is_get, is_1_0;
    bool upgrades, is_hop, is_version_13, has_key; /* of a handshake */
    enum srv_head_body body;
    uint64_t body_len;          /* SRV_BODY_LENGTH */
    size_t len;                 /* SRV_HEAD_WHOLE: bytes of it */
    struct srv_refusal refusal; /* SRV_HEAD_BAD */
};

void srv_head_begin(struct srv_head *head);
/* Reads on, and rewrites lines it has read. bytes: all that has come since the head began, n of them: what
 * was there at the call before, and more. */
enum srv_head_state srv_head_read(struct srv_head *head, char *bytes, size_t n);
/* A whole one asks for a WebSocket as RFC 6455, 4.2.1 says. */
bool srv_head_is_handshake(const struct srv_head *head);

/* A piece of a head. */
struct srv_head_text {
    const char *text; /* not ended by a NUL */
    size_t len;
};

/* Path and query of a whole head of n bytes. */
struct srv_head_text srv_head_target(const char *head, size_t n);
/* The value of the next header of that name. at: 0 for the first one; moves behind it. false: there is none
 * any more. */
bool srv_head_value(const char *head, size_t n, const char *name, size_t *at, struct srv_head_text *value);

#endif
