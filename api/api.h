/* What the endpoints need from outside their layer: configuration, keys, and the ports to the
 * live tables. Filled in by server/ at start, constant afterwards; shared by all REST loops. */
#ifndef RUMMYD_API_API_H
#define RUMMYD_API_API_H

#include "api/problem.h"
#include "api/token.h"
#include "base/embed.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* An option of a table that somebody opens: its value in letters, and whether it was sent as a word. */
struct api_option {
    const char *name;
    bool word;
    char value[32];
};
struct api_request;

/* Every function is called on a REST loop's thread, from several of them at once, and must not block. */
struct api_ports {
    void *ctx;
    /* A seat of this table was committed or given back: its node should look, whichever it is. May be lost,
     * as all of these: nodes also look by themselves. */
    void (*table_changed)(void *ctx, int64_t table_id);
    /* A player of this table, which has ended, sits at its rematch now: its people hear of it. */
    void (*table_rematch)(void *ctx, int64_t old_table);
    /* Writes the protocol's `snapshot` frame as this seat sees it, from the rows of
     * api_table_rows_stmt (api/table_rows.h). Returns API_OK and sets *v, or the code to refuse with. */
    enum api_code (*table_snapshot)(void *ctx, int64_t table_id, const PGresult *rows, int seat,
                                    struct buf *out, int64_t *v);
    /* Checks a variant, its options and the number of seats. Writes what differs from the variant's row to
     * *params ("name=number …"), or adds what is wrong to *faults. */
    void (*table_params)(void *ctx, const char *variant, int seats, const struct api_option *options,
                         size_t n, struct buf *params, struct api_faults *faults);
    /* Whether there is a variant of this name. */
    bool (*variant_known)(void *ctx, const char *variant);
    /* Writes the list of variants as a JSON array: id, seats, options. */
    void (*variants_write)(void *ctx, struct buf *out);
    /* This table is to be ended, with refunds. */
    void (*table_cancel)(void *ctx, int64_t table_id);
    /* Writes what the proof of the books finds, a line each; how many problems, -1 when it could not be made.
     * Takes its time: on a worker. */
    int (*prove_ledger)(void *ctx, FILE *out);
    /* A header of the request; NULL: it has none. */
    const char *(*header)(const struct api_request *request, const char *name);
    /* True while the process winds down, or is not in the registry yet: no new seats. */
    bool (*draining)(void *ctx);
    /* The node's lease holds: the database has answered within it. */
    bool (*lease_held)(void *ctx);
    /* The wall clock of this machine is PostgreSQL's: else tokens of other nodes look expired here. */
    bool (*clock_fits)(void *ctx);
};

struct api_rooms;
struct api_overdue;
struct api_packs;
struct api_revoked;
struct api_webauthn_site;
struct pay_shop;
struct oidc_client;

/* Everything an endpoint may look at. */
struct api_env {
    struct api_ports ports;
    struct api_token_keys keys;
    const char *ws_url;     /* public base of the sockets, without a slash at its end */
    const char *push_kinds; /* of devices that can be pushed to, a blank behind each */
    const char *push_key;   /* the public key of web push, base64url; empty: there is none */
    const char *push_hosts; /* of push services, as configured */
    bool push_plain;        /* those may be http:// */
    bool webhooks_private;  /* webhooks may go to http:// and to private networks */
    const char *node;       /* opens the tables of the seats taken here */
    const char *version;
    const uint8_t *dev_seed;        /* 32 bytes: every table's server seed; NULL: a secret one for each */
    struct api_rooms *rooms;        /* see api/rooms.h */
    struct api_overdue *overdue;    /* see api/overdue.h */
    struct api_packs *packs;        /* see api/shop_packs.h */
    struct api_revoked *revoked;    /* see api/revoked.h */
    const struct pay_shop *pay;     /* see pay/pay.h */
    const struct oidc_client *oidc; /* see oidc/oidc.h */
    const struct api_webauthn_site *passkeys; /* see api/webauthn.h */
    const struct embed_file *documents;       /* the contracts and the page that shows them */
    size_t documents_n;
    void (*metrics_write)(struct buf *out);
};

#endif
