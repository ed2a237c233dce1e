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

/* Ids of a list, all from within the lifetime of an access token. If there are more, the oldest are missing
 * here: a banned player is then rejected by the action itself, an ended session at its next refresh. */
#define API_REVOKED_MAX 16384

struct api_revoked;
struct api_revoked *api_revoked_new(void); /* NULL: out of memory */
void api_revoked_free(struct api_revoked *revoked);

bool api_revoked_has(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);
/* Reject tokens of this id from now on. */
void api_revoked_add(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);
/* Accept them again. */
void api_revoked_remove(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);

/* Gets notified of changes: of an id added or removed here, and of rows that changed the list (id 0). Called
 * by the thread that changes the list, and must not block. */
struct api_revoked_watch {
    void *ctx;
    void (*changed)(void *ctx, enum api_revoked_kind kind, int64_t id);
};
/* NULL: none. It must outlive all changes of the lists. */
void api_revoked_watch(struct api_revoked *revoked, const struct api_revoked_watch *watch);

/* Change counter of the list: read it before querying the rows, or to find out whether there are changes. */
uint64_t api_revoked_changes(struct api_revoked *revoked, enum api_revoked_kind kind);
/* Reads the ids of a list in order, limited by its only parameter. */
const struct db_stmt *api_revoked_stmt(enum api_revoked_kind kind);
/* Replaces the list with the ids of the rows, at most API_REVOKED_MAX; unless it has changed since. */
void api_revoked_replace(struct api_revoked *revoked, enum api_revoked_kind kind, const PGresult *rows,
                         uint64_t changes);

#endif
