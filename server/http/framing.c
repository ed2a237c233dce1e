/* Splits a connection's bytes into messages; see framing.h. */
#include "server/http/framing.h"

#include "base/bug.h"

#include <string.h>

enum { CHUNK_DIGITS_MAX = 8 };

void srv_http_framing_begin(struct srv_http_framing *framing)
{
    *framing = (struct srv_http_framing){.phase = FRAMING_HEAD};
}

static size_t refuse_chunk(struct srv_http_framing *framing, const char *end)
{
    framing->phase = FRAMING_BAD;
    framing->end = end;
    framing->head.refusal = (struct srv_refusal){.code = API_BAD_CHUNKS};
    return 0;
}

static void next_request(struct srv_http_framing *framing)
{
    framing->phase = FRAMING_HEAD;
    srv_head_begin(&framing->head);
}

static size_t clear_head(struct srv_http_framing *framing, char *bytes, size_t n)
{
    static const enum srv_http_framing_phase after[] = {[SRV_BODY_NONE] = FRAMING_HEAD,
                                                        [SRV_BODY_LENGTH] = FRAMING_BODY,
                                                        [SRV_BODY_CHUNKED] = FRAMING_CHUNK_LINE};
    struct srv_head *head = &framing->head;
    size_t len = 0;
    switch (srv_head_read(head, bytes, n)) {
    case SRV_HEAD_MORE:
        break;
    case SRV_HEAD_BAD:
        framing->phase = FRAMING_BAD;
        framing->end = "";
        break;
    case SRV_HEAD_WHOLE:
        len = head->len;
        framing->heads_n++;
        framing->phase = after[head->body];
        framing->left = head->body_len;
        if (framing->phase == FRAMING_HEAD)
            next_request(framing);
        break;
    }
    return len;
}

static size_t clear_left(struct srv_http_framing *framing, size_t n)
{
    size_t len = n < framing->left ? n : (size_t)framing->left;
    framing->left -= len;
    if (framing->left == 0 && framing->phase == FRAMING_BODY)
        next_request(framing);
    else if (framing->left == 0)
        framing->phase = FRAMING_CHUNK_END;
    return len;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Whether the bytes received so far are a prefix of the text, or start with it. */
static bool may_be(const char *bytes, size_t n, const char *text)
{
    size_t len = strlen(text);
    return memcmp(bytes, text, n < len ? n : len) == 0;
}

static size_t clear_chunk_line(struct srv_http_framing *framing, const char *bytes, size_t n)
{
    static const char last[] = "0\r\n\r\n";
    uint64_t size = 0;
    size_t digits = 0;
    while (digits < n && digits <= CHUNK_DIGITS_MAX && hex_digit(bytes[digits]) >= 0)
        size = size * 16 + (uint64_t)hex_digit(bytes[digits++]);
    const char *rest = bytes + digits;
    size_t rest_n = n - digits;
    const char *ending = size == 0 ? "\r\n\r\n" : "\r\n";
    if (digits > CHUNK_DIGITS_MAX || (digits == 0 && n > 0) || !may_be(rest, rest_n, ending))
        return refuse_chunk(framing, last);
    if (rest_n < strlen(ending))
        return 0;
    framing->left = size;
    framing->phase = FRAMING_CHUNK;
    if (size == 0)
        next_request(framing);
    return digits + strlen(ending);
}

static size_t clear_chunk_end(struct srv_http_framing *framing, const char *bytes, size_t n)
{
    if (!may_be(bytes, n, "\r\n"))
        return refuse_chunk(framing, "\r\n0\r\n\r\n");
    if (n < 2)
        return 0;
    framing->phase = FRAMING_CHUNK_LINE;
    return 2;
}

/* Clears the bytes that are complete in the current phase. 0: more bytes are needed, or the bytes are
 * invalid. */
static size_t clear_one(struct srv_http_framing *framing, char *bytes, size_t n)
{
    switch (framing->phase) {
    case FRAMING_HEAD:
        return clear_head(framing, bytes, n);
    case FRAMING_BODY:
    case FRAMING_CHUNK:
        return clear_left(framing, n);
    case FRAMING_CHUNK_LINE:
        return clear_chunk_line(framing, bytes, n);
    case FRAMING_CHUNK_END:
        return clear_chunk_end(framing, bytes, n);
    case FRAMING_BAD:
        break;
    }
    return 0;
}

size_t srv_http_framing_clear(struct srv_http_framing *framing, char *bytes, size_t n)
{
    size_t cleared = 0, len = 1;
    ASSERT(framing->phase != FRAMING_BAD);
    while (len > 0 && cleared < n && framing->phase != FRAMING_BAD) {
        len = clear_one(framing, bytes + cleared, n - cleared);
        cleared += len;
    }
    ASSERT(cleared <= n && (framing->phase == FRAMING_BAD || n - cleared <= SRV_HEAD_MAX));
    return cleared;
}

const struct srv_refusal *srv_http_framing_refusal(const struct srv_http_framing *framing, uint64_t n)
{
    if (framing->phase != FRAMING_BAD)
        return NULL;
    /* An invalid head belongs to the next request, an invalid body to the most recent one. */
    uint64_t bad = framing->end[0] == '\0' ? framing->heads_n : framing->heads_n - 1;
    return n == bad ? &framing->head.refusal : NULL;
}
