/* A table from its rows: parameters, seeds and the journal of moves are played through the engine again, and
 * compared with the hashes. recover.h takes tables over with it on the hub thread; REST loops read tables of
 * their own. */
#ifndef RUMMYD_TABLES_REPLAY_H
#define RUMMYD_TABLES_REPLAY_H

#include "tables/table.h"

/* A row of the journal. */
struct tab_load_move {
    uint32_t hand_no; /* the last hand that was dealt before it */
    uint32_t v;       /* version after it */
    uint8_t seat;
    const uint8_t *bytes;
    size_t len;
    uint64_t hash; /* of the game after it */
    int64_t unix_ms;
    const char *command_id; /* "" when it was the table's own */
    int64_t time_bank_ms;   /* what its player had used of their time bank, when it was made in it; else 0 */
    int64_t hand_clock_ms;  /* what the turn that it ended took of its player's hand clock; else 0 */
};

/* The rows of a table. Pointers are the caller's, for the call only. */
struct tab_load {
    int64_t id;
    bool
        unreadable; /* some of its rows are none that a program of ours wrote: hands and moves are left out */
    const char *state;  /* waiting, playing, lost, finished, cancelled */
    const char *params; /* "name=value name=value": options that differ from the variant's row */
    struct tab_room room;
    bool practice; /* neither chips nor points are played for; of a table that has begun */
    uint8_t seats_n;
    uint32_t hand_no;
    uint8_t server_seed[32], commit[32];
    struct tab_deal deal;
    struct tab_person people[ENG_SEAT_MAX];
    bool taken[ENG_SEAT_MAX];
    int64_t fill_in_ms; /* from now; in the past: below 0 */
    int64_t started_unix_ms;
    int64_t heard_unix_ms; /* the last word of the process that had it before; 0: none is known */
    /* Of a table with turns of hours: what slow_turns says. turn_seats: a bit for each. turn_due_unix_ms:
     * INT64_MAX when somebody is on vacation. */
    uint32_t turn_v;
    uint8_t turn_seats;
    int64_t turn_due_unix_ms;
    /* From the first hand on; the last one may be promised only. None while the table waits. */
    const struct tab_hand *hands;
    size_t hands_n;
    const struct tab_load_move *moves;
    size_t moves_n;
};

/* Builds a table without a registry. false: the rows do not re-play, or this program cannot play them, and
 * table->difference says where; the game and the running hand are those up to there. Or memory is short. Free
 * it with tab_unload either way. */
bool tab_replay(struct tab_table *table, const struct tab_load *load);
/* Frees what the table owns, not the table. */
void tab_unload(struct tab_table *table);

#endif
