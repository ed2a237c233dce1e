/* HTTP heads and bodies: which are accepted, which are rejected, and that the result does not depend on how
 * the bytes are split. */
#include "server/http/framing.h"

#include "base/bug.h"
#include "server/edge/head.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define POST "POST /v1/x HTTP/1.1\r\nHost: x\r\n"
#define GET "GET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n"
#define CHUNKS POST "Transfer-Encoding: chunked\r\n\r\n"

/* The result of a stream. */
struct outcome {
    size_t cleared;
    uint64_t heads_n;
    enum api_code code;
};

/* Passes the bytes in pieces of `step`, as a connection does: uncleared bytes are passed again, with more
 * appended. */
static struct outcome run(const char *bytes, size_t n, size_t first, size_t step)
{
    struct srv_http_framing framing;
    size_t cleared = 0, came = 0, next = first;
    static char copy[4096]; /* the parser rewrites it */
    cr_assert_leq(n, sizeof(copy));
    memcpy(copy, bytes, n);
    srv_http_framing_begin(&framing);
    while (came < n && framing.phase != FRAMING_BAD) {
        came = came + next < n ? came + next : n;
        next = step;
        cleared += srv_http_framing_clear(&framing, copy + cleared, came - cleared);
    }
    return (struct outcome){cleared, framing.heads_n,
                            framing.phase == FRAMING_BAD ? framing.head.refusal.code : API_OK};
}

/* clear: how many of the bytes are cleared. */
static const struct {
    const char *bytes;
    size_t clear;
    int heads;
    enum api_code code;
} streams[] = {
    {GET, sizeof(GET) - 1, 1, API_OK},
    {GET GET GET, 3 * (sizeof(GET) - 1), 3, API_OK},
    {POST "Content-Length: 5\r\n\r\nhello" GET, sizeof(POST "Content-Length: 5\r\n\r\nhello" GET) - 1, 2,
     API_OK},
    {POST "Content-Length: 0\r\n\r\n" GET, sizeof(POST "Content-Length: 0\r\n\r\n" GET) - 1, 2, API_OK},
    {CHUNKS "5\r\nhello\r\n00A\r\n0123456789\r\n0\r\n\r\n" GET,
     sizeof(CHUNKS "5\r\nhello\r\n00A\r\n0123456789\r\n0\r\n\r\n" GET) - 1, 2, API_OK},
    {CHUNKS "0\r\n\r\n" GET, sizeof(CHUNKS "0\r\n\r\n" GET) - 1, 2, API_OK},
    {GET "GET /", sizeof(GET) - 1, 1, API_OK},
    {GET "\r\n" GET, sizeof(GET) - 1, 1, API_BAD_REQUEST_LINE},
    {GET "GET /\n", sizeof(GET) - 1, 1, API_BAD_REQUEST_LINE},
    {POST "Content-Length : 5\r\n\r\nhello", 0, 0, API_BAD_HEADER_LINE},
    {POST "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 0, 0, API_BAD_REQUEST},
    {POST "Content-Length: 5\r\n\r\nhello!", sizeof(POST "Content-Length: 5\r\n\r\nhello") - 1, 1, API_OK},
    {CHUNKS "5\r\nhello!\r\n", sizeof(CHUNKS "5\r\nhello") - 1, 1, API_BAD_CHUNKS},
    {CHUNKS "5;x\r\nhello\r\n", sizeof(CHUNKS) - 1, 1, API_BAD_CHUNKS},
    {CHUNKS "123456789\r\n", sizeof(CHUNKS) - 1, 1, API_BAD_CHUNKS},
    {CHUNKS "1\r\nx\r\n0\r\nA: b\r\n\r\n", sizeof(CHUNKS "1\r\nx\r\n") - 1, 1, API_BAD_CHUNKS},
};

Test(framing, does_not_depend_on_how_the_bytes_arrive)
{
    for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
        const char *bytes = streams[i].bytes;
        size_t n = strlen(bytes);
        struct outcome whole = run(bytes, n, n, n);
        cr_expect(whole.heads_n == (uint64_t)streams[i].heads && whole.code == streams[i].code, "%zu", i);
        cr_expect_eq(whole.cleared, streams[i].clear, "%zu: %zu", i, whole.cleared);
        for (size_t first = 1; first <= n; first++)
            for (size_t step = 1; step <= n; step += first % 3 ? 1 : 5) {
                struct outcome cut = run(bytes, n, first, step);
                cr_assert(cut.cleared == whole.cleared && cut.heads_n == whole.heads_n &&
                              cut.code == whole.code,
                          "%zu: first %zu, then %zu", i, first, step);
            }
    }
}

Test(framing, a_refusal_affects_one_request_only)
{
    struct srv_http_framing framing;
    static char bad_head[] = GET GET "GET x\r\n", bad_chunk[] = GET CHUNKS "x";
    srv_http_framing_begin(&framing);
    (void)srv_http_framing_clear(&framing, bad_head, sizeof(bad_head) - 1);
    cr_assert(!srv_http_framing_refusal(&framing, 0) && !srv_http_framing_refusal(&framing, 1));
    cr_assert_eq(srv_http_framing_refusal(&framing, 2)->code, API_BAD_REQUEST_LINE);
    srv_http_framing_begin(&framing);
    (void)srv_http_framing_clear(&framing, bad_chunk, sizeof(bad_chunk) - 1);
    cr_assert(!srv_http_framing_refusal(&framing, 0) && !srv_http_framing_refusal(&framing, 2));
    cr_assert_eq(srv_http_framing_refusal(&framing, 1)->code, API_BAD_CHUNKS);
    cr_assert_str_eq(framing.end, "0\r\n\r\n");
}

static enum srv_head_state read_head(struct srv_head *head, const char *bytes, size_t n)
{
    static char copy[2 * SRV_HEAD_MAX + 64]; /* the parser rewrites it */
    cr_assert_leq(n, sizeof(copy));
    memcpy(copy, bytes, n);
    srv_head_begin(head);
    return srv_head_read(head, copy, n);
}

Test(head, may_be_as_long_as_the_limit_and_no_longer)
{
    static char bytes[2 * SRV_HEAD_MAX];
    struct srv_head head;
    for (size_t size = SRV_HEAD_MAX - 1; size <= SRV_HEAD_MAX + 1; size++) {
        int n = snprintf(bytes, sizeof(bytes), "%sX: %0*d\r\n\r\n", POST,
                         (int)(size - sizeof(POST "X: \r\n\r\n") + 1), 0);
        cr_assert_eq((size_t)n, size);
        enum srv_head_state state = read_head(&head, bytes, size);
        cr_assert_eq(state, size > SRV_HEAD_MAX ? SRV_HEAD_BAD : SRV_HEAD_WHOLE, "%zu", size);
        cr_assert_eq(head.refusal.code, size > SRV_HEAD_MAX ? API_HEAD_TOO_LARGE : API_OK);
    }
    for (int fields = SRV_HEAD_FIELDS_MAX - 1; fields <= SRV_HEAD_FIELDS_MAX + 1; fields++) {
        int n = snprintf(bytes, sizeof(bytes), "%s", POST);
        for (int i = 1; i < fields; i++)
            n += snprintf(bytes + n, sizeof(bytes) - (size_t)n, "X: y\r\n");
        n += snprintf(bytes + n, sizeof(bytes) - (size_t)n, "\r\n");
        cr_assert_eq(read_head(&head, bytes, (size_t)n),
                     fields > SRV_HEAD_FIELDS_MAX ? SRV_HEAD_BAD : SRV_HEAD_WHOLE);
    }
}

Test(head, accepts_only_the_bytes_allowed_in_each_part)
{
    static const char *const shapes[] = {
        "G%cT /x HTTP/1.1\r\nHost: x\r\n\r\n", "GET /%c HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nX%cY: z\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX: y%cz\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x%cy\r\n\r\n"};
    static const int taken[] = {77, 93, 77 + 1, 0x100 - 32, 62 + 7};
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        int n = 0;
        for (int c = 0; c < 256; c++) {
            char bytes[80];
            struct srv_head head;
            int len = snprintf(bytes, sizeof(bytes), shapes[i], c);
            n += read_head(&head, bytes, (size_t)len) == SRV_HEAD_WHOLE;
        }
        cr_expect_eq(n, taken[i], "shape %zu: %d", i, n);
    }
}

Test(head, recognizes_a_websocket_handshake)
{
    static const struct {
        const char *line, *more;
        bool is;
    } heads[] = {
        {"GET /ws HTTP/1.1", "", true},
        {"POST /ws HTTP/1.1", "", false},
        {"GET /ws HTTP/1.0", "", false},
        {"GET /ws HTTP/1.1", "Content-Length: 1\r\n", false},
        {"GET /ws HTTP/1.1", "Transfer-Encoding: chunked\r\n", false},
    };
    static const char keys[] =
        "Host: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    char bytes[512];
    struct srv_head head;
    for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
        int n = snprintf(bytes, sizeof(bytes), "%s\r\n%s%s\r\n", heads[i].line, keys, heads[i].more);
        bool whole = read_head(&head, bytes, (size_t)n) == SRV_HEAD_WHOLE;
        cr_expect_eq(whole && srv_head_is_handshake(&head), heads[i].is, "%zu", i);
    }
    static const char *const wrong[][2] = {{"13", "8"},
                                           {"WebSocket", "h2c"},
                                           {"Connection: Upgrade", "Connection: close"},
                                           {"Upgrade\r", "upgraded, x\r"},
                                           {"Q==", "Q="},
                                           {"Q==", "?=="}};
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        const char *at = strstr(keys, wrong[i][0]);
        int n = snprintf(bytes, sizeof(bytes), "GET /ws HTTP/1.1\r\n%.*s%s%s\r\n", (int)(at - keys), keys,
                         wrong[i][1], at + strlen(wrong[i][0]));
        cr_expect(read_head(&head, bytes, (size_t)n) == SRV_HEAD_WHOLE && !srv_head_is_handshake(&head),
                  "%zu", i);
    }
}

/* The head as a library behind the parser receives it. */
static const char *rewritten(const char *bytes, size_t step)
{
    static char copy[1024];
    struct srv_http_framing framing;
    size_t n = strlen(bytes), cleared = 0;
    memcpy(copy, bytes, n + 1);
    srv_http_framing_begin(&framing);
    for (size_t came = step < n ? step : n;; came = came + step < n ? came + step : n) {
        cleared += srv_http_framing_clear(&framing, copy + cleared, came - cleared);
        cr_assert_neq(framing.phase, FRAMING_BAD, "%s", bytes);
        if (came == n)
            break;
    }
    cr_assert_eq(cleared, n, "%s", bytes);
    return copy;
}

Test(head, blanks_after_a_value_move_before_it)
{
    static const char *const cases[][2] = {
        {POST "Content-Length: 2 \r\n\r\n{}", POST "Content-Length:  2\r\n\r\n{}"},
        {POST "Content-Length:2\t \r\n\r\n{}", POST "Content-Length:  2\r\n\r\n{}"},
        {POST "Content-Length: \t 2 \t\r\n\r\n{}", POST "Content-Length: \t   2\r\n\r\n{}"},
        {POST "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n",
         POST "Transfer-Encoding:  chunked\r\n\r\n0\r\n\r\n"},
        {POST "X: a b \r\nY:\r\nZ: \t\r\n\r\n", POST "X:  a b\r\nY:\r\nZ: \t\r\n\r\n"},
        {POST "Cookie: a=b; c \r\ncookie:x\r\nCookies: y\r\n\r\n",
         POST "Xookie:  a=b; c\r\nXookie:x\r\nCookies: y\r\n\r\n"},
        {GET GET, GET GET},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t step = 1; step < 40; step++)
            cr_assert_str_eq(rewritten(cases[i][0], step), cases[i][1], "%zu", step);
}

Test(head, the_number_of_query_parameters_is_limited)
{
    struct srv_head head;
    char bytes[4 * SRV_HEAD_PARAMETERS_MAX + 64];
    for (int more = 0; more <= 1; more++)
        for (int empty = 0; empty <= 1; empty++) {
            int n = snprintf(bytes, sizeof(bytes), "GET /x?");
            for (int i = 0; i < SRV_HEAD_PARAMETERS_MAX - 1 + more; i++)
                n += snprintf(bytes + n, sizeof(bytes) - (size_t)n, empty ? "&" : "a=&");
            n += snprintf(bytes + n, sizeof(bytes) - (size_t)n, "a HTTP/1.1\r\nHost: x\r\n\r\n");
            enum srv_head_state state = read_head(&head, bytes, (size_t)n);
            cr_assert_eq(state, more ? SRV_HEAD_BAD : SRV_HEAD_WHOLE);
            cr_assert_eq(head.refusal.code, more ? API_TOO_MANY_PARAMETERS : API_OK);
        }
}

Test(head, its_parts_are_found)
{
    static const char bytes[] =
        "GET /a?b HTTP/1.1\r\nHost: x\r\nX-a: 1\r\nX-ab: 2\r\nx-A:\t3 \r\nX-A:\r\n\r\n";
    const size_t n = sizeof(bytes) - 1;
    struct srv_head_text target = srv_head_target(bytes, n), value;
    cr_assert_eq(target.len, 4);
    cr_assert_arr_eq(target.text, "/a?b", 4);
    size_t at = 0;
    cr_assert(srv_head_value(bytes, n, "X-A", &at, &value) && value.len == 1 && *value.text == '1');
    cr_assert(srv_head_value(bytes, n, "X-A", &at, &value) && value.len == 1 && *value.text == '3');
    cr_assert(srv_head_value(bytes, n, "X-A", &at, &value) && value.len == 0);
    cr_assert(!srv_head_value(bytes, n, "X-A", &at, &value));
    at = 0;
    cr_assert(!srv_head_value(bytes, n, "X-", &at, &value));
}
