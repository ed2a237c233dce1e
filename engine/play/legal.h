/* Determines what the seat to move may do, from its view only. This is the basis of eng_legal, eng_hints,
 * and the bots. All results come from the functions in engine/core/meld.h that eng_apply uses. Pure; any
 * thread. */
#ifndef RUMMYD_ENGINE_PLAY_LEGAL_H
#define RUMMYD_ENGINE_PLAY_LEGAL_H

#include "engine/core/cards.h"
#include "engine/core/meld.h"
#include "engine/solver/solver.h"

/* A prepared view. The melds on the table are in the view's order. */
struct eng_legal_scene {
    const struct eng_view *view;
    const struct eng_params *params;
    struct eng_cards hand;
    uint8_t seat;
    bool opened, staged;  /* whether this seat has opened; whether it has staged melds */
    bool may_meld;        /* the round and the limit per turn allow melds */
    bool may_join;        /* may lay off on melds on the table */
    bool discard_obliges; /* a player who takes the discard must open */
    bool discard_is_open; /* there is a discard, and it may be taken */
    uint8_t taken;        /* the discard taken in this turn, or ENG_NO_CARD */
    struct eng_meld melds[ENG_MELD_MAX];
};

/* Prepares the view. false: the viewer is not the seat to move, or the hand is not in play. table: include
 * the melds even if the viewer may not lay off on them. */
bool eng_legal_scene_of(struct eng_legal_scene *scene, const struct eng_view *view, bool table);
/* In phase ENG_TO_DRAW: whether drawing from the stock is legal (it ends the hand if nothing is left to
 * draw). */
bool eng_legal_draw_stock(const struct eng_legal_scene *scene);
/* Whether the pile may be turned over to become the stock. */
bool eng_legal_flip(const struct eng_legal_scene *scene);
/* This and the functions below require phase ENG_TO_PLAY. wanted: as in eng_meld_fits; meld: index in the
 * view. */
bool eng_legal_lay_off(const struct eng_legal_scene *scene, uint8_t card, int meld, enum eng_end wanted);
/* joker: the requested one, or ENG_NO_CARD for any; *freed is the joker that goes to the hand. */
bool eng_legal_swap(const struct eng_legal_scene *scene, uint8_t card, int meld, uint8_t joker,
                    uint8_t *freed);
/* A joker freed in this turn that this hand holds and must still use; otherwise ENG_NO_CARD. */
uint8_t eng_legal_bound_joker(const struct eng_legal_scene *scene, const struct eng_cards *rest);
/* Whether the opening rules allow the turn to end with a discard. */
bool eng_legal_may_discard(const struct eng_legal_scene *scene);
bool eng_legal_discard(const struct eng_legal_scene *scene, const uint8_t *cards, int n);
/* Maximum number of jokers that a meld of the viewer may contain now. */
int eng_legal_jokers_max(const struct eng_legal_scene *scene);

/* ---- legal_hints.c: solver results ---- */

/* eng_solver_best for the current cards. The remaining cards must be able to end the turn, so they must
 * include another card besides the discard just taken if that may not be discarded again. */
void eng_legal_best(const struct eng_legal_scene *scene, const struct eng_solver_rules *rules,
                    const struct eng_solver_goal *goal, const uint8_t *cards, int n,
                    struct eng_solver_result *result);
/* Melds that can be laid now, one after another. Before opening: those of greatest worth, which open
 * (`opens`) or may be staged. After opening: those that leave the least. false: none. */
bool eng_legal_melds(const struct eng_legal_scene *scene, bool *opens, struct eng_solver_result *result);

/* ---- legal_declare.c: the declare family ---- */

/* Fill the lists of eng_legal and eng_hints. */
void eng_legal_list_declare(const struct eng_view *view, struct eng_legal *legal);
void eng_legal_hints_declare(const struct eng_view *view, struct eng_hints *hints);
/* Finds a valid declaration of the 14 cards in the viewer's hand; false: there is none. */
bool eng_legal_declaration(const struct eng_view *view, struct eng_move *move);
/* The viewer's best grouping after a declaration, submitted as final. */
void eng_legal_grouping(const struct eng_view *view, struct eng_move *move);

#endif
