/* The subcommands of `rummyd puzzles`. Each prints its error itself and returns the exit code. Main
 * thread. */
#ifndef RUMMYD_SERVER_CLI_PUZZLES_H
#define RUMMYD_SERVER_CLI_PUZZLES_H

#include "db/pg.h"

struct srv_puzzles_wish {
    int64_t games, limit, seconds, per_variant, seed;
    const char *word; /* the file to import, or the variant of a starter set; NULL: none */
};

/* ---- puzzles_mine.c ---- */
int srv_puzzles_mine(struct db_conn *conn, const struct srv_puzzles_wish *wish);
int srv_puzzles_check(struct db_conn *conn, const struct srv_puzzles_wish *wish);

/* ---- puzzles_share.c ---- */
int srv_puzzles_export(struct db_conn *conn, const struct srv_puzzles_wish *wish);
int srv_puzzles_import(struct db_conn *conn, const struct srv_puzzles_wish *wish);

/* ---- puzzles_starter.c ---- */
int srv_puzzles_starter(const struct srv_puzzles_wish *wish);

#endif
