/* The head of an HTTP/1 request, as bytes: request line and headers up to the empty line, parsed by RFC
 * 9112 without the leniency it allows recipients. Input that two parsers could interpret differently is
 * rejected, so that every proxy between us and the client sees the same request. Where RFC 9112 is clear
 * but a library behind us parses it differently, the bytes are rewritten in place without changing their
 * number: trailing white space of a value moves before it, and Cookie, which this server does not use, is
 * renamed so that no library parses it. Both front ends call this before their library receives a byte.
 * Pure, any thread. */
#ifndef RUMMYD_SERVER_HEAD_H
#define RUMMYD_SERVER_HEAD_H

#include "api/core/faults.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SRV_HEAD_MAX = 8192,        /* bytes including the empty line */
    SRV_HEAD_TARGET_MAX = 2047, /* bytes of path and query; checked when the head is complete */
    SRV_HEAD_PARAMETERS_MAX =
        64,                   /* query parameters, even empty ones: libmicrohttpd allocates memory for each */
    SRV_HEAD_FIELDS_MAX = 64, /* headers */
    SRV_HEAD_NAME_MAX = 48,   /* bytes of a header name in an error, including the NUL */
};

#define SRV_WS_PROTOCOL "rummy.v1" /* the subprotocol that a handshake must offer */

enum srv_head_state { SRV_HEAD_MORE, SRV_HEAD_WHOLE, SRV_HEAD_BAD };

enum srv_head_body { SRV_BODY_NONE, SRV_BODY_LENGTH, SRV_BODY_CHUNKED };

/* Why a request is rejected: the problem's code and the header at fault. */
struct srv_refusal {
    enum api_code code;           /* API_OK: not rejected */
    enum api_fault_code fault;    /* API_FAULT_NONE: no header is at fault */
    char name[SRV_HEAD_NAME_MAX]; /* of the header, truncated */
};

struct srv_head {
    size_t line_at;   /* start of the next line to parse */
    size_t looked_at; /* no line ends before this offset */
    int lines_n;      /* lines parsed */
    uint32_t known;   /* one bit for each header of head.c's table received so far */
    bool is_get, is_1_0;
    bool upgrades, is_hop, is_version_13, has_key; /* of a handshake */
    enum srv_head_body body;
    uint64_t body_len;          /* SRV_BODY_LENGTH */
    size_t len;                 /* SRV_HEAD_WHOLE: length of the head in bytes */
    struct srv_refusal refusal; /* SRV_HEAD_BAD */
};

void srv_head_begin(struct srv_head *head);
/* Continues parsing, and rewrites the lines it has parsed. bytes: all n bytes received since the head
 * began, including those of previous calls. */
enum srv_head_state srv_head_read(struct srv_head *head, char *bytes, size_t n);
/* Whether a complete head is a WebSocket handshake by RFC 6455, 4.2.1. */
bool srv_head_is_handshake(const struct srv_head *head);

/* A slice of a head. */
struct srv_head_text {
    const char *text; /* not NUL-terminated */
    size_t len;
};

/* Path and query of a complete head of n bytes. */
struct srv_head_text srv_head_target(const char *head, size_t n);
/* Finds the value of the next header of that name. *at: 0 to find the first one; advanced past the header
 * found. false: there are no more. */
bool srv_head_value(const char *head, size_t n, const char *name, size_t *at, struct srv_head_text *value);

#endif
