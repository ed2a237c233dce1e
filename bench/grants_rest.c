/* Seats through REST, as for any player: a guest, a seat, and new tickets for reconnects. A minimal
 * blocking HTTP/1.1 client on one kept-alive connection, only for small runs. See grants_rest.h. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/text.h"
#include "bench/grants_rest.h"

enum { REPLY_MAX = 64 * 1024, REQUEST_MAX = 4096, REST_SECONDS_MAX = 10, KEY_BYTES = 16 };

struct rest {
    struct sockaddr_in to;
    int fd;
    int status;
    size_t len;
    char reply[REPLY_MAX];
};

static void rest_close(struct rest *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
}

static bool rest_open(struct rest *r)
{
    struct timeval limit = {.tv_sec = REST_SECONDS_MAX};
    if (r->fd >= 0)
        return true;
    r->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (r->fd < 0)
        return false;
    setsockopt(r->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    if (connect(r->fd, (const struct sockaddr *)&r->to, sizeof(r->to)) == 0)
        return true;
    rest_close(r);
    return false;
}

/* Reads one response; its body is NUL-terminated. NULL: no response, or a malformed one. */
static const char *rest_read(struct rest *r)
{
    r->len = 0;
    char *end = NULL;
    size_t body_n = 0;
    for (;;) {
        if (end && r->len >= (size_t)(end - r->reply) + 4 + body_n)
            break;
        ssize_t n = r->len < REPLY_MAX - 1 ? recv(r->fd, r->reply + r->len, REPLY_MAX - 1 - r->len, 0) : 0;
        if (n <= 0)
            return NULL;
        r->len += (size_t)n;
        r->reply[r->len] = '\0';
        if (end || !(end = strstr(r->reply, "\r\n\r\n")))
            continue;
        const char *length = strcasestr(r->reply, "\r\nContent-Length:");
        if (!length || length > end || strncmp(r->reply, "HTTP/1.1 ", 9) != 0)
            return NULL;
        body_n = strtoul(length + 17, NULL, 10);
        r->status = (int)strtol(r->reply + 9, NULL, 10);
    }
    return end + 4;
}

/* Sends a POST; returns the parsed body of a 2xx response (the caller owns the reference), otherwise
 * NULL. */
static json_t *rest_post(struct rest *r, const char *path, const char *token, const char *body)
{
    char request[REQUEST_MAX], key[2 * KEY_BYTES + 1];
    uint8_t random_bytes[KEY_BYTES];
    randombytes_buf(random_bytes, sizeof(random_bytes));
    text_hex(key, random_bytes, sizeof(random_bytes));
    int n = snprintf(
        request, sizeof(request),
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nIdempotency-Key: %s\r\n"
        "%s%s%sContent-Length: %zu\r\n\r\n%s",
        path, key, token ? "Authorization: Bearer " : "", token ? token : "", token ? "\r\n" : "",
        strlen(body), body);
    if (n < 0 || (size_t)n >= sizeof(request) || !rest_open(r))
        return NULL;
    r->status = 0;
    if (send(r->fd, request, (size_t)n, MSG_NOSIGNAL) != n) {
        rest_close(r);
        return NULL;
    }
    const char *reply = rest_read(r);
    if (!reply) {
        rest_close(r);
        return NULL;
    }
    if (r->status / 100 != 2) {
        fprintf(stderr, "tableload: POST %s: status %d: %.300s\n", path, r->status, reply);
        return NULL;
    }
    return json_loads(reply, JSON_REJECT_DUPLICATES, NULL);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

static bool take_seat(struct grants *g, struct rest *r, const char *room)
{
    char path[96];
    int64_t table_id = 0, player_id = 0;
    json_t *guest = rest_post(r, "/v1/auth/guest", NULL, "{}");
    char *token = strdup(text_of(guest, "access_token"));
    text_i64(text_of(json_object_get(guest, "player"), "id"), 1, INT64_MAX, &player_id);
    snprintf(path, sizeof(path), "/v1/rooms/%s/seats", room);
    json_t *seat = token && *token ? rest_post(r, path, token, "{}") : NULL;
    bool ok = seat && text_i64(text_of(seat, "table_id"), 1, INT64_MAX, &table_id) &&
              grants_add(g, table_id, player_id, (int)json_integer_value(json_object_get(seat, "seat")),
                         text_of(seat, "ticket"));
    if (ok)
        g->items[g->n - 1].token = token;
    else
        free(token);
    json_decref(guest);
    json_decref(seat);
    return ok;
}

static int by_table(const void *a, const void *b)
{
    const struct grant *x = a, *y = b;
    if (x->table_id != y->table_id)
        return x->table_id < y->table_id ? -1 : 1;
    return x->seat - y->seat;
}

bool grants_by_rest(struct grants *g, const char *room, int tables, int seats)
{
    static struct rest r;
    r = (struct rest){.to = g->http, .fd = -1};
    g->source = GRANTS_REST;
    if (sodium_init() < 0)
        return false;
    for (int i = 0; i < tables * seats; i++) {
        if (!take_seat(g, &r, room)) {
            fprintf(stderr, "tableload: REST returned no seat (%s)\n",
                    r.status ? "refused" : strerror(errno));
            rest_close(&r);
            return false;
        }
    }
    rest_close(&r);
    qsort(g->items, g->n, sizeof(*g->items), by_table);
    return true;
}

bool grants_renew_rest(struct grants *g)
{
    static struct rest r;
    char path[96];
    bool ok = true;
    r = (struct rest){.to = g->http, .fd = -1};
    for (size_t i = 0; ok && i < g->n; i++) {
        if (!g->items[i].stale)
            continue;
        snprintf(path, sizeof(path), "/v1/tables/%" PRId64 "/tickets", g->items[i].table_id);
        json_t *answer = rest_post(&r, path, g->items[i].token, "{}");
        const char *ticket = text_of(answer, "ticket");
        ok = *ticket && strlen(ticket) < GRANT_TICKET_MAX;
        if (ok) {
            memcpy(g->items[i].ticket, ticket, strlen(ticket) + 1);
            g->items[i].stale = false;
        }
        json_decref(answer);
    }
    rest_close(&r);
    return ok;
}
