/* Parses the head of a request; see head.h. Each line is parsed once, when it is complete. */
#include "server/edge/head.h"

#include "base/bug.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LENGTH_DIGITS_MAX = 18, KEY_LEN = 24 /* 16 bytes in base64 */ };

/* --- characters --- */

enum { TOKEN = 1, TARGET = 2, VALUE = 4, HOST = 8 };

static bool is_letter_or_digit(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The kinds of text in which a character may occur, as a bit set: token (RFC 9110, 5.6.2), path and query
 * as sent, header value (including the obsolete non-ASCII bytes, which we do not interpret), host with
 * port. */
static unsigned kinds_of(unsigned char c)
{
    unsigned kinds = 0;
    if (is_letter_or_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c)))
        kinds |= TOKEN;
    if (c > 0x20 && c < 0x7F && c != '#')
        kinds |= TARGET;
    if (c == '\t' || (c >= 0x20 && c != 0x7F))
        kinds |= VALUE;
    if (is_letter_or_digit(c) || (c && strchr(".-_~:[]", c)))
        kinds |= HOST;
    return kinds;
}

static uint8_t kinds[256];

static __attribute__((constructor)) void fill_kinds(void)
{
    for (unsigned c = 0; c < sizeof(kinds); c++)
        kinds[c] = (uint8_t)kinds_of((unsigned char)c);
}

/* Length of the prefix whose characters are all of this kind. */
static size_t span(const char *text, size_t len, unsigned kind)
{
    size_t n = 0;
    while (n < len && (kinds[(unsigned char)text[n]] & kind))
        n++;
    return n;
}

/* Whether all characters are valid in a value. Checks eight bytes at a time, because values make up most of
 * a head. */
static bool is_value(const char *text, size_t len)
{
    const uint64_t ones = UINT64_MAX / 0xFF, tops = ones * 0x80;
    size_t at = 0;
    for (uint64_t x; at + sizeof(x) <= len; at += sizeof(x)) {
        memcpy(&x, text + at, sizeof(x));
        uint64_t below = (x - ones * 0x20) & ~x, del = x ^ (ones * 0x7F);
        if (((below | ((del - ones) & ~del)) & tops) != 0)
            break; /* possibly invalid: a tab also ends up here, but is valid */
    }
    return span(text + at, len - at, VALUE) == len - at;
}

static bool is_word(const char *text, size_t len, const char *word)
{
    return len == strlen(word) && strncasecmp(text, word, len) == 0;
}

/* --- headers that affect the server or a proxy --- */

static enum api_fault_code take_any(struct srv_head *head, const char *value, size_t len)
{
    (void)head;
    (void)value;
    (void)len;
    return API_FAULT_NONE;
}

static enum api_fault_code take_host(struct srv_head *head, const char *value, size_t len)
{
    (void)head;
    return len > 0 && span(value, len, HOST) == len ? API_FAULT_NONE : API_FAULT_NOT_A_HOST;
}

static enum api_fault_code take_length(struct srv_head *head, const char *value, size_t len)
{
    uint64_t n = 0;
    if (len == 0 || len > LENGTH_DIGITS_MAX)
        return API_FAULT_NOT_A_LENGTH;
    for (size_t i = 0; i < len; i++) {
        if (value[i] < '0' || value[i] > '9')
            return API_FAULT_NOT_A_LENGTH;
        n = n * 10 + (uint64_t)(value[i] - '0');
    }
    head->body = n > 0 ? SRV_BODY_LENGTH : SRV_BODY_NONE;
    head->body_len = n;
    return API_FAULT_NONE;
}

static enum api_fault_code take_coding(struct srv_head *head, const char *value, size_t len)
{
    if (head->is_1_0)
        return API_FAULT_NOT_IN_1_0;
    head->body = SRV_BODY_CHUNKED;
    return is_word(value, len, "chunked") ? API_FAULT_NONE : API_FAULT_NOT_CHUNKED;
}

static enum api_fault_code take_content_coding(struct srv_head *head, const char *value, size_t len)
{
    (void)head;
    (void)value;
    (void)len;
    return API_FAULT_NOT_TAKEN;
}

static enum api_fault_code take_expect(struct srv_head *head, const char *value, size_t len)
{
    (void)head;
    return is_word(value, len, "100-continue") ? API_FAULT_NONE : API_FAULT_NOT_CONTINUE;
}

/* Without this token a proxy ignores Upgrade and keeps parsing requests. */
static enum api_fault_code take_connection(struct srv_head *head, const char *value, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t word = span(value + at, len - at, TOKEN);
        head->is_hop = head->is_hop || is_word(value + at, word, "upgrade");
        at += word > 0 ? word : 1; /* spaces and commas */
    }
    return API_FAULT_NONE;
}

static enum api_fault_code take_upgrade(struct srv_head *head, const char *value, size_t len)
{
    head->upgrades = is_word(value, len, "websocket");
    return API_FAULT_NONE;
}

static enum api_fault_code take_version(struct srv_head *head, const char *value, size_t len)
{
    head->is_version_13 = is_word(value, len, "13");
    return API_FAULT_NONE;
}

static enum api_fault_code take_key(struct srv_head *head, const char *value, size_t len)
{
    head->has_key = len == KEY_LEN && memcmp(value + len - 2, "==", 2) == 0;
    for (size_t i = 0; i + 2 < len; i++)
        if (!is_letter_or_digit((unsigned char)value[i]) && value[i] != '+' && value[i] != '/')
            head->has_key = false;
    return API_FAULT_NONE;
}

/* A header's index in this table is its bit in srv_head.known. All except lists may occur only once,
 * because with duplicates one parser would use the first and another the last. */
enum { KNOWN_HOST, KNOWN_LENGTH, KNOWN_CODING, KNOWN_COOKIE };
static const struct {
    const char *name;
    size_t len;
    enum api_fault_code (*take)(struct srv_head *head, const char *value, size_t len);
    bool is_list;
} known[] = {
#define KNOWN(name, take) INIT(name, sizeof(name) - 1, take, false)
    [KNOWN_HOST] = KNOWN("Host", take_host),
    [KNOWN_LENGTH] = KNOWN("Content-Length", take_length),
    [KNOWN_CODING] = KNOWN("Transfer-Encoding", take_coding),
    [KNOWN_COOKIE] = {"Cookie", sizeof("Cookie") - 1, take_any, true},
    KNOWN("Content-Encoding", take_content_coding),
    KNOWN("Content-Type", take_any),
    KNOWN("Authorization", take_any),
    KNOWN("Idempotency-Key", take_any),
    KNOWN("Origin", take_any),
    KNOWN("Expect", take_expect),
    KNOWN("traceparent", take_any),
    KNOWN("Access-Control-Request-Method", take_any),
    {"Connection", sizeof("Connection") - 1, take_connection, true},
    KNOWN("Upgrade", take_upgrade),
    KNOWN("Sec-WebSocket-Protocol", take_any),
    KNOWN("Sec-WebSocket-Version", take_version),
    KNOWN("Sec-WebSocket-Key", take_key),
#undef KNOWN
};

/* --- lines --- */

static enum srv_head_state refuse(struct srv_head *head, enum api_code code, enum api_fault_code fault,
                                  const char *name, size_t len)
{
    head->refusal.code = code;
    head->refusal.fault = fault;
    (void)snprintf(head->refusal.name, sizeof(head->refusal.name), "%.*s", (int)len, name);
    return SRV_HEAD_BAD;
}

static enum srv_head_state refuse_line(struct srv_head *head, enum api_code code)
{
    return refuse(head, code, API_FAULT_NONE, "", 0);
}

static enum srv_head_state refuse_known(struct srv_head *head, unsigned which, enum api_fault_code fault)
{
    return refuse(head, API_BAD_REQUEST, fault, known[which].name, known[which].len);
}

/* Counts the query's parameters: the pieces between ampersands, empty or not. */
static size_t parameters(const char *target, size_t len)
{
    const char *at = memchr(target, '?', len), *end = target + len;
    size_t n = 0;
    for (; at; at = memchr(at + 1, '&', (size_t)(end - at - 1)))
        n++;
    return n;
}

/* METHOD /path HTTP/1.1, separated by single spaces. */
static enum srv_head_state read_request_line(struct srv_head *head, const char *line, size_t len)
{
    static const char http[] = " HTTP/1.";
    size_t method = span(line, len, TOKEN);
    if (method == 0 || method == len || line[method] != ' ')
        return refuse_line(head, API_BAD_REQUEST_LINE);
    const char *target = line + method + 1;
    size_t rest = len - method - 1, n = span(target, rest, TARGET);
    const char *version = target + n;
    if (rest - n != sizeof(http) || memcmp(version, http, sizeof(http) - 1) != 0 ||
        (version[sizeof(http) - 1] != '0' && version[sizeof(http) - 1] != '1'))
        return refuse_line(head, API_BAD_REQUEST_LINE);
    if (target[0] != '/')
        return refuse_line(head, API_BAD_PATH);
    if (parameters(target, n) > SRV_HEAD_PARAMETERS_MAX)
        return refuse_line(head, API_TOO_MANY_PARAMETERS);
    head->is_1_0 = version[sizeof(http) - 1] == '0';
    head->is_get = method == 3 && memcmp(line, "GET", 3) == 0;
    return SRV_HEAD_MORE;
}

/* libmicrohttpd treats trailing white space as part of the value: it does not recognize `chunked ` as
 * chunked. It skips white space before a value, so move it there. */
static void move_blanks(char *value, size_t n, size_t blanks)
{
    memmove(value + blanks, value, n);
    memset(value, ' ', blanks);
}

static enum srv_head_state read_field(struct srv_head *head, char *line, size_t len)
{
    size_t name = span(line, len, TOKEN);
    if (head->lines_n > 1 + SRV_HEAD_FIELDS_MAX)
        return refuse_line(head, API_HEAD_TOO_LARGE);
    if (name == 0 || name == len || line[name] != ':')
        return refuse_line(head, API_BAD_HEADER_LINE);
    char *value = line + name + 1;
    size_t n = len - name - 1, blanks = 0;
    if (!is_value(value, n))
        return refuse(head, API_BAD_REQUEST, API_FAULT_BAD_VALUE, line, name);
    for (; n > 0 && (*value == ' ' || *value == '\t'); n--)
        value++;
    for (; n > 0 && (value[n - 1] == ' ' || value[n - 1] == '\t'); blanks++)
        n--;
    if (blanks > 0 && n > 0)
        move_blanks(value, n, blanks);
    value += n > 0 ? blanks : 0;
    for (unsigned i = 0; i < ARRAY_LEN(known); i++) {
        if (name != known[i].len || strncasecmp(line, known[i].name, name) != 0)
            continue;
        bool again = (head->known & (1U << i)) && !known[i].is_list;
        enum api_fault_code fault = again ? API_FAULT_NOT_ONCE : known[i].take(head, value, n);
        head->known |= 1U << i;
        if (i == KNOWN_COOKIE) /* libmicrohttpd parses cookies and has too little memory for many */
            line[0] = 'X';
        return fault ? refuse_known(head, i, fault) : SRV_HEAD_MORE;
    }
    return SRV_HEAD_MORE;
}

/* The empty line ends the head. */
static enum srv_head_state end(struct srv_head *head, size_t len)
{
    head->len = len;
    if (!(head->known & (1U << KNOWN_HOST)) && !head->is_1_0)
        return refuse_known(head, KNOWN_HOST, API_FAULT_NOT_ONCE);
    if ((head->known & (1U << KNOWN_LENGTH)) && (head->known & (1U << KNOWN_CODING)))
        return refuse_known(head, KNOWN_LENGTH, API_FAULT_NOT_ALONE);
    return SRV_HEAD_WHOLE;
}

/* Parses a line that is not empty; len excludes its CR LF. */
static enum srv_head_state read_line(struct srv_head *head, char *line, size_t len)
{
    return head->lines_n++ == 0 ? read_request_line(head, line, len) : read_field(head, line, len);
}

void srv_head_begin(struct srv_head *head)
{
    *head = (struct srv_head){0};
}

enum srv_head_state srv_head_read(struct srv_head *head, char *bytes, size_t n)
{
    ASSERT(head->refusal.code == API_OK && head->len == 0 && head->looked_at <= n);
    enum srv_head_state state = SRV_HEAD_MORE;
    /* input of TLS or another protocol might never end a line */
    if (n > 0 && !(kinds[(unsigned char)bytes[0]] & TOKEN))
        return refuse_line(head, API_BAD_REQUEST_LINE);
    size_t within = n < SRV_HEAD_MAX ? n : SRV_HEAD_MAX;
    while (state == SRV_HEAD_MORE) {
        char *line = bytes + head->line_at;
        const char *from = bytes + head->looked_at;
        const char *lf = within > head->looked_at ? memchr(from, '\n', within - head->looked_at) : NULL;
        if (!lf) {
            head->looked_at = within;
            return n >= SRV_HEAD_MAX ? refuse_line(head, API_HEAD_TOO_LARGE) : SRV_HEAD_MORE;
        }
        size_t len = (size_t)(lf - line);
        head->line_at = head->looked_at = (size_t)(lf + 1 - bytes);
        if (len == 0 || line[len - 1] != '\r')
            return refuse_line(head, head->lines_n == 0 ? API_BAD_REQUEST_LINE : API_BAD_HEADER_LINE);
        state = len == 1 && head->lines_n > 0 ? end(head, head->line_at) : read_line(head, line, len - 1);
    }
    return state;
}

bool srv_head_is_handshake(const struct srv_head *head)
{
    ASSERT(head->len > 0 && head->refusal.code == API_OK);
    return head->is_get && !head->is_1_0 && head->upgrades && head->is_hop && head->is_version_13 &&
           head->has_key && head->body == SRV_BODY_NONE;
}

struct srv_head_text srv_head_target(const char *head, size_t n)
{
    const char *before = memchr(head, ' ', n);
    ASSERT(before && before[1] == '/');
    const char *target = before + 1, *blank = memchr(target, ' ', n - (size_t)(target - head));
    ASSERT(blank);
    return (struct srv_head_text){target, (size_t)(blank - target)};
}

bool srv_head_value(const char *head, size_t n, const char *name, size_t *at, struct srv_head_text *value)
{
    size_t name_n = strlen(name);
    const char *lf;
    while ((lf = memchr(head + *at, '\n', n - *at))) {
        const char *line = head + *at, *text = line + name_n + 1, *end = lf - 1; /* the CR of CR LF */
        *at = (size_t)(lf + 1 - head);
        if (text > end || line[name_n] != ':' || strncasecmp(line, name, name_n) != 0)
            continue;
        while (text < end && (*text == ' ' || *text == '\t'))
            text++;
        while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        *value = (struct srv_head_text){text, (size_t)(end - text)};
        return true;
    }
    return false;
}
