/* Players and sessions that are rejected although their access tokens have not expired: banned players, with
 * their bots, and ended sessions. This process applies changes at once; it also reads the database at
 * startup, every few seconds, and when the bus announces a change, because other nodes ban players and end
 * sessions, too. Shared by all REST loops and the hub; a short lock protects each list. */
#ifndef RUMMYD_API_REVOKED_H
#define RUMMYD_API_REVOKED_H

#include "db/pg.h"

#include <stdbool.h>
#include <stdint.h>

enum api_revoked_kind { API_BANNED_PLAYERS, API_ENDED_SESSIONS, API_REVOKED_KINDS_N };

/* Maximum number of ids in a list; only those within the lifetime of an access token count. On overflow the
 * oldest are missing. The action itself then rejects a banned player, and the next refresh rejects an ended
 * session. */
#define API_REVOKED_MAX 16384

struct api_revoked;
struct api_revoked *api_revoked_new(void); /* NULL: out of memory */
void api_revoked_free(struct api_revoked *revoked);

bool api_revoked_has(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);
/* Rejects tokens of this id from now on. */
void api_revoked_add(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);
/* Accepts tokens of this id again. */
void api_revoked_remove(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);

/* A callback for changes: an id added or removed here, or rows that changed the list (id 0). The thread
 * that changes the list calls it, so it must not block. */
struct api_revoked_watch {
    void *ctx;
    void (*changed)(void *ctx, enum api_revoked_kind kind, int64_t id);
};
/* Sets the callback, which must outlive all changes of the lists. NULL: none. */
void api_revoked_watch(struct api_revoked *revoked, const struct api_revoked_watch *watch);

/* The change counter of the list. Read it before querying the rows, or to detect changes. */
uint64_t api_revoked_changes(struct api_revoked *revoked, enum api_revoked_kind kind);
/* Reads the ids of a list in order, limited by its only parameter. */
const struct db_stmt *api_revoked_stmt(enum api_revoked_kind kind);
/* Replaces the list with the ids of the rows, at most API_REVOKED_MAX, unless the list has changed since
 * `changes` was read. */
void api_revoked_replace(struct api_revoked *revoked, enum api_revoked_kind kind, const PGresult *rows,
                         uint64_t changes);

#endif
