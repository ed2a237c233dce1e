/* The functions and data of a database, from db/functions and db/data. For db/migrate.c, within its
 * transaction, on its thread. */
#ifndef RUMMYD_DB_SCHEMA_CODE_H
#define RUMMYD_DB_SCHEMA_CODE_H

#include "db/migrate.h"

#include <sodium.h>

enum { DB_SUM_BYTES = crypto_hash_sha256_BYTES };

/* The hash of all functions, data, and grants together, including names and order. */
void db_code_sum(uint8_t sum[DB_SUM_BYTES], const struct db_source *source);
/* The hash of schema.sql without its comments and spaces, so that rewording comments does not change it. */
void db_base_sum(uint8_t sum[DB_SUM_BYTES], const struct db_source *source);

/* Creates or replaces all functions, and drops those of ours that were removed from the source or whose
 * return type has changed. Runs two scripts, which leave the search path at its default. false and *err:
 * the transaction has failed. */
bool db_code_apply_functions(struct db_conn *conn, const struct db_source *source, struct db_error *err);
bool db_code_apply_data(struct db_conn *conn, const struct db_source *source, struct db_error *err);
/* Sets *err to "<name> failed: <why>". Returns false, so that callers can write `return
 * db_code_failed(...)`. */
bool db_code_failed(struct db_error *err, const char *name);

#endif
