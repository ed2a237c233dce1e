/* Ways to pay, behind one interface: a provider takes an order (open), is asked what became of it (ask),
 * gives the money back (refund), calls us by itself (hook), and tells what happened lately (list). What it
 * says comes back as events of an order; what follows from an event is decided in the database
 * (db/functions/shop), where each counts once.
 *
 * Three take orders: Stripe Checkout (stripe.c), PayPal Orders v2 (paypal.c), and a carrier's paid SMS
 * (sms.c). A function that a provider has not is NULL; on and ask are always there. Without refund the money
 * is given back elsewhere: by the store, or by hand.
 *
 * open, check, deliver, ask, hook_ask, refund and list wait for the network: on a worker, or the shop's own
 * thread. hook only computes: any thread.
 */
#ifndef RUMMYD_PAY_PAY_H
#define RUMMYD_PAY_PAY_H

#include "net/fetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PAY_TOKEN_MAX = 37,      /* an order's name outside: a uuid, with the NUL */
    PAY_REF_MAX = 201,       /* names a provider gives */
    PAY_ORDER_REF_MAX = 513, /* of an order: the token of a store's purchase is long */
    PAY_PRODUCT_MAX = 129,   /* a product's name at a store */
    PAY_PROOF_MAX = 65536,   /* bytes of a receipt */
    PAY_CURSOR_MAX = 513,
    PAY_EVENT_MAX = 121,
    PAY_URL_MAX = 1601,
    PAY_CURRENCY_MAX = 4,
    PAY_WHY_MAX = NET_WHY_MAX,
    PAY_TOLERANCE_S = 300, /* a signed call may be so old, or so far ahead */
    PAY_HOOK_BYTES_MAX = 256 * 1024,
    PAY_SECRET_MAX = 256,
    PAY_NAMES_MAX = 128, /* bytes of their names, with commas and the NUL */
    PAY_HEADERS_MAX = 6, /* headers of a call that say whose it is */
};

struct pay_bearers;
struct pay_root;
struct net_google_account;

/* Constant after the start, but for what `bearers` keeps. An empty secret: this provider is off. */
struct pay_shop {
    const char *public_url;        /* of the page, without a slash at its end: where buyers come back to */
    struct net_client net;         /* how providers are asked */
    const char *stripe_url;        /* "https://api.stripe.com" */
    const char *stripe_page_host;  /* of its pages to pay on: "checkout.stripe.com" */
    const char *stripe_key;        /* of the API */
    const char *stripe_secret;     /* of the webhook */
    struct pay_bearers *bearers;   /* see bearer.h */
    const char *paypal_url;        /* "https://api-m.paypal.com" */
    const char *paypal_client;     /* the app's client id */
    const char *paypal_secret;     /* of the app */
    const char *paypal_webhook;    /* id of the webhook, as PayPal gave it */
    const char *sms_number;        /* the short code, digits */
    const char *sms_keyword;       /* the first word of what is sent */
    const char *sms_secret;        /* of the carrier's calls */
    const char *apple_bundle;      /* id of the app */
    const char *apple_environment; /* "Production", or "Sandbox" to try it */
    struct pay_root *apple_root;   /* see jws.h; NULL: off */
    const char *google_url;        /* "https://androidpublisher.googleapis.com" */
    const char *google_token_url;  /* "https://oauth2.googleapis.com/token" */
    const char *google_package;    /* name of the app */
    struct net_google_account *google_account; /* see net/google_account.h; NULL: off */
    bool google_tests;                         /* what testers buy for no money counts */
};

struct pay_order {
    char token[PAY_TOKEN_MAX];
    char ref[PAY_ORDER_REF_MAX];   /* empty until it is open */
    char product[PAY_PRODUCT_MAX]; /* of a store; else empty */
    char name[81];                 /* of what is sold */
    int64_t amount;                /* smallest unit of the currency */
    char currency[PAY_CURRENCY_MAX];
    int64_t expires_s; /* since 1970 */
};

/* Whether an address that a provider gave is a page to send buyers to: https, at one of these hosts (a blank
 * between), at no port and in nobody's name. */
bool pay_page_ok(const char *url, const char *hosts);

struct pay_opened {
    char ref[PAY_ORDER_REF_MAX];
    char url[PAY_URL_MAX]; /* where the buyer pays */
};

/* What an app posts. Borrowed. */
struct pay_receipt {
    const char *product;
    const char *proof; /* signed, or a token to ask for */
};

/* What a receipt proves. */
struct pay_bought {
    char ref[PAY_ORDER_REF_MAX]; /* of the purchase at its store: each buys once */
    char payment[PAY_REF_MAX];
    char product[PAY_PRODUCT_MAX];
    char account[PAY_TOKEN_MAX]; /* whose it is, as the app told the store; empty: it did not */
    int64_t at_s;                /* since 1970; 0: not said */
    int64_t revoked_s;
};

enum pay_receipt_result {
    PAY_RECEIPT_OK,
    PAY_RECEIPT_BAD,     /* it proves nothing of ours */
    PAY_RECEIPT_PENDING, /* not paid yet */
    PAY_RECEIPT_REVOKED, /* its money went back */
    PAY_RECEIPT_AGAIN,   /* the store cannot be reached */
};

/* All that is left of a payment is to go back. */
struct pay_refund {
    char token[PAY_TOKEN_MAX]; /* the name of this refund: the same again is the same one */
    char payment[PAY_REF_MAX];
};

enum pay_kind {
    PAY_NOTHING, /* nothing that concerns an order */
    PAY_NEWS,    /* something happened to the order it names: the provider should be asked for it */
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
    char token[PAY_TOKEN_MAX];   /* of the order; valid as a uuid or empty */
    char ref[PAY_ORDER_REF_MAX]; /* of the order at the provider */
    char payment[PAY_REF_MAX];   /* of the payment, which refunds and disputes name */
    char subject[PAY_REF_MAX];   /* of the dispute, or of the refund */
    bool whole; /* amount and currency are those of the order, which the provider does not say */
    int64_t amount;
    int64_t price; /* PAY_PAID: of what was sold, before discounts and taxes; 0: it is the amount */
    bool part;     /* PAY_REFUNDED: the amount is of the refund that `subject` names, not of all so far */
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
    PAY_HOOK_ASK,      /* only the network can tell: ask hook_ask */
    PAY_HOOK_AGAIN,    /* it could not be told: the provider should call again */
};

struct pay_hook {
    const char *body; /* as it came */
    size_t len;
    const char *headers[PAY_HEADERS_MAX]; /* those the provider names, in its order; NULL: not sent */
    int64_t now_s;
};

/* One page of what happened at a provider. */
struct pay_list {
    int64_t from_s; /* since 1970; all pages of one list have the same */
    char
        cursor[PAY_CURSOR_MAX]; /* of this page, empty for the first; then of the next, empty: this was all */
    /* Called with each event that concerns an order. */
    void (*each)(void *ctx, const struct pay_event *event);
    void *ctx;
};

struct pay_provider {
    const char *name;
    const char *hook_headers[PAY_HEADERS_MAX]; /* that say whose a call is; NULL behind the last */
    bool (*on)(const struct pay_shop *shop);
    /* Repeatable: the same order gives the same answer. why: for the log, on anything but PAY_OK. */
    enum pay_outcome (*open)(const struct pay_shop *shop, const struct pay_order *order,
                             struct pay_opened *opened, char why[PAY_WHY_MAX]);
    /* What a receipt proves; *bought is set on PAY_RECEIPT_OK. */
    enum pay_receipt_result (*check)(const struct pay_shop *shop, const struct pay_receipt *receipt,
                                     struct pay_bought *bought, char why[PAY_WHY_MAX]);
    /* Tells the store that what was bought has been given. Repeatable. PAY_OK or PAY_AGAIN. */
    enum pay_outcome (*deliver)(const struct pay_shop *shop, const struct pay_order *order,
                                char why[PAY_WHY_MAX]);
    /* PAY_OK with PAY_NOTHING: the buyer has not paid yet. */
    enum pay_outcome (*ask)(const struct pay_shop *shop, const struct pay_order *order,
                            struct pay_event *event, char why[PAY_WHY_MAX]);
    /* PAY_OK: the money goes back, or had gone back before. ref: the provider's name of it, or empty. */
    enum pay_outcome (*refund)(const struct pay_shop *shop, const struct pay_refund *refund,
                               char ref[PAY_REF_MAX], char why[PAY_WHY_MAX]);
    enum pay_hook_result (*hook)(const struct pay_shop *shop, const struct pay_hook *call,
                                 struct pay_event *event);
    /* The same for a call of which `hook` said PAY_HOOK_ASK; never says so itself. */
    enum pay_hook_result (*hook_ask)(const struct pay_shop *shop, const struct pay_hook *call,
                                     struct pay_event *event, char why[PAY_WHY_MAX]);
    /* The same events as by the hook, under the same ids, so that each counts once. */
    enum pay_outcome (*list)(const struct pay_shop *shop, struct pay_list *list, char why[PAY_WHY_MAX]);
};

extern const struct pay_provider pay_stripe, pay_paypal, pay_sms, pay_apple, pay_google;

/* Provider i, NULL behind the last. */
const struct pay_provider *pay_provider_at(size_t i);
/* The provider of that name if it is switched on, else NULL. */
const struct pay_provider *pay_find(const struct pay_shop *shop, const char *name);
/* The names of the providers for which `which` holds, with commas. */
void pay_names(const struct pay_shop *shop,
               bool (*which)(const struct pay_provider *, const struct pay_shop *), char out[PAY_NAMES_MAX]);
bool pay_is_on(const struct pay_provider *provider, const struct pay_shop *shop);
bool pay_refunds(const struct pay_provider *provider, const struct pay_shop *shop);
/* As the database calls it: "paid"; NULL for PAY_NOTHING and PAY_NEWS. */
const char *pay_kind_name(enum pay_kind kind);

#endif
