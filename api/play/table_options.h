/* The variant, seats, and options of a table, from the body of a request that opens a table, or a room of
 * such tables. The engine interprets them, behind a port. REST loops. */
#ifndef RUMMYD_API_TABLE_OPTIONS_H
#define RUMMYD_API_TABLE_OPTIONS_H

#include "api/bodies.h"
#include "api/core/request.h"

enum { API_TABLE_OPTIONS_MAX = TABLE_REQUEST_OPTIONS_MAX, API_TABLE_SEATS_MAX = TABLE_REQUEST_SEATS_MAX };
_Static_assert((int)ROOM_REQUEST_OPTIONS_MAX == API_TABLE_OPTIONS_MAX &&
                   (int)TOURNAMENT_REQUEST_OPTIONS_MAX == API_TABLE_OPTIONS_MAX,
               "the same options");

/* Whether such a table has a hand clock (the option `hand_s`). */
enum api_hand_clock {
    API_HAND_CLOCK_ALWAYS, /* rejects 0, because strangers meet there or others wait for the table */
    API_HAND_CLOCK_CHOSEN, /* 0 turns the clock off */
    API_HAND_CLOCK_NEVER,  /* correspondence tables */
};

/* easy, medium, strong, master; NULL after the last. */
extern const char *const api_bot_levels[];
/* Converts such a word to a level from 1 to 4, as in the database. */
int api_bot_level_of(const char *word);

/* Binds the variant and its parameters in the engine's form, including `options` of the body. false: the
 * request has failed, with a fault for each error. */
bool api_table_params_bind(struct api_request *request, const char *variant, int64_t seats,
                           enum api_hand_clock hand_clock);
/* Binds `options` of the body unchanged, as JSON with sorted keys; NULL: none given. false: out of memory. */
bool api_table_options_bind(struct api_request *request, const json_t *options);

#endif
