/* Requests over libcurl; see fetch.h. */
#include "pay/fetch.h"

#include "base/bug.h"
#include "pay/bearer.h"

#include <curl/curl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONNECT_MS_MAX 5000L
#define PAUSE_SLICE_MS 20

static bool stopped(const struct pay_shop *shop)
{
    return shop->stop && atomic_load(shop->stop);
}

static size_t on_body(char *bytes, size_t size, size_t n, void *arg)
{
    struct pay_fetched *out = arg;
    size_t len = size * n;
    if (len > FETCH_BODY_MAX - out->len)
        return 0; /* ends the transfer */
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

static struct curl_slist *make_headers(const struct pay_fetch *fetch)
{
    char text[PAY_BEARER_MAX + 32] = "Accept: application/json";
    if (fetch->bearer)
        (void)snprintf(text, sizeof(text), "Authorization: Bearer %s", fetch->bearer);
    struct curl_slist *list = curl_slist_append(NULL, text);
    sodium_memzero(text, sizeof(text));
    if (list && fetch->json && !curl_slist_append(list, "Content-Type: application/json")) {
        curl_slist_free_all(list);
        list = NULL;
    }
    for (size_t i = 0; list && fetch->headers && fetch->headers[i]; i++) {
        struct curl_slist *longer = curl_slist_append(list, fetch->headers[i]);
        if (!longer)
            curl_slist_free_all(list);
        list = longer;
    }
    return list;
}

static bool set_up(CURL *curl, const struct pay_shop *shop, const struct pay_fetch *fetch,
                   struct curl_slist *headers, struct pay_fetched *out)
{
    long total = (long)shop->timeout_ms, connect = total < CONNECT_MS_MAX ? total : CONNECT_MS_MAX;
    CURLcode bad = CURLE_OK;
#define SET(option, value) bad = bad ? bad : curl_easy_setopt(curl, option, value)
    SET(CURLOPT_URL, fetch->url);
    SET(CURLOPT_PROTOCOLS_STR, "https,http");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, connect);
    SET(CURLOPT_TIMEOUT_MS, total);
    SET(CURLOPT_USERAGENT, "rummyd");
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, (void *)out);
    SET(CURLOPT_NOPROGRESS, 0L);
    SET(CURLOPT_XFERINFOFUNCTION, on_progress);
    SET(CURLOPT_XFERINFODATA, (void *)(uintptr_t)shop);
    if (!fetch->bearer && fetch->user) {
        SET(CURLOPT_USERNAME, fetch->user);
        SET(CURLOPT_PASSWORD, fetch->password);
    }
    if (fetch->form || fetch->json)
        SET(CURLOPT_POSTFIELDS, fetch->form ? fetch->form : fetch->json);
#undef SET
    return bad == CURLE_OK;
}

/* One try; the answer is in *out, or why there is none. */
static void run_once(const struct pay_shop *shop, const struct pay_fetch *fetch, struct pay_fetched *out)
{
    out->status = 0;
    out->len = 0;
    out->body[0] = '\0';
    struct curl_slist *headers = make_headers(fetch);
    CURL *curl = headers ? curl_easy_init() : NULL;
    CURLcode code =
        curl && set_up(curl, shop, fetch, headers, out) ? curl_easy_perform(curl) : CURLE_FAILED_INIT;
    if (code == CURLE_OK)
        code = curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &out->status);
    if (code != CURLE_OK) {
        out->status = 0; /* half an answer is none */
        (void)snprintf(out->why, sizeof(out->why), "%s", curl_easy_strerror(code));
    }
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
}

static bool worth_repeating(long status)
{
    return status == 0 || status == 409 || status == 429 || status >= 500;
}

static void pause_before(const struct pay_shop *shop, int try_no)
{
    struct timespec slice = {.tv_nsec = PAUSE_SLICE_MS * 1000000L};
    for (int ms = FETCH_PAUSE_MS << (try_no - 1); ms > 0 && !stopped(shop); ms -= PAUSE_SLICE_MS)
        (void)nanosleep(&slice, NULL);
}

bool pay_fetch_run(const struct pay_shop *shop, const struct pay_fetch *fetch, struct pay_fetched *out)
{
    ASSERT(!fetch->bearer || strlen(fetch->bearer) < PAY_BEARER_MAX);
    ASSERT(!fetch->user == !fetch->password);
    *out = (struct pay_fetched){.body = malloc(FETCH_BODY_MAX + 1)};
    if (!out->body) {
        (void)snprintf(out->why, sizeof(out->why), "out of memory");
        return false;
    }
    for (int i = 0; i < PAY_TRIES_MAX; i++) {
        if (i > 0)
            pause_before(shop, i);
        if (stopped(shop)) {
            (void)snprintf(out->why, sizeof(out->why), "the server stops");
            break;
        }
        run_once(shop, fetch, out);
        if (!worth_repeating(out->status))
            break;
    }
    return out->status != 0;
}

enum pay_outcome pay_fetch_outcome(const struct pay_fetched *answer, char why[PAY_WHY_MAX])
{
    if (answer->status >= 200 && answer->status < 300)
        return PAY_OK;
    if (answer->status == 0) {
        (void)snprintf(why, PAY_WHY_MAX, "%s", answer->why);
        return PAY_AGAIN;
    }
    if (answer->status == 404)
        return PAY_UNKNOWN;
    bool refused = answer->status >= 400 && answer->status < 500 && answer->status != 401 &&
                   answer->status != 403 && answer->status != 409 && answer->status != 429;
    return refused ? PAY_REFUSED : PAY_AGAIN;
}

void pay_fetch_free(struct pay_fetched *fetched)
{
    free(fetched->body);
    fetched->body = NULL;
}

void pay_fetch_form(struct buf *form, const char *name, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    if (form->len > 0)
        buf_str(form, "&");
    buf_str(form, name);
    buf_str(form, "=");
    for (const char *p = value; *p; p++) {
        if (strchr(plain, *p))
            buf_put(form, p, 1);
        else
            buf_fmt(form, "%%%02X", (unsigned)(unsigned char)*p);
    }
}

void pay_fetch_form_int(struct buf *form, const char *name, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%lld", (long long)value);
    pay_fetch_form(form, name, text);
}
