/* Trusted proxies, and the grammar of addresses in their headers; see proxies.h. Headers are evaluated from
 * the end, and only the part that our own proxies wrote: everything before the client's address is
 * untrusted input from the client. */
#include "server/edge/proxies.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/bug.h"

enum { PORT_MAX = 65535 };

/* A slice of a header. */
struct piece {
    const char *text;
    size_t len;
};

/* 0.0.0.0 or :: */
static bool is_any(const struct addr *addr)
{
    static const char *const any[] = {"0.0.0.0", "::"};
    struct addr each;
    for (size_t i = 0; i < ARRAY_LEN(any); i++)
        if (addr_of_text(any[i], &each) && memcmp(&each, addr, sizeof(each)) == 0)
            return true;
    return false;
}

bool srv_proxies_read(struct srv_proxies *proxies, const char *list, char *error, size_t error_cap)
{
    proxies->n = 0;
    for (list += strspn(list, ", "); *list; list += strspn(list, ", ")) {
        size_t len = strcspn(list, ", ");
        char copy[ADDR_TEXT_MAX] = "";
        if (proxies->n == SRV_PROXIES_MAX) {
            (void)snprintf(error, error_cap, "proxies: more than %d entries", SRV_PROXIES_MAX);
            return false;
        }
        if (len < sizeof(copy))
            memcpy(copy, list, len);
        if (!addr_of_text(copy, &proxies->each[proxies->n])) {
            (void)snprintf(error, error_cap, "proxies: \"%.*s\" is not an address",
                           (int)(len < 60 ? len : 60), list);
            return false;
        }
        if (is_any(&proxies->each[proxies->n])) {
            (void)snprintf(
                error, error_cap,
                "proxies: \"%.*s\" is a listen address, not a client; list the address of each proxy",
                (int)(len < 60 ? len : 60), list);
            return false;
        }
        proxies->n++;
        list += len;
    }
    return true;
}

bool srv_proxies_has(const struct srv_proxies *proxies, const struct addr *addr)
{
    for (size_t i = 0; i < proxies->n; i++)
        if (memcmp(&proxies->each[i], addr, sizeof(*addr)) == 0)
            return true;
    return false;
}

void srv_forwarded_add(struct srv_forwarded_lines *lines, const char *text, size_t len)
{
    if (lines->n < SRV_FORWARDED_LINES_MAX) {
        lines->each[lines->n].text = text;
        lines->each[lines->n].len = len;
    }
    lines->n++;
}

/* ---- A single address in the forms that proxies write ---- */
static struct piece trimmed(struct piece p)
{
    for (; p.len > 0 && (*p.text == ' ' || *p.text == '\t'); p.len--)
        p.text++;
    while (p.len > 0 && (p.text[p.len - 1] == ' ' || p.text[p.len - 1] == '\t'))
        p.len--;
    return p;
}

/* Whether the piece is not empty and all its characters are in the set. */
static bool is_of(struct piece p, const char *set)
{
    for (size_t i = 0; i < p.len; i++)
        if (p.text[i] == '\0' || !strchr(set, p.text[i]))
            return false;
    return p.len > 0;
}

/* Whether the piece is empty or a colon and a port number. RFC 7239 also allows an obfuscated name,
 * `_name`. */
static bool is_port(struct piece p)
{
    static const char name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    if (p.len == 0)
        return true;
    struct piece number = {p.text + 1, p.len - 1};
    if (*p.text != ':' || number.len == 0)
        return false;
    if (*number.text == '_')
        return is_of(number, name);
    unsigned value = 0;
    for (size_t i = 0; i < number.len && i < 6; i++)
        value = value * 10 + (unsigned)(number.text[i] - '0');
    return is_of(number, "0123456789") && number.len <= 5 && value <= PORT_MAX;
}

/* Validates and removes the zone of an IPv6 address, which has a meaning only on the proxy's machine. */
static bool without_zone(struct piece *p)
{
    static const char zone[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_~";
    const char *percent = memchr(p->text, '%', p->len);
    if (!percent)
        return true;
    size_t len = (size_t)(percent - p->text);
    if (!memchr(p->text, ':', len) || !is_of((struct piece){percent + 1, p->len - len - 1}, zone))
        return false;
    p->len = len;
    return true;
}

/* Parses a.b.c.d or [v6], with or without a port, or bare v6; each optionally in quotes. */
static bool read_node(struct piece p, struct addr *out)
{
    char copy[ADDR_TEXT_MAX];
    if (p.len >= 2 && p.text[0] == '"' && p.text[p.len - 1] == '"')
        p = trimmed((struct piece){p.text + 1, p.len - 2});
    const char *colon = memchr(p.text, ':', p.len);
    bool bracket = p.len > 0 && p.text[0] == '[';
    bool one_colon = colon && !memchr(colon + 1, ':', p.len - (size_t)(colon + 1 - p.text));
    if (bracket) {
        const char *end = memchr(p.text, ']', p.len);
        if (!end || !is_port((struct piece){end + 1, p.len - (size_t)(end + 1 - p.text)}))
            return false;
        p = (struct piece){p.text + 1, (size_t)(end - p.text - 1)};
        if (!memchr(p.text, ':', p.len))
            return false;
    } else if (one_colon) {
        if (!is_port((struct piece){colon, p.len - (size_t)(colon - p.text)}))
            return false;
        p.len = (size_t)(colon - p.text);
    }
    if (!without_zone(&p) || p.len >= sizeof(copy))
        return false;
    memcpy(copy, p.text, p.len);
    copy[p.len] = '\0';
    return addr_of_text(copy, out);
}

/* ---- Lists of addresses, last one first ---- */
/* Returns whether to continue with the preceding node. If not, *ok is the result. */
static bool follow_node(const struct srv_proxies *proxies, struct piece node, struct addr *addr, bool *ok)
{
    *ok = read_node(node, addr);
    return *ok && srv_proxies_has(proxies, addr);
}

static bool follow_x(const struct srv_proxies *proxies, const struct srv_forwarded_lines *lines,
                     struct addr *addr)
{
    bool ok = false; /* remains false if the lines contain only commas */
    for (size_t i = lines->n; i-- > 0;) {
        const char *start = lines->each[i].text, *end = start + lines->each[i].len;
        for (bool more = true; more;) {
            const char *from = end;
            while (from > start && from[-1] != ',')
                from--;
            struct piece node = trimmed((struct piece){from, (size_t)(end - from)});
            if (node.len > 0 && !follow_node(proxies, node, addr, &ok))
                return ok;
            more = from > start;
            end = more ? from - 1 : start;
        }
    }
    return ok;
}

/* The first delimiter outside quotes, or the end of the line. NULL: a quote is not closed, or there is an
 * escape. */
static const char *end_of(const char *at, const char *end, const char *delimiters)
{
    bool quoted = false;
    for (; at < end; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (quoted && *at == '\\')
            return NULL; /* addresses contain nothing to escape */
        else if (!quoted && strchr(delimiters, *at))
            return at;
    }
    return quoted ? NULL : end;
}

/* Finds the node of an element's `for=NODE` pair, or an empty one if there is no such pair. false: invalid
 * element. */
static bool node_of(struct piece element, struct piece *node)
{
    const char *at = element.text, *end = at + element.len;
    *node = (struct piece){at, 0};
    while (at < end) {
        const char *stop = end_of(at, end, ";");
        if (!stop)
            return false;
        struct piece pair = trimmed((struct piece){at, (size_t)(stop - at)});
        const char *equals = memchr(pair.text, '=', pair.len);
        if (pair.len > 0 && !equals)
            return false;
        if (equals && equals - pair.text == 3 && strncasecmp(pair.text, "for", 3) == 0) {
            if (node->len > 0)
                return false;
            *node = (struct piece){equals + 1, pair.len - 4};
            if (node->len == 0)
                return false;
        }
        at = stop < end ? stop + 1 : end;
    }
    return true;
}

/* Commas within quotes are not delimiters, so each line is split from its beginning. */
static bool follow_rfc(const struct srv_proxies *proxies, const struct srv_forwarded_lines *lines,
                       struct addr *addr)
{
    struct piece elements[SRV_FORWARDED_NODES_MAX];
    size_t n = 0;
    bool ok = false;
    for (size_t i = 0; i < lines->n; i++) {
        const char *at = lines->each[i].text, *end = at + lines->each[i].len;
        while (at < end) {
            const char *stop = end_of(at, end, ",");
            if (!stop)
                return false;
            struct piece element = trimmed((struct piece){at, (size_t)(stop - at)});
            if (element.len > 0 && n == SRV_FORWARDED_NODES_MAX)
                return false;
            if (element.len > 0)
                elements[n++] = element;
            at = stop < end ? stop + 1 : end;
        }
    }
    while (n-- > 0) {
        struct piece node;
        if (!node_of(elements[n], &node) || node.len == 0)
            return false;
        if (!follow_node(proxies, node, addr, &ok))
            return ok;
    }
    return ok;
}

const char *srv_proxies_follow(const struct srv_proxies *proxies, const struct srv_forwarded *headers,
                               struct addr *addr)
{
    const struct srv_forwarded_lines *x = &headers->x_forwarded_for, *rfc = &headers->forwarded;
    struct addr by_x = *addr, by_rfc = *addr;
    if ((x->n == 0 && rfc->n == 0) || !srv_proxies_has(proxies, addr))
        return NULL;
    if (x->n > SRV_FORWARDED_LINES_MAX || (x->n > 0 && !follow_x(proxies, x, &by_x)))
        return "X-Forwarded-For";
    if (rfc->n > SRV_FORWARDED_LINES_MAX || (rfc->n > 0 && !follow_rfc(proxies, rfc, &by_rfc)))
        return "Forwarded";
    /* A proxy writes one of the two headers, and the client may have forged the other. Both must match, so
     * that forging one has no effect. */
    if (x->n > 0 && rfc->n > 0 && memcmp(&by_x, &by_rfc, sizeof(by_x)) != 0)
        return "Forwarded";
    *addr = x->n > 0 ? by_x : by_rfc;
    return NULL;
}
