/* A table from its rows: parameters, seeds and the journal of moves, re-played through the
 * engine and held against the hashes. The hub takes tables over with it, REST reads them. */
#ifndef RUMMYD_TABLES_RECOVER_H
#define RUMMYD_TABLES_RECOVER_H

#include "tables/table.h"

/* A row of the journal. */
struct tab_load_move {
    uint32_t hand_no; /* the last hand that was dealt before it */
    uint32_t v;
    uint8_t seat;
    const uint8_t *bytes;
    size_t len;
    uint64_t hash;
    int64_t unix_ms;
    const char *command_id; /* "" when it was the table's own */
    int64_t time_bank_ms;   /* what its player had used of their reserve, when it was made in it */
};

/* The rows of a table. Pointers are the caller's, for the call only. */
struct tab_load {
    int64_t id;
    const char *state; /* waiting, playing, finished, cancelled */
    const char *params;
    struct tab_room room;
    uint8_t seats_n;
    uint32_t hand_no;
    uint8_t server_seed[32], commit[32];
    struct tab_person people[ENG_SEAT_MAX];
    bool taken[ENG_SEAT_MAX];
    int64_t fill_unix_ms, started_unix_ms;
    int64_t heard_unix_ms; /* the last word of the process that had it before; 0: none is known */
    /* From the first hand on; the last one may be promised only. None while the table waits. */
    const struct tab_hand *hands;
    size_t hands_n;
    const struct tab_load_move *moves;
    size_t moves_n;
};

enum tab_load_result {
    TAB_LOADED,
    TAB_LOAD_ENDED,    /* finished or cancelled: there is nothing to take over */
    TAB_LOAD_FULL,     /* as many tables as this node may have */
    TAB_LOAD_MISMATCH, /* the journal does not re-play to its hashes: left alone */
};

/* Takes the table over, or brings a waiting one up to date with its rows. *table may be NULL. */
enum tab_load_result tab_registry_load(struct tab_registry *registry, const struct tab_load *load,
                                       struct tab_table **table);

/* Builds a table without a registry, for reading only (snapshots). false on a mismatch. Free with tab_unload.
 */
bool tab_replay(struct tab_table *table, const struct tab_load *load);
void tab_unload(struct tab_table *table);

#endif
