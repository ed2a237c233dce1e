/* Payment providers behind one interface: a provider takes an order (open), is queried for its state (query),
 * refunds it (refund), sends us webhooks (hook), and lists recent events (list). Its answers become events of
 * an order; the database determines their effect (db/functions/shop), where each counts once.
 *
 * Three take orders: Stripe Checkout (stripe.c), PayPal Orders v2 (paypal.c), and a carrier's paid SMS
 * (sms.c). A function that a provider does not support is NULL; on and query always exist. Without refund,
 * refunds are made elsewhere: by the store, or manually.
 *
 * open, check, deliver, query, query_hook, refund, and list wait for the network: call them on a worker, or
 * on the shop's thread. hook only computes: any thread. */
#ifndef RUMMYD_PAY_PAY_H
#define RUMMYD_PAY_PAY_H

#include "net/fetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PAY_TOKEN_MAX = 37,      /* the external name of an order: a UUID, including the NUL */
    PAY_REF_MAX = 201,       /* an id assigned by a provider */
    PAY_ORDER_REF_MAX = 513, /* an order's id at the provider; purchase tokens of stores are long */
    PAY_PRODUCT_MAX = 129,   /* a product's name in a store */
    PAY_PROOF_MAX = 65536,   /* bytes of a receipt */
    PAY_CURSOR_MAX = 513,
    PAY_EVENT_MAX = 121,
    PAY_URL_MAX = 1601,
    PAY_CURRENCY_MAX = 4,
    PAY_WHY_MAX = NET_WHY_MAX,
    PAY_TOLERANCE_S = 300, /* maximum age of a signed call, or how far ahead its time may be */
    PAY_HOOK_BYTES_MAX = 256 * 1024,
    PAY_SECRET_MAX = 256,
    PAY_NAMES_MAX = 128, /* bytes of the providers' names, including commas and the NUL */
    PAY_HEADERS_MAX = 6, /* headers of a call that identify the sender */
};

struct pay_bearers;

/* Where each provider is in the list: PAY_INDEX_apple, … */
enum {
#define PROVIDER(id, name) PAY_INDEX_##id,
#include "pay/providers.def"
    PAY_PROVIDERS_N
};

/* Constant after startup, except for the contents of `bearers`. If a secret is empty, its provider is
 * disabled. */
struct pay_shop {
    const char *public_url;      /* URL of the page, without a trailing slash, to which buyers return */
    struct net_client net;       /* for requests to providers */
    struct pay_bearers *bearers; /* see bearer.h */
    void *own[PAY_PROVIDERS_N];  /* what each provider's `load` returned; otherwise NULL */
#define TEXT_KEY(k, ...) const char *k;
#define SECRET_KEY(k, ...) const char *k;
#define NUMBER_KEY(k, ...) int64_t k;
#define SWITCH_KEY(k, ...) bool k;
#include "pay/providers.def"
};

struct pay_order {
    char token[PAY_TOKEN_MAX];
    char ref[PAY_ORDER_REF_MAX];   /* empty until the order is open */
    char product[PAY_PRODUCT_MAX]; /* a store's product; otherwise empty */
    char name[81];                 /* product name */
    int64_t amount;                /* in the smallest unit of the currency */
    char currency[PAY_CURRENCY_MAX];
    int64_t expires_s; /* Unix time */
};

struct pay_opened {
    char ref[PAY_ORDER_REF_MAX];
    char url[PAY_URL_MAX]; /* where the buyer pays */
};

/* A receipt posted by an app. Borrowed. */
struct pay_receipt {
    const char *product;
    const char *proof; /* a signed text, or a token to query */
};

/* The purchase that a receipt proves. */
struct pay_bought {
    char ref[PAY_ORDER_REF_MAX]; /* id of the purchase in its store; valid for one order only */
    char payment[PAY_REF_MAX];
    char product[PAY_PRODUCT_MAX];
    char account[PAY_TOKEN_MAX]; /* the owner, as passed by the app to the store; empty: not given */
    int64_t at_s;                /* Unix time; 0: not given */
    int64_t revoked_s;
};

enum pay_receipt_result {
    PAY_RECEIPT_OK,
    PAY_RECEIPT_BAD,     /* it does not prove a purchase in our shop */
    PAY_RECEIPT_PENDING, /* not paid yet */
    PAY_RECEIPT_REVOKED, /* it was refunded */
    PAY_RECEIPT_AGAIN,   /* the store is unreachable */
};

/* A refund of the remaining amount of a payment. */
struct pay_refund {
    char token[PAY_TOKEN_MAX]; /* the refund's id; a repeated request does not refund twice */
    char payment[PAY_REF_MAX];
};

enum pay_kind {
    PAY_NOTHING, /* nothing about an order */
    PAY_NEWS,    /* something happened to the order: query the provider */
    PAY_PAID,
    PAY_FAILED,
    PAY_EXPIRED,
    PAY_REFUNDED,      /* amount: total refunded so far */
    PAY_REFUND_FAILED, /* subject: the refund; amount: the money that came back because the refund failed */
    PAY_DISPUTED,
    PAY_DISPUTE_WON,
    PAY_DISPUTE_LOST,
};

/* An event. Strings that the provider did not supply are empty. */
struct pay_event {
    char id[PAY_EVENT_MAX]; /* the provider's id, which a repeated event has, too */
    enum pay_kind kind;
    char token[PAY_TOKEN_MAX];   /* the order's token: a valid UUID, or empty */
    char ref[PAY_ORDER_REF_MAX]; /* the order's id at the provider */
    char payment[PAY_REF_MAX];   /* the payment's id, to which refunds and disputes refer */
    char subject[PAY_REF_MAX];   /* the dispute's or the refund's id */
    bool whole; /* amount and currency are those of the order, because the provider does not supply them */
    int64_t amount;
    int64_t price; /* PAY_PAID: the product's price before discounts and taxes; 0: same as amount */
    bool part;     /* PAY_REFUNDED: amount is that of the refund in `subject`, not the total so far */
    char currency[PAY_CURRENCY_MAX];
    int64_t at_s; /* when it happened, in Unix time by the provider's clock; 0: not given */
};

enum pay_outcome {
    PAY_OK,
    PAY_AGAIN,   /* no response, or "later"; it may have been done, and a retry is safe */
    PAY_REFUSED, /* it was not done and will not be */
    PAY_UNKNOWN, /* the provider has no such order */
};

enum pay_hook_result {
    PAY_HOOK_OK,
    PAY_HOOK_UNSIGNED, /* not from the provider */
    PAY_HOOK_STALE,    /* from the provider, but too old: a replay */
    PAY_HOOK_BAD,      /* signed, but invalid */
    PAY_HOOK_QUERY,    /* only the provider can verify it: call query_hook */
    PAY_HOOK_AGAIN,    /* undecided; the provider should call again */
};

struct pay_hook {
    const char *body; /* unparsed */
    size_t len;
    const char *headers[PAY_HEADERS_MAX]; /* values of hook_headers, in the same order; NULL: not sent */
    int64_t now_s;
};

/* One page of a provider's events. */
struct pay_list {
    int64_t from_s; /* Unix time; the same for all pages of a list */
    /* In: this page, or empty for the first. Out: the next page, or empty after the last. */
    char cursor[PAY_CURSOR_MAX];
    /* Called for each event about an order. */
    void (*each)(void *ctx, const struct pay_event *event);
    void *ctx;
};

struct pay_provider {
    const char *name;
    const char *hook_headers[PAY_HEADERS_MAX]; /* that identify the sender of a call; ends with NULL */
    bool (*on)(const struct pay_shop *shop);
    /* Whether its settings may be valid; otherwise, error is a sentence that names the key. NULL: all are
     * valid. */
    bool (*settings_ok)(const struct pay_shop *shop, char error[PAY_WHY_MAX]);
    /* The setting that names a file whose contents the provider keeps; NULL: it has none, and no `load`. */
    const char *file_key;
    /* What to keep of the contents; NULL: they are invalid, and error is a sentence that names the key. Main
     * thread. */
    void *(*load)(const char *bytes, size_t len, char error[PAY_WHY_MAX]);
    void (*free)(void *own); /* not NULL */
    /* Repeatable: the same order gives the same answer. why: for the log, unless PAY_OK. */
    enum pay_outcome (*open)(const struct pay_shop *shop, const struct pay_order *order,
                             struct pay_opened *opened, char why[PAY_WHY_MAX]);
    /* Checks a receipt; *bought is set on PAY_RECEIPT_OK. */
    enum pay_receipt_result (*check)(const struct pay_shop *shop, const struct pay_receipt *receipt,
                                     struct pay_bought *bought, char why[PAY_WHY_MAX]);
    /* Reports to the store that the purchase was delivered. Idempotent. PAY_OK or PAY_AGAIN. */
    enum pay_outcome (*deliver)(const struct pay_shop *shop, const struct pay_order *order,
                                char why[PAY_WHY_MAX]);
    /* PAY_OK with PAY_NOTHING means that the buyer has not paid yet. */
    enum pay_outcome (*query)(const struct pay_shop *shop, const struct pay_order *order,
                              struct pay_event *event, char why[PAY_WHY_MAX]);
    /* PAY_OK: refunded, now or earlier. ref: the provider's id of the refund, or empty. */
    enum pay_outcome (*refund)(const struct pay_shop *shop, const struct pay_refund *refund,
                               char ref[PAY_REF_MAX], char why[PAY_WHY_MAX]);
    enum pay_hook_result (*hook)(const struct pay_shop *shop, const struct pay_hook *call,
                                 struct pay_event *event);
    /* The same for a call for which `hook` returned PAY_HOOK_QUERY. It never returns PAY_HOOK_QUERY
     * itself. */
    enum pay_hook_result (*query_hook)(const struct pay_shop *shop, const struct pay_hook *call,
                                       struct pay_event *event, char why[PAY_WHY_MAX]);
    /* Lists the same events as the webhook, with the same ids, so that each event counts once. */
    enum pay_outcome (*list)(const struct pay_shop *shop, struct pay_list *list, char why[PAY_WHY_MAX]);
};

#define PROVIDER(id, name) extern const struct pay_provider pay_##id;
#include "pay/providers.def"

/* Provider i; NULL after the last. */
const struct pay_provider *pay_provider_at(size_t i);
/* The provider with this name if it is enabled, otherwise NULL. */
const struct pay_provider *pay_find(const struct pay_shop *shop, const char *name);
/* The names of the providers for which `which` is true, separated by commas. */
void pay_names(const struct pay_shop *shop,
               bool (*which)(const struct pay_provider *, const struct pay_shop *), char out[PAY_NAMES_MAX]);
bool pay_is_on(const struct pay_provider *provider, const struct pay_shop *shop);
bool pay_refunds(const struct pay_provider *provider, const struct pay_shop *shop);
#endif
