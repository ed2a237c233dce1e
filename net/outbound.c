/* Requests to untrusted URLs; see outbound.h. */
#include "net/outbound.h"

#include "base/addr.h"
#include "base/bug.h"
#include "base/url.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define CONNECT_MS_MAX 5000L
#define RETRY_S_MAX 86400
#define IDLE_MAX 16L /* connections kept for the next request */

struct slot {
    CURL *curl; /* NULL: free */
    struct curl_slist *headers;
    size_t read;    /* bytes of the response */
    bool forbidden; /* an address was rejected */
    struct net_outbound_answer answer;
};

struct net_outbound {
    CURLM *multi;
    int64_t timeout_ms;
    int free;
    struct slot slots[NET_OUTBOUND_SLOTS_MAX];
};

/* --- addresses --- */

static bool is_public_host(const char *host)
{
    struct addr addr;
    char plain[ADDR_TEXT_MAX];
    size_t len = strlen(host);
    if (host[0] == '[' && len > 2 && len - 2 < sizeof(plain)) {
        memcpy(plain, host + 1, len - 2);
        plain[len - 2] = '\0';
        return addr_of_text(plain, &addr) && addr_is_public(&addr);
    }
    if (addr_of_text(host, &addr))
        return addr_is_public(&addr);
    const char *last = strrchr(host, '.');
    return last && last[1] != '\0' && strcasecmp(last, ".localhost") != 0 &&
           strcasecmp(last, ".local") != 0 && strcasecmp(last, ".internal") != 0;
}

enum net_outbound_fault net_outbound_judge(const char *text, bool private_ok)
{
    struct url url;
    bool ok =
        strlen(text) <= NET_OUTBOUND_URL_MAX && !url_read(text, &url) && !url.user && !strchr(text, '#');
    if (!ok || (strcmp(url.scheme, "https") != 0 && strcmp(url.scheme, "http") != 0))
        return NET_OUTBOUND_NO_URL;
    if (private_ok)
        return NET_OUTBOUND_GOOD;
    if (strcmp(url.scheme, "https") != 0 || (url.port && url.port != 443 && url.port != 8443))
        return NET_OUTBOUND_NO_HTTPS;
    return is_public_host(url.host) ? NET_OUTBOUND_GOOD : NET_OUTBOUND_NO_PUBLIC;
}

static bool host_is(const char *host, const char *wanted, size_t len)
{
    size_t n = strlen(host);
    bool below = len > 1 && wanted[0] == '.';
    return (below ? n > len : n == len) && strncasecmp(host + n - len, wanted, len) == 0;
}

bool net_outbound_host_listed(const char *text, const char *hosts)
{
    struct url url;
    bool listed = false;
    for (const char *at = url_read(text, &url) ? "" : hosts; !listed && *at;) {
        at += strspn(at, " ,");
        size_t len = strcspn(at, " ,");
        listed = len > 0 && host_is(url.host, at, len);
        at += len;
    }
    return listed;
}

/* Checks the address to be connected to, because the resolved address counts, not the host name. */
static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *to)
{
    struct slot *slot = arg;
    struct addr addr;
    if (purpose != CURLSOCKTYPE_IPCXN || !addr_of_sockaddr(&to->addr, &addr) || !addr_is_public(&addr)) {
        slot->forbidden = true;
        return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

/* --- requests --- */

static size_t on_body(char *bytes, size_t size, size_t n, void *arg)
{
    struct slot *slot = arg;
    struct net_outbound_answer *answer = &slot->answer;
    size_t len = size * n, room = NET_OUTBOUND_BODY_MAX - answer->len, kept = len < room ? len : room;
    memcpy(answer->body + answer->len, bytes, kept);
    answer->len += kept;
    answer->body[answer->len] = '\0';
    answer->more = answer->more || kept < len;
    slot->read += len;
    return slot->read <= NET_OUTBOUND_READ_MAX ? len : 0; /* 0 aborts; the status is already known */
}

static bool set_up(const struct net_outbound *out, struct slot *slot, const struct net_outbound_post *post)
{
    long total = (long)out->timeout_ms, connect = total < CONNECT_MS_MAX ? total : CONNECT_MS_MAX;
    CURL *curl = slot->curl;
    CURLcode bad = CURLE_OK;
#define SET(option, value) bad = bad ? bad : curl_easy_setopt(curl, option, value)
    SET(CURLOPT_URL, post->url);
    SET(CURLOPT_PROTOCOLS_STR, post->private_ok ? "https,http" : "https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_PROXY, ""); /* ignores the environment, because a proxy would resolve names for us */
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, connect);
    SET(CURLOPT_TIMEOUT_MS, total);
    SET(CURLOPT_USERAGENT, "rummyd");
    SET(CURLOPT_HTTPHEADER, slot->headers);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)slot);
    SET(CURLOPT_PRIVATE, (void *)slot);
    SET(CURLOPT_POSTFIELDSIZE, (long)post->len);
    SET(CURLOPT_COPYPOSTFIELDS, post->body);
    if (!post->private_ok && !post->ours) {
        SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
        SET(CURLOPT_OPENSOCKETDATA, (void *)slot);
        SET(CURLOPT_FRESH_CONNECT, 1L); /* must not reuse a connection made under other rules */
    }
#undef SET
    return bad == CURLE_OK;
}

static void release(struct net_outbound *out, struct slot *slot)
{
    if (slot->curl)
        (void)curl_multi_remove_handle(out->multi, slot->curl);
    curl_easy_cleanup(slot->curl);
    curl_slist_free_all(slot->headers);
    slot->curl = NULL;
    slot->headers = NULL;
}

struct net_outbound *net_outbound_open(int64_t timeout_ms)
{
    ASSERT(timeout_ms > 0);
    struct net_outbound *out = calloc(1, sizeof(*out));
    if (!out)
        return NULL;
    out->timeout_ms = timeout_ms;
    out->free = NET_OUTBOUND_SLOTS_MAX;
    out->multi = curl_multi_init();
    if (out->multi && curl_multi_setopt(out->multi, CURLMOPT_MAXCONNECTS, IDLE_MAX) == CURLM_OK)
        return out;
    net_outbound_close(out);
    return NULL;
}

void net_outbound_close(struct net_outbound *out)
{
    if (!out)
        return;
    for (int i = 0; i < NET_OUTBOUND_SLOTS_MAX; i++)
        release(out, &out->slots[i]);
    (void)curl_multi_cleanup(out->multi);
    free(out);
}

int net_outbound_free(const struct net_outbound *out)
{
    return out->free;
}

bool net_outbound_send(struct net_outbound *out, const struct net_outbound_post *post)
{
    struct slot *slot = out->slots;
    while (slot < out->slots + NET_OUTBOUND_SLOTS_MAX && slot->curl)
        slot++;
    if (slot == out->slots + NET_OUTBOUND_SLOTS_MAX)
        return false;
    memset(slot, 0, sizeof(*slot));
    slot->answer.tag = post->tag;
    bool ok = true;
    for (size_t i = 0; ok && post->headers[i]; i++) {
        struct curl_slist *with = curl_slist_append(slot->headers, post->headers[i]);
        ok = with != NULL;
        slot->headers = ok ? with : slot->headers;
    }
    slot->curl = ok ? curl_easy_init() : NULL;
    ok = slot->curl && set_up(out, slot, post) && curl_multi_add_handle(out->multi, slot->curl) == CURLM_OK;
    if (ok)
        out->free--;
    else
        release(out, slot);
    return ok;
}

/* Sets the result of the transfer. Once there is a status, it counts no matter how the body ended. */
static void finish(struct slot *slot, CURLcode code)
{
    struct net_outbound_answer *answer = &slot->answer;
    curl_off_t retry_s = 0;
    (void)curl_easy_getinfo(slot->curl, CURLINFO_RESPONSE_CODE, &answer->status);
    (void)curl_easy_getinfo(slot->curl, CURLINFO_RETRY_AFTER, &retry_s);
    answer->retry_s = retry_s > RETRY_S_MAX ? RETRY_S_MAX : retry_s > 0 ? (int64_t)retry_s : 0;
    if (answer->status < 200 || answer->status > 999) {
        answer->status = 0;
        answer->forbidden = slot->forbidden;
        (void)snprintf(answer->why, sizeof(answer->why), "%s",
                       slot->forbidden    ? "the address is private"
                       : code == CURLE_OK ? "the response has no status"
                                          : curl_easy_strerror(code));
    }
}

bool net_outbound_next(struct net_outbound *out, int wait_ms, struct net_outbound_answer *answer)
{
    int running = 0, left = 0;
    const CURLMsg *done = NULL;
    (void)curl_multi_perform(out->multi, &running);
    while ((done = curl_multi_info_read(out->multi, &left)) == NULL && running > 0 && wait_ms > 0) {
        (void)curl_multi_poll(out->multi, NULL, 0, wait_ms, NULL);
        wait_ms = 0;
        (void)curl_multi_perform(out->multi, &running);
    }
    if (!done || done->msg != CURLMSG_DONE)
        return false;
    struct slot *slot = NULL;
    (void)curl_easy_getinfo(done->easy_handle, CURLINFO_PRIVATE, (char **)&slot);
    ASSERT(slot && slot->curl == done->easy_handle);
    finish(slot, done->data.result);
    *answer = slot->answer;
    release(out, slot);
    out->free++;
    return true;
}
