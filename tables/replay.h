/* Builds a table from its rows: applies parameters, seeds, and the moves in the journal with the engine,
 * and compares the hashes. recover.h uses it to take tables over on the hub thread; REST loops use it to
 * read tables. */
#ifndef RUMMYD_TABLES_REPLAY_H
#define RUMMYD_TABLES_REPLAY_H

#include "tables/table.h"

/* A row of the journal. */
struct tab_load_move {
    uint32_t hand_no; /* the last hand dealt before it */
    uint32_t v;       /* version after the move */
    uint8_t seat;
    const uint8_t *bytes;
    size_t len;
    uint64_t hash; /* hash of the game after the move */
    int64_t unix_ms;
    const char *command_id; /* "": the table's own move */
    int64_t time_bank_ms;   /* total time bank the player had used, if the move was made in it; otherwise 0 */
    int64_t hand_clock_ms;  /* duration of the turn that this move ended; otherwise 0 */
};

/* The rows of a table. The caller owns the pointers; they are valid during the call only. */
struct tab_load {
    int64_t id;
    bool unreadable;    /* some rows were not written by this program, so hands and moves are omitted */
    const char *state;  /* waiting, playing, lost, finished, canceled */
    const char *params; /* "name=value name=value": options that differ from the variant's defaults */
    struct tab_room room;
    bool practice; /* neither chips nor points are at stake; only set once the table has begun */
    uint8_t seats_n;
    uint32_t hand_no;
    uint8_t server_seed[32], commit[32];
    struct tab_deal deal;
    struct tab_person people[ENG_SEAT_MAX];
    bool taken[ENG_SEAT_MAX];
    int64_t fill_in_ms; /* from now; negative: in the past */
    int64_t started_unix_ms;
    int64_t heard_unix_ms; /* last heartbeat of the process that owned the table before; 0: unknown */
    /* For a correspondence table, the row of slow_turns. turn_seats: one bit per seat. turn_due_unix_ms:
     * INT64_MAX if a player is on vacation. */
    uint32_t turn_v;
    uint8_t turn_seats;
    int64_t turn_due_unix_ms;
    /* All hands from the first one on; the last one may not be dealt yet. Empty while the table waits. */
    const struct tab_hand *hands;
    size_t hands_n;
    const struct tab_load_move *moves;
    size_t moves_n;
};

/* Builds a table without a registry. false: the rows do not replay or this program cannot play them
 * (table->difference describes where; game and running hand are as of that point), or memory is exhausted.
 * Free it with tab_unload in any case. */
bool tab_replay(struct tab_table *table, const struct tab_load *load);
/* Frees everything the table owns, but not the table itself. */
void tab_unload(struct tab_table *table);

#endif
