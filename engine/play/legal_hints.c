/* Finds good melds in the current position with the solver, for eng_hints and the bots; see legal.h. */
#include <string.h>

#include "base/bug.h"
#include "engine/play/legal.h"

static void goal_to_meld(struct eng_solver_goal *goal, const struct eng_params *params)
{
    eng_solver_goal_points(goal, params);
    goal->joker_weight++; /* so that every card counts, even if jokers weigh nothing */
}

/* Whether the only natural card left is the discard just taken, which may not be discarded again. */
static bool leaves_only_taken(const struct eng_legal_scene *s, const struct eng_solver_result *result)
{
    bool taken = false, other = false;
    ASSERT(result->left_n <= ENG_HAND_MAX);
    for (int i = 0; i < result->left_n && !s->params->throw_back; i++) {
        taken |= result->left[i] == s->taken;
        other |= result->left[i] != s->taken && !eng_is_joker(result->left[i]);
    }
    return taken && !other;
}

/* The solver's must_card has to be a natural card. If it is a joker, it replaces any other joker in a meld;
 * if there is none, nothing is found. */
static void best_with_joker(const struct eng_solver_rules *rules, const struct eng_solver_goal *goal,
                            const uint8_t *cards, int n, struct eng_solver_result *result)
{
    struct eng_solver_goal any = *goal;
    uint8_t must = goal->must_card, *left, *used = NULL;

    ASSERT(eng_is_joker(must) && n <= ENG_HAND_MAX);
    any.must_card = ENG_NO_CARD;
    eng_solver_best(rules, &any, cards, n, result);
    left = memchr(result->left, must, result->left_n);
    for (int g = 0; g < result->groups_n; g++)
        for (int i = 0; i < result->groups[g].n; i++)
            if (eng_is_joker(result->groups[g].cards[i]))
                used = &result->groups[g].cards[i];
    if (left == NULL)
        return;
    if (used != NULL) {
        *left = *used;
        *used = must;
        return;
    }
    *result = (struct eng_solver_result){.left_n = (uint8_t)n};
    memcpy(result->left, cards, (size_t)n);
}

void eng_legal_best(const struct eng_legal_scene *s, const struct eng_solver_rules *rules,
                    const struct eng_solver_goal *goal, const uint8_t *cards, int n,
                    struct eng_solver_result *result)
{
    if (goal->must_card != ENG_NO_CARD && eng_is_joker(goal->must_card)) {
        best_with_joker(rules, goal, cards, n, result);
        return;
    }
    struct eng_solver_goal with = *goal, beside = *goal;
    struct eng_solver_result without;
    uint8_t rest[ENG_HAND_MAX];
    int rest_n = 0;

    eng_solver_best(rules, goal, cards, n, result);
    ASSERT(n <= ENG_HAND_MAX && result->left_n <= n);
    if (goal->keep == SOLVER_KEEP_NOTHING || !leaves_only_taken(s, result))
        return;
    /* Either the taken card goes out, too, or it remains with another natural card. */
    for (int i = 0; i < n; i++)
        if (cards[i] != s->taken)
            rest[rest_n++] = cards[i];
    beside.keep = SOLVER_KEEP_A_NATURAL;
    eng_solver_best(rules, &beside, rest, rest_n, &without);
    with.must_card = s->taken;
    result->found = false;
    if (!eng_is_joker(s->taken))
        eng_solver_best(rules, &with, cards, n, result);
    if (result->found && !leaves_only_taken(s, result) && result->score >= without.score)
        return;
    *result = without;
    int at = result->left_n++;
    for (; at > 0 && result->left[at - 1] > s->taken; at--)
        result->left[at] = result->left[at - 1];
    result->left[at] = s->taken;
}

/* Whether any three cards could be a meld if jokers fit anywhere; the solver is called only then. */
static bool might_meld(const struct eng_legal_scene *s)
{
    uint64_t naturals = (s->hand.w[0] | s->hand.w[1]) & ENG_PACK_MASK;
    unsigned suits[ENG_SUITS], two = 0, three = 0, seen = 0;
    int jokers = eng_cards_jokers(&s->hand);
    ASSERT(jokers <= ENG_JOKER_MAX);
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        unsigned ranks = (unsigned)(naturals >> (suit * ENG_RANKS)) & ((1U << ENG_RANKS) - 1);
        three |= two & ranks;
        two |= seen & ranks;
        seen |= ranks;
        suits[suit] = ranks | (ranks & 1U) << ENG_PLACE_ACE_HIGH;
    }
    if (jokers > 1 || three != 0 || (jokers == 1 && two != 0))
        return seen != 0;
    for (int suit = 0; suit < ENG_SUITS; suit++) {
        unsigned beside = suits[suit] & suits[suit] >> 1, apart = suits[suit] & suits[suit] >> 2;
        if (jokers == 1 ? (beside | apart) != 0 : (beside & apart) != 0)
            return true;
    }
    return false;
}

bool eng_legal_melds(const struct eng_legal_scene *s, bool *opens, struct eng_solver_result *result)
{
    const struct eng_view *view = s->view;
    struct eng_solver_rules rules;
    struct eng_solver_goal goal;

    *opens = false;
    if (!s->may_meld || !might_meld(s))
        return false;
    eng_solver_rules_of(&rules, s->params, eng_legal_jokers_max(s));
    goal_to_meld(&goal, s->params);
    goal.keep = (uint8_t)eng_solver_keep_of(s->params, false);
    if (!s->opened) {
        memset(goal.weight, 0, sizeof goal.weight);
        goal.joker_weight = 0;
        goal.worth_factor = 1;
        if (s->params->taken_discard_in_opening && view->must_open && eng_cards_has(&s->hand, s->taken))
            goal.must_card = s->taken;
    }
    eng_legal_best(s, &rules, &goal, view->hand, view->hand_n, result);
    if (s->opened || (result->groups_n > 0 && view->staged_sum + result->worth >= view->opening_min)) {
        *opens = !s->opened;
        return result->groups_n > 0;
    }
    goal_to_meld(&goal, s->params);
    goal.keep = (uint8_t)eng_solver_keep_of(s->params, true);
    eng_legal_best(s, &rules, &goal, view->hand, view->hand_n, result);
    return result->groups_n > 0;
}

static void hint_add(struct eng_hints *hints, const struct eng_legal_scene *s,
                     const struct eng_solver_group *group)
{
    ASSERT(hints->n < ENG_HINTS_MAX && group->n <= ENG_MOVE_CARDS_MAX);
    struct eng_move *m = &hints->moves[hints->n++];
    *m = (struct eng_move){.type = ENG_MELD, .seat = s->seat, .meld = ENG_NO_MELD, .n = group->n};
    memcpy(m->cards, group->cards, group->n);
}

void eng_hints(const struct eng_view *view, struct eng_hints *hints)
{
    struct eng_legal_scene s;
    struct eng_solver_result result;
    bool opens;

    hints->n = 0;
    if (view->params->family == ENG_FAMILY_DECLARE) {
        eng_legal_hints_declare(view, hints);
        return;
    }
    if (!eng_legal_scene_of(&s, view, false) || view->phase != ENG_TO_PLAY ||
        !eng_legal_melds(&s, &opens, &result))
        return;
    ASSERT(result.groups_n <= ENG_HINTS_MAX);
    for (int g = 0; g < result.groups_n && (s.opened || opens); g++)
        hint_add(hints, &s, &result.groups[g]);
}
