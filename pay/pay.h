/* Ways to pay, behind one interface: a provider takes an order (open), is asked what became of it (ask),
 * gives the money back (refund), and calls us by itself (hook). What it says comes back as events of an
 * order; what follows from an event is decided in the database (db/functions/shop), where
 * each counts once.
 *
 * Shaped for three. Stripe Checkout is here (stripe.c). PayPal Orders v2: open creates the order and gives
 * the page to approve it, ask captures an approved one, refund gives a capture back, hook asks PayPal whether
 * a call is its own. SMS: open needs no network, hook is the carrier's signed call, ask knows nothing, and a
 * carrier refuses each refund.
 *
 * open, ask and refund wait for the network: on a worker, or the shop's own thread. hook only computes: any
 * thread.
 */
#ifndef RUMMYD_PAY_PAY_H
#define RUMMYD_PAY_PAY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PAY_TOKEN_MAX = 37, /* an order's name outside: a uuid, with the NUL */
    PAY_REF_MAX = 201,  /* names a provider gives */
    PAY_EVENT_MAX = 121,
    PAY_URL_MAX = 1601,
    PAY_CURRENCY_MAX = 4,
    PAY_WHY_MAX = 160,
    PAY_TRIES_MAX = 3,     /* of one call that gets no answer */
    PAY_TOLERANCE_S = 300, /* a signed call may be so old, or so far ahead */
    PAY_HOOK_BYTES_MAX = 256 * 1024,
    PAY_SECRET_MAX = 256,
};

/* Constant after the start. An empty secret: this provider is off. */
struct pay_shop {
    const char *public_url;    /* of the page, without a slash at its end: where buyers come back to */
    int64_t timeout_ms;        /* of one try */
    const atomic_bool *stop;   /* gives up what is on its way; NULL: never */
    const char *stripe_url;    /* "https://api.stripe.com" */
    const char *stripe_key;    /* of the API */
    const char *stripe_secret; /* of the webhook */
};

struct pay_order {
    char token[PAY_TOKEN_MAX];
    char ref[PAY_REF_MAX]; /* empty until it is open */
    char name[81];         /* of what is sold */
    int64_t amount;        /* smallest unit of the currency */
    char currency[PAY_CURRENCY_MAX];
    int64_t expires_s; /* since 1970 */
};

struct pay_opened {
    char ref[PAY_REF_MAX];
    char url[PAY_URL_MAX]; /* where the buyer pays */
};

/* All that is left of a payment is to go back. */
struct pay_refund {
    char token[PAY_TOKEN_MAX]; /* the name of this refund: the same again is the same one */
    char payment[PAY_REF_MAX];
};

enum pay_kind {
    PAY_NOTHING, /* nothing that concerns an order */
    PAY_PAID,
    PAY_FAILED,
    PAY_EXPIRED,
    PAY_REFUNDED,      /* amount: all that was given back so far */
    PAY_REFUND_FAILED, /* subject: the refund; amount: what did not arrive and came back */
    PAY_DISPUTED,
    PAY_DISPUTE_WON,
    PAY_DISPUTE_LOST,
};

/* An event. Texts a provider did not give are empty. */
struct pay_event {
    char id[PAY_EVENT_MAX]; /* the provider's own: the same event twice has the same */
    enum pay_kind kind;
    char token[PAY_TOKEN_MAX]; /* of the order; valid as a uuid or empty */
    char ref[PAY_REF_MAX];     /* of the order at the provider */
    char payment[PAY_REF_MAX]; /* of the payment, which refunds and disputes name */
    char subject[PAY_REF_MAX]; /* of the dispute, or of the refund that failed */
    int64_t amount;
    char currency[PAY_CURRENCY_MAX];
    int64_t at_s; /* when it happened, since 1970 by the provider's clock; 0: not said */
};

enum pay_outcome {
    PAY_OK,
    PAY_AGAIN,   /* nobody answered, or "later": it may have happened; the same again is safe */
    PAY_REFUSED, /* it did not happen and will not */
    PAY_UNKNOWN, /* the provider has no such order */
};

enum pay_hook_result {
    PAY_HOOK_OK,
    PAY_HOOK_UNSIGNED, /* not by the provider */
    PAY_HOOK_STALE,    /* by the provider, but long ago: a replay */
    PAY_HOOK_BAD,      /* signed and not understood */
};

struct pay_hook {
    const char *body; /* as it came */
    size_t len;
    const char *signature; /* the header named by the provider; NULL: none */
    int64_t now_s;
};

struct pay_provider {
    const char *name;
    const char *signature_header;
    bool (*on)(const struct pay_shop *shop);
    /* Repeatable: the same order gives the same answer. why: for the log, on anything but PAY_OK. */
    enum pay_outcome (*open)(const struct pay_shop *shop, const struct pay_order *order,
                             struct pay_opened *opened, char why[PAY_WHY_MAX]);
    /* PAY_OK with PAY_NOTHING: the buyer has not paid yet. */
    enum pay_outcome (*ask)(const struct pay_shop *shop, const struct pay_order *order,
                            struct pay_event *event, char why[PAY_WHY_MAX]);
    /* PAY_OK: the money goes back, or had gone back before. ref: the provider's name of it, or empty. */
    enum pay_outcome (*refund)(const struct pay_shop *shop, const struct pay_refund *refund,
                               char ref[PAY_REF_MAX], char why[PAY_WHY_MAX]);
    enum pay_hook_result (*hook)(const struct pay_shop *shop, const struct pay_hook *call,
                                 struct pay_event *event);
};

extern const struct pay_provider pay_stripe;

/* Provider i, NULL behind the last. */
const struct pay_provider *pay_provider_at(size_t i);
/* The provider of that name if it is switched on, else NULL. */
const struct pay_provider *pay_find(const struct pay_shop *shop, const char *name);
/* As the database calls it: "paid"; NULL for PAY_NOTHING. */
const char *pay_kind_name(enum pay_kind kind);

/* Once, on the main thread, before any other starts. */
bool pay_start(void);

#endif
