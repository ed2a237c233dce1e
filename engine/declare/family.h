/* The state machine of the declare family (the Indian 13-card games): melds stay in the hand until a player
 * declares. family.c plays the turns, show.c declarations and groupings, system.c the table's moves and
 * rejoining, score.c the end of a hand. */
#ifndef RUMMYD_ENGINE_DECLARE_FAMILY_H
#define RUMMYD_ENGINE_DECLARE_FAMILY_H

#include "engine/core/step.h"

/* What the turned-up card makes wild. */
struct eng_wild eng_wild_of(const struct eng_params *params, uint8_t wild_card);

/* ---- family.c ---- */
/* Whether this can be a move of the family at all. Cards are known to exist. */
bool eng_declare_family_well_formed(const struct eng_move *move);
/* Applies a well-formed move; also leaving and returning between hands. */
enum eng_refusal eng_declare_family_apply(struct eng_game *game, const struct eng_move *move,
                                          struct eng_outcome *out);
/* Bits of the seats in the hand: dealt in, not dropped, no wrong declaration. */
uint8_t eng_seats_in(const struct eng_game *game);
/* The top of the discard pile may be taken: it is neither a joker nor a wild card, or it is the card that
 * opened the pile. */
bool eng_may_take(const struct eng_game *game);
/* What a drop costs this seat now. */
int eng_drop_points(const struct eng_game *game, uint8_t seat);
/* Removes the seat from the hand at this price. Does not pass its turn. */
void eng_drop_out(struct eng_game *game, uint8_t seat, enum eng_drop how, int points,
                  struct eng_outcome *out);
/* The turn of the seat to move is over: begins the next one, or ends the hand. */
void eng_pass_on(struct eng_game *game, struct eng_outcome *out);
/* Discards this card of the mover; does not pass the turn. */
void eng_discard_one(struct eng_game *game, uint8_t card, struct eng_outcome *out);

/* ---- show.c ---- */
enum eng_refusal eng_do_declare(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
enum eng_refusal eng_do_group(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
/* Scores if no further grouping is awaited. */
void eng_show_goes_on(struct eng_game *game, struct eng_outcome *out);

/* ---- system.c ---- */
enum eng_refusal eng_declare_system(struct eng_game *game, const struct eng_move *move,
                                    struct eng_outcome *out);
enum eng_refusal eng_do_rejoin(struct eng_game *game, const struct eng_move *move, struct eng_outcome *out);
/* ENG_OK: the seat may rejoin now, otherwise the reason. */
enum eng_refusal eng_may_rejoin(const struct eng_game *game, uint8_t seat);
int32_t eng_rejoin_total(const struct eng_game *game);

/* ---- score.c ---- */
/* Ends the hand: the winner or ENG_NO_SEAT. */
void eng_declare_end(struct eng_game *game, enum eng_ending ending, uint8_t winner, struct eng_outcome *out);
/* A seat left between hands: updates the places. */
void eng_declare_places(struct eng_game *game);

#endif
