/* The ledger's hash chain: appending to it, and its head (docs/ledger.md). One thread at a time per
 * connection. */
#ifndef RUMMYD_DB_LEDGER_SEAL_H
#define RUMMYD_DB_LEDGER_SEAL_H

#include "db/pg.h"

enum {
    DB_HASH_BYTES = 32,
    DB_HEAD_MAX = 20 + 1 + 2 * DB_HASH_BYTES + 1, /* of a head as text, including the NUL */
};

/* A position in the chain, "<transfer>:<hash in hex>" as text. */
struct db_head {
    int64_t transfer;
    uint8_t hash[DB_HASH_BYTES];
};
/* false: the text is not a valid head. */
bool db_head_parse(const char *text, struct db_head *head);

struct db_sealed {
    int64_t n;
    bool more;                  /* call again */
    char new_head[DB_HEAD_MAX]; /* the head of the day, if this call recorded it; otherwise "" */
};
/* Appends a batch of committed transfers to the chain. Does nothing if another connection is sealing a
 * batch. */
bool db_ledger_seal(struct db_conn *conn, struct db_sealed *done, struct db_error *err);

/* The end of the chain as text ("" if it is empty), and the number of transfers that are not in it yet. */
bool db_ledger_head(struct db_conn *conn, char head[DB_HEAD_MAX], int64_t *unsealed, struct db_error *err);

#endif
