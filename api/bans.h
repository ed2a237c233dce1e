/* Players who were banned while tokens of theirs are still good: known in this process at once, and read
 * again from the database now and then, for other nodes ban as well. Shared by all REST loops; a short lock
 * guards them. */
#ifndef RUMMYD_API_BANS_H
#define RUMMYD_API_BANS_H

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

#define API_BANS_MAX 4096 /* within the life of a token; of more the rest is refused by what they do */

struct api_bans;
struct api_bans *api_bans_new(void); /* NULL: out of memory */
void api_bans_free(struct api_bans *bans);

bool api_bans_have(struct api_bans *bans, int64_t player_id);
/* Whether the tables were told of it. */
bool api_bans_told(struct api_bans *bans, int64_t player_id);
/* The player's tokens are good for nothing from now on, whether the tables could be told or are to be told
 * later. */
void api_bans_add(struct api_bans *bans, int64_t player_id, bool told);
/* The player may come again. */
void api_bans_remove(struct api_bans *bans, int64_t player_id);

/* How often the list was changed: asked for before the rows are. */
uint64_t api_bans_changes(struct api_bans *bans);
/* Takes the ids of the rows, in their order, API_BANS_MAX at most, all of whom the tables were told of;
 * unless something has changed since. */
void api_bans_replace(struct api_bans *bans, const PGresult *rows, uint64_t changes);

#endif
