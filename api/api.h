/* The environment of the endpoints: configuration, keys, and the ports to the live tables. server/ fills it
 * in at startup. Constant afterward; shared by all REST loops. */
#ifndef RUMMYD_API_API_H
#define RUMMYD_API_API_H

#include "api/core/problem.h"
#include "api/core/token.h"
#include "base/embed.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* An option of a new table: its value as text, and whether it was sent as a string. */
struct api_option {
    const char *name;
    bool word;
    char value[32];
};
struct api_request;

/* REST loop threads call these functions, possibly concurrently. They must not block. */
struct api_ports {
    void *ctx;
    /* A seat of this table was taken or freed, so the table's node should check its rows. This and similar
     * notifications may be dropped, because nodes also poll. */
    void (*table_changed)(void *ctx, int64_t table_id);
    /* A player of this finished table has joined its rematch. Notifies its players. */
    void (*table_rematch)(void *ctx, int64_t old_table);
    /* Writes the protocol's `snapshot` frame for this seat from the rows of api_table_rows_stmt
     * (api/play/table_rows.h). Returns API_OK and sets *v, or the error code. */
    enum api_code (*table_snapshot)(void *ctx, int64_t table_id, const PGresult *rows, int seat,
                                    struct buf *out, int64_t *v);
    /* Checks a variant, its options, and the number of seats. Writes the parameters that differ from the
     * variant's defaults to *params ("name=number …"), or adds the errors to *faults. */
    void (*table_params)(void *ctx, const char *variant, int seats, const struct api_option *options,
                         size_t n, struct buf *params, struct api_faults *faults);
    /* Whether a variant of this name exists. */
    bool (*variant_known)(void *ctx, const char *variant);
    /* Writes the list of variants as a JSON array: id, seats, options. */
    void (*variants_write)(void *ctx, struct buf *out);
    /* Ends this table with refunds. */
    void (*table_cancel)(void *ctx, int64_t table_id);
    /* Writes the findings of the ledger proof, one per line; returns the number of problems, -1 if it failed.
     * Slow; call it on a worker. */
    int (*prove_ledger)(void *ctx, FILE *out);
    /* Returns a header of the request; NULL: not present. */
    const char *(*header)(const struct api_request *request, const char *name);
    /* Whether the process is shutting down or not ready yet, so that it must not take new seats. */
    bool (*draining)(void *ctx);
    /* Whether the node holds its lease, so that the database has answered within its term. */
    bool (*lease_held)(void *ctx);
    /* Whether this machine's wall clock matches PostgreSQL's. If not, tokens of other nodes may seem
     * expired here. */
    bool (*clock_ok)(void *ctx);
};

struct api_rooms;
struct api_overdue;
struct api_packs;
struct api_revoked;
struct api_webauthn_site;
struct pay_shop;
struct oidc_client;

/* Everything an endpoint can access. */
struct api_env {
    struct api_ports ports;
    struct api_token_keys keys;
    const char *ws_url;     /* public base URL of the sockets, without a trailing slash */
    const char *push_kinds; /* kinds of devices that can get push messages, each followed by a space */
    const char *push_key;   /* the public key of web push, base64url; empty: none */
    const char *push_hosts; /* hosts of push services, as configured */
    bool push_plain;        /* push services may use http:// */
    bool webhooks_private;  /* webhooks may use http:// and private networks */
    const char *node;       /* the node that gets the tables opened here */
    const char *version;
    const uint8_t *dev_seed;     /* 32 bytes: the server seed of every table; NULL: a random one per table */
    struct api_rooms *rooms;     /* see api/play/rooms.h */
    struct api_overdue *overdue; /* see api/ops/overdue.h */
    struct api_packs *packs;     /* see api/shop/shop_packs.h */
    struct api_revoked *revoked; /* see api/signin/revoked.h */
    const struct pay_shop *pay;  /* see pay/pay.h */
    const struct oidc_client *oidc;           /* see oidc/oidc.h */
    const struct api_webauthn_site *passkeys; /* see api/signin/webauthn.h */
    const struct embed_file *documents;       /* the contracts and the page that renders them */
    size_t documents_n;
    void (*metrics_write)(struct buf *out);
};

#endif
