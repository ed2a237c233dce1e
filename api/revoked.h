/* Who is no longer let in while access tokens of theirs are still good: players who were banned, with their
 * bots, and sessions that have ended. Known in this process at once; read from the database at the start, and
 * again every few seconds and whenever the bus says so, for other nodes ban and end as well. Shared by all
 * REST loops and the hub; a short lock guards each list. */
#ifndef RUMMYD_API_REVOKED_H
#define RUMMYD_API_REVOKED_H

#include "db/pg.h"

#include <stdbool.h>
#include <stdint.h>

enum api_revoked_kind { API_BANNED_PLAYERS, API_ENDED_SESSIONS, API_REVOKED_KINDS_N };

/* Ids of a list, all from within the life of an access token. Of more, the oldest are not known here: a
 * banned player is refused by what they do, an ended session by its next refresh. */
#define API_REVOKED_MAX 16384

struct api_revoked;
struct api_revoked *api_revoked_new(void); /* NULL: out of memory */
void api_revoked_free(struct api_revoked *revoked);

bool api_revoked_has(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);
/* Tokens of this id are good for nothing from now on. */
void api_revoked_add(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);
/* They are good again. */
void api_revoked_remove(struct api_revoked *revoked, enum api_revoked_kind kind, int64_t id);

/* Who hears of changes: of an id that was added or removed here, and of rows that brought others (id 0).
 * Called by the thread that changes the list, and must not block. */
struct api_revoked_watch {
    void *ctx;
    void (*changed)(void *ctx, enum api_revoked_kind kind, int64_t id);
};
/* NULL: nobody. It must live as long as anybody may change the lists. */
void api_revoked_watch(struct api_revoked *revoked, const struct api_revoked_watch *watch);

/* How often the list has changed: asked for before the rows are, and by who looks whether there is news. */
uint64_t api_revoked_changes(struct api_revoked *revoked, enum api_revoked_kind kind);
/* What reads the ids of a list: in their order, as many as its one parameter says. */
const struct db_stmt *api_revoked_stmt(enum api_revoked_kind kind);
/* Takes the ids of the rows, API_REVOKED_MAX at most, in place of the list; unless that has changed since. */
void api_revoked_replace(struct api_revoked *revoked, enum api_revoked_kind kind, const PGresult *rows,
                         uint64_t changes);

#endif
