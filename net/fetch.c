/* HTTP requests with libcurl; see fetch.h. */
#include "net/fetch.h"

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/url.h"

#include <curl/curl.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONNECT_MS_MAX 5000L
#define PAUSE_SLICE_MS 20
#define ORIGIN_MAX 264 /* https://, a host name, and a port, including the NUL */

static bool stopped(const struct net_client *client)
{
    return client->stop && atomic_load(client->stop);
}

static size_t on_body(char *bytes, size_t size, size_t n, void *arg)
{
    struct net_fetched *out = arg;
    size_t len = size * n;
    if (len > NET_BODY_MAX - out->len)
        return 0; /* aborts the transfer */
    memcpy(out->body + out->len, bytes, len);
    out->len += len;
    out->body[out->len] = '\0';
    return len;
}

static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    return stopped(arg) ? 1 : 0;
}

static _Thread_local char trace_header[sizeof("traceparent: ") + NET_TRACE_MAX]; /* empty: none */

void net_fetch_trace(const char *traceparent)
{
    ASSERT(!traceparent || strlen(traceparent) < NET_TRACE_MAX);
    (void)snprintf(trace_header, sizeof(trace_header), "%s%s", traceparent ? "traceparent: " : "",
                   traceparent ? traceparent : "");
}

/* NULL: out of memory; the list is freed. */
static struct curl_slist *longer(struct curl_slist *list, const char *header)
{
    struct curl_slist *with = curl_slist_append(list, header);
    if (!with)
        curl_slist_free_all(list);
    return with;
}

static struct curl_slist *make_headers(const struct net_fetch *fetch)
{
    char text[NET_BEARER_MAX + 32] = "Accept: application/json";
    if (fetch->bearer)
        (void)snprintf(text, sizeof(text), "Authorization: Bearer %s", fetch->bearer);
    struct curl_slist *list = curl_slist_append(NULL, text);
    sodium_memzero(text, sizeof(text));
    if (list && fetch->json && !curl_slist_append(list, "Content-Type: application/json")) {
        curl_slist_free_all(list);
        list = NULL;
    }
    if (list && trace_header[0])
        list = longer(list, trace_header);
    for (size_t i = 0; list && fetch->headers && fetch->headers[i]; i++)
        list = longer(list, fetch->headers[i]);
    return list;
}

static bool set_up(CURL *curl, const struct net_client *client, const struct net_fetch *fetch,
                   struct curl_slist *headers, struct net_fetched *out)
{
    long total = (long)client->timeout_ms, connect = total < CONNECT_MS_MAX ? total : CONNECT_MS_MAX;
    CURLcode bad = CURLE_OK;
#define SET(option, value) bad = bad ? bad : curl_easy_setopt(curl, option, value)
    SET(CURLOPT_URL, fetch->url);
    SET(CURLOPT_PROTOCOLS_STR, "https,http");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, connect);
    SET(CURLOPT_TIMEOUT_MS, total);
    SET(CURLOPT_USERAGENT, "rummyd");
    SET(CURLOPT_ACCEPT_ENCODING,
        ""); /* all encodings that libcurl supports; without this header, servers may choose any */
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)out);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, on_progress);
    SET(CURLOPT_XFERINFODATA, (void *)(uintptr_t)client);
    if (!fetch->bearer && fetch->user) {
        SET(CURLOPT_USERNAME, fetch->user);
        SET(CURLOPT_PASSWORD, fetch->password);
    }
    if (fetch->form || fetch->json)
        SET(CURLOPT_POSTFIELDS, fetch->form ? fetch->form : fetch->json);
#undef SET
    return bad == CURLE_OK;
}

/* Logs a TLS failure, which means an impostor or a wrong certificate, so that a retry does not help. Logs
 * only the host, because the rest of a URL may identify an order. */
static void log_tls_fault(const char *url, CURLcode code)
{
    struct url parts;
    (void)url_read(url, &parts);
    log_error("tls_fault", LOG_TEXT("host", parts.host), LOG_TEXT("why", curl_easy_strerror(code)));
}

static bool is_tls_fault(CURLcode code)
{
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR ||
           code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CIPHER || code == CURLE_SSL_CACERT_BADFILE ||
           code == CURLE_SSL_ISSUER_ERROR || code == CURLE_SSL_INVALIDCERTSTATUS;
}

/* Makes one attempt. *out has the response, or the reason why there is none. */
static void run_once(const struct net_client *client, const struct net_fetch *fetch, struct net_fetched *out)
{
    curl_off_t retry_s = 0;
    out->status = 0;
    out->len = 0;
    out->body[0] = '\0';
    out->retry_s = 0;
    struct curl_slist *headers = make_headers(fetch);
    CURL *curl = headers ? curl_easy_init() : NULL;
    CURLcode code =
        curl && set_up(curl, client, fetch, headers, out) ? curl_easy_perform(curl) : CURLE_FAILED_INIT;
    if (code == CURLE_OK)
        code = curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &out->status);
    if (code == CURLE_OK && curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_s) == CURLE_OK &&
        retry_s > 0)
        out->retry_s = retry_s < NET_RETRY_S_MAX ? (int64_t)retry_s : NET_RETRY_S_MAX;
    if (code != CURLE_OK) {
        out->status = 0; /* a truncated response does not count */
        if (is_tls_fault(code))
            log_tls_fault(fetch->url, code);
        (void)snprintf(out->why, sizeof(out->why), "%s", curl_easy_strerror(code));
    }
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
}

/* --- servers that requested a pause (Retry-After) --- */

static pthread_mutex_t waits_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    char origin[ORIGIN_MAX]; /* scheme, host, and port */
    int64_t until_ms;        /* monotonic */
} waits[NET_WAITS_MAX];

static void read_origin(const char *url, char out[ORIGIN_MAX])
{
    struct url parts;
    (void)url_read(url, &parts);
    (void)snprintf(out, ORIGIN_MAX, "%.*s", (int)parts.origin, url);
}

/* Replaces the server's wait or, if it has none, the one that ends first. */
static void keep_wait(const char *url, int64_t until_ms)
{
    char origin[ORIGIN_MAX];
    size_t place = 0;
    read_origin(url, origin);
    (void)pthread_mutex_lock(&waits_lock);
    for (size_t i = 0; i < NET_WAITS_MAX; i++) {
        bool same = strcmp(waits[i].origin, origin) == 0;
        if (same || waits[i].until_ms < waits[place].until_ms)
            place = i;
        if (same)
            break;
    }
    (void)snprintf(waits[place].origin, ORIGIN_MAX, "%s", origin);
    waits[place].until_ms = until_ms;
    (void)pthread_mutex_unlock(&waits_lock);
}

/* Seconds until the server may be called again, rounded up; 0: now. */
static int64_t wait_left_s(const char *url)
{
    char origin[ORIGIN_MAX];
    int64_t left_ms = 0;
    read_origin(url, origin);
    (void)pthread_mutex_lock(&waits_lock);
    for (size_t i = 0; i < NET_WAITS_MAX; i++)
        if (strcmp(waits[i].origin, origin) == 0)
            left_ms = waits[i].until_ms - clock_mono_ms();
    (void)pthread_mutex_unlock(&waits_lock);
    return left_ms > 0 ? (left_ms + 999) / 1000 : 0;
}

static bool has_retry_after(const struct net_fetched *answer)
{
    return answer->retry_s > 0 && (answer->status == 429 || answer->status >= 500);
}

/* --- attempts --- */

static bool worth_repeating(long status)
{
    return status == 0 || status == 409 || status == 429 || status >= 500;
}

static void pause_before(const struct net_client *client, int try_no)
{
    struct timespec slice = {.tv_nsec = PAUSE_SLICE_MS * 1000000L};
    for (int ms = NET_PAUSE_MS << (try_no - 1); ms > 0 && !stopped(client); ms -= PAUSE_SLICE_MS)
        (void)nanosleep(&slice, NULL);
}

bool net_fetch_run(const struct net_client *client, const struct net_fetch *fetch, struct net_fetched *out)
{
    ASSERT(!fetch->bearer || strlen(fetch->bearer) < NET_BEARER_MAX);
    ASSERT(!fetch->user == !fetch->password);
    *out = (struct net_fetched){.body = malloc(NET_BODY_MAX + 1)};
    if (!out->body) {
        (void)snprintf(out->why, sizeof(out->why), "out of memory");
        return false;
    }
    for (int i = 0; i < NET_TRIES_MAX; i++) {
        if (i > 0)
            pause_before(client, i);
        out->retry_s = wait_left_s(fetch->url);
        if (out->retry_s > 0) {
            out->status = 0;
            (void)snprintf(out->why, sizeof(out->why), "it accepts no requests for %lld s (Retry-After)",
                           (long long)out->retry_s);
            break;
        }
        if (stopped(client)) {
            (void)snprintf(out->why, sizeof(out->why), "the server stops");
            break;
        }
        run_once(client, fetch, out);
        if (has_retry_after(out))
            keep_wait(fetch->url, clock_mono_ms() + out->retry_s * 1000);
        if (fetch->once || out->retry_s > 0 || !worth_repeating(out->status))
            break;
    }
    return out->status != 0;
}

void net_fetch_free(struct net_fetched *fetched)
{
    free(fetched->body);
    fetched->body = NULL;
}

void net_fetch_encode(struct buf *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    for (const char *p = text; *p; p++) {
        if (strchr(plain, *p))
            buf_put(out, p, 1);
        else
            buf_fmt(out, "%%%02X", (unsigned)(unsigned char)*p);
    }
}

void net_fetch_form(struct buf *form, const char *name, const char *value)
{
    if (form->len > 0)
        buf_str(form, "&");
    buf_str(form, name);
    buf_str(form, "=");
    net_fetch_encode(form, value);
}

void net_fetch_form_int(struct buf *form, const char *name, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%lld", (long long)value);
    net_fetch_form(form, name, text);
}

bool net_start(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}
