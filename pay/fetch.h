/* One HTTP request to a provider over libcurl: bounded in time and size, repeated while nobody answers, given
 * up when the process stops. Waits for the network: on a worker or a thread of its own. */
#ifndef RUMMYD_PAY_FETCH_H
#define RUMMYD_PAY_FETCH_H

#include "base/buf.h"
#include "pay/pay.h"

enum {
    FETCH_BODY_MAX = 1024 * 1024, /* bytes of an answer */
    FETCH_PAUSE_MS = 200,         /* before the second try, twice that before the third */
    FETCH_FORM_MAX = 4096,
};

struct pay_fetch {
    const char *url;
    const char *bearer; /* goes into Authorization; NULL: user and password do, if there are any */
    const char *user, *password;
    const char *form;           /* POST of application/x-www-form-urlencoded; NULL: it is none */
    const char *json;           /* POST of application/json; both NULL: GET */
    const char *const *headers; /* further ones, "Name: value", NULL behind the last; may be NULL */
};

struct pay_fetched {
    long status; /* 0: no answer */
    char *body;  /* with a NUL behind it; pay_fetch_free */
    size_t len;
    char why[PAY_WHY_MAX]; /* when there is no answer */
};

/* Asks until the answer is neither missing nor one of 409, 429, 5xx; PAY_TRIES_MAX times at most. The request
 * must be safe to repeat. false: no answer at all. */
bool pay_fetch_run(const struct pay_shop *shop, const struct pay_fetch *fetch, struct pay_fetched *out);
/* What the status of an answer means for what was asked; why: set when there is no answer. 401 and 403 mean
 * that our key is wrong, which an operator mends: what was asked for is none the worse. */
enum pay_outcome pay_fetch_outcome(const struct pay_fetched *answer, char why[PAY_WHY_MAX]);
void pay_fetch_free(struct pay_fetched *fetched);

/* Adds "name=value" to a form, the value percent-encoded. */
void pay_fetch_form(struct buf *form, const char *name, const char *value);
void pay_fetch_form_int(struct buf *form, const char *name, int64_t value);

#endif
