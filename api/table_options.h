/* The variant, seats and options of a table, from the body of whoever opens one, or a room of such tables.
 * What they mean is the engine's to say, behind a port. REST loops. */
#ifndef RUMMYD_API_TABLE_OPTIONS_H
#define RUMMYD_API_TABLE_OPTIONS_H

#include "api/request.h"

enum { API_TABLE_OPTIONS_MAX = 8, API_TABLE_SEATS_MAX = 6 };

/* Whether such a table has a hand clock (the option `hand_s`). */
enum api_hand_clock {
    API_HAND_CLOCK_ALWAYS, /* 0 is refused: strangers meet there, or others wait for the table */
    API_HAND_CLOCK_CHOSEN, /* 0 switches it off */
    API_HAND_CLOCK_NEVER,  /* turns of hours */
};

/* easy, medium, strong, master; NULL behind the last. */
extern const char *const api_bot_levels[];
/* 1..4, as the database counts them, of a word that is one of them. */
int api_bot_level_of(const char *word);

/* Binds the variant and its parameters as the engine reads them, with `options` of the body. false: the
 * request has failed, with a fault for each that is wrong. */
bool api_table_params_bind(struct api_request *request, const char *variant, int64_t seats,
                           enum api_hand_clock hand_clock);
/* Binds `options` of the body as they were given, as JSON with its keys in order; NULL: none were. false:
 * memory is short. */
bool api_table_options_bind(struct api_request *request, const json_t *options);

#endif
