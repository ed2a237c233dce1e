/* Input of a connection to the HTTP port. The first bytes determine how it is split into pieces: however it
 * is split, the same bytes are cleared, or the input is rejected for the same reason. Cleared bytes are
 * unambiguous: a second parser, which looks only for CR LF CR LF and the two headers that determine a
 * length, finds the same requests. */
#include "base/bug.h"
#include "server/http/framing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct outcome {
    size_t cleared;
    uint64_t heads_n;
    enum srv_http_framing_phase phase;
    enum api_code code;
    enum api_fault_code fault;
};

/* cuts: after how many more bytes to pass the input; 0: all of it. */
static struct outcome run(const char *bytes, size_t n, const uint8_t *cuts, size_t cuts_n)
{
    struct srv_http_framing framing;
    size_t cleared = 0, came = 0;
    srv_http_framing_begin(&framing);
    for (size_t i = 0; came < n && framing.phase != FRAMING_BAD; i++) {
        size_t step = cuts_n > 0 ? cuts[i % cuts_n] : 0;
        came = step > 0 && step < n - came ? came + step : n;
        /* A copy that ends where the bytes do, for AddressSanitizer. */
        char *piece = malloc(came - cleared);
        ASSERT(piece);
        memcpy(piece, bytes + cleared, came - cleared);
        cleared += srv_http_framing_clear(&framing, piece, came - cleared);
        free(piece);
        ASSERT(cleared <= came);
    }
    struct outcome outcome = {cleared, framing.heads_n, framing.phase, API_OK, API_FAULT_NONE};
    if (framing.phase == FRAMING_BAD) {
        const struct srv_refusal *why = &framing.head.refusal;
        outcome.code = why->code;
        outcome.fault = why->fault;
        ASSERT(why->code != API_OK && strlen(why->name) < sizeof(why->name));
        ASSERT((why->fault == API_FAULT_NONE) == (why->name[0] == '\0'));
        uint64_t bad = framing.heads_n - (framing.end[0] ? 1 : 0);
        ASSERT(srv_http_framing_refusal(&framing, bad) == why &&
               !srv_http_framing_refusal(&framing, bad + 1));
    }
    return outcome;
}

static const char *find(const char *from, const char *end, const char *text)
{
    return from < end ? memmem(from, (size_t)(end - from), text, strlen(text)) : NULL;
}

/* The value of a header in a head, NULL if missing. */
static const char *value_of(const char *head, const char *end, const char *name)
{
    size_t len = strlen(name);
    for (const char *line = find(head, end, "\r\n"); line && line + 2 < end;
         line = find(line + 2, end, "\r\n"))
        if ((size_t)(end - line) > len + 3 && strncasecmp(line + 2, name, len) == 0 && line[2 + len] == ':')
            return line + 2 + len + 1;
    return NULL;
}

/* Number of heads that a simple parser finds in the cleared bytes; each must be complete. */
static uint64_t count_heads(const char *at, const char *end)
{
    uint64_t n = 0;
    while (at < end) {
        const char *last = find(at, end, "\r\n\r\n");
        ASSERT(last);
        const char *head = at, *body = last + 4;
        const char *length = value_of(head, body, "Content-Length"),
                   *coding = value_of(head, body, "Transfer-Encoding");
        ASSERT(!length || !coding);
        ASSERT(!memchr(head, '\0', (size_t)(body - head)));
        n++;
        at = body;
        if (length) {
            unsigned long long len = strtoull(length, NULL, 10);
            at = len < (size_t)(end - at) ? at + len : end;
        }
        while (coding && at < end) {
            char *after;
            unsigned long long size = strtoull(at, &after, 16);
            const char *data = after + 2;
            if (size == 0) {
                at = data + 2;
                break;
            }
            at = data < end && size + 2 < (size_t)(end - data) ? data + size + 2 : end;
        }
        ASSERT(at <= end);
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t cuts_n = size > 0 ? data[0] % 8U : 0;
    if (size < 1 + cuts_n)
        return 0;
    const char *bytes = (const char *)data + 1 + cuts_n;
    const size_t n = size - 1 - cuts_n;
    const struct outcome whole = run(bytes, n, NULL, 0), cut = run(bytes, n, data + 1, cuts_n);
    ASSERT(whole.cleared == cut.cleared && whole.heads_n == cut.heads_n && whole.phase == cut.phase);
    ASSERT(whole.code == cut.code && whole.fault == cut.fault);
    /* strtoull stops at a NUL at the latest. */
    char *copy = malloc(whole.cleared + 1);
    ASSERT(copy);
    memcpy(copy, bytes, whole.cleared);
    copy[whole.cleared] = '\0';
    ASSERT(count_heads(copy, copy + whole.cleared) == whole.heads_n);
    free(copy);
    return 0;
}
