/* The chain of the ledger: adding to it, and where it ends (docs/ledger.md). One thread at a time for each
 * connection. */
#ifndef RUMMYD_DB_LEDGER_SEAL_H
#define RUMMYD_DB_LEDGER_SEAL_H

#include "db/pg.h"

enum {
    DB_HASH_BYTES = 32,
    DB_HEAD_MAX = 20 + 1 + 2 * DB_HASH_BYTES + 1, /* of a head as text, with the NUL */
};

/* A place in the chain, "<transfer>:<hash in hex>" as text. */
struct db_head {
    int64_t transfer;
    uint8_t hash[DB_HASH_BYTES];
};
/* false: the text is no head. */
bool db_head_parse(const char *text, struct db_head *head);

struct db_sealed {
    int64_t n;
    bool more;                  /* call again */
    char new_head[DB_HEAD_MAX]; /* the head of the day, by the call that noted it; otherwise "" */
};
/* Adds a batch of what was committed to the chain. A batch that another connection is at is left to it. */
bool db_ledger_seal(struct db_conn *conn, struct db_sealed *done, struct db_error *err);

/* The end of the chain as text ("" when it is empty), and how many transfers are not in it yet. */
bool db_ledger_head(struct db_conn *conn, char head[DB_HEAD_MAX], int64_t *unsealed, struct db_error *err);

#endif
