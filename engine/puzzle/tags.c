/* See tags.h. */
#include "engine/puzzle/tags.h"

#include "base/bug.h"
#include "engine/bots/bot.h"

enum { HIGH_POINTS = 10, LATE_ROUND = 6, NEAR_END = 3 };

const char *eng_puzzle_tag_name(enum eng_puzzle_tag tag)
{
    static const char *const names[PUZZLE_TAGS_N] = {
        [PUZZLE_TRAP] = "trap",
        [PUZZLE_HIGH_CARDS] = "high_cards",
        [PUZZLE_FEEDING] = "feeding",
        [PUZZLE_LATE_OPENING] = "late_opening",
        [PUZZLE_FIRST_TURN] = "first_turn",
        [PUZZLE_ENDGAME] = "endgame",
        [PUZZLE_JOKER] = "joker",
    };
    ASSERT(tag < PUZZLE_TAGS_N);
    return names[tag];
}

static bool feeds(const struct eng_bot *bot, uint8_t card)
{
    return eng_bot_fits_table(bot, card) || eng_bot_frees_joker(bot, card);
}

/* The tags that compare two discards. */
static unsigned tags_of_cards(const struct eng_view *view, uint8_t best, uint8_t tempting)
{
    const struct eng_params *params = view->params;
    bool high = eng_card_points(params, best) >= HIGH_POINTS;
    unsigned tags = high != (eng_card_points(params, tempting) >= HIGH_POINTS) ? 1U << PUZZLE_HIGH_CARDS : 0;
    struct eng_bot bot;
    uint64_t none = 0;

    if (params->family == ENG_FAMILY_DECLARE)
        return tags;
    eng_bot_set_view(&bot, view, ENG_BOT_STRONG, &none);
    return tags | (feeds(&bot, tempting) && !feeds(&bot, best) ? 1U << PUZZLE_FEEDING : 0);
}

static bool holds_joker(const struct eng_view *view)
{
    for (int i = 0; i < view->hand_n; i++)
        if (eng_is_joker(view->hand[i]) ||
            (view->wild_rank != ENG_NO_CARD && eng_card_rank(view->hand[i]) == view->wild_rank))
            return true;
    return false;
}

static bool is_endgame(const struct eng_view *view)
{
    for (uint8_t seat = 0; seat < view->players; seat++)
        if (seat != view->viewer && view->cards_n[seat] > 0 && view->cards_n[seat] <= NEAR_END)
            return true;
    return false;
}

unsigned eng_puzzle_tags(const struct eng_evaluation *evaluation, const struct eng_view *view, int best,
                         int tempting, bool trap)
{
    int round = view->round[view->viewer];
    unsigned tags = trap ? 1U << PUZZLE_TRAP : 0;

    ASSERT(best >= 0 && best < evaluation->n && tempting >= 0 && tempting < evaluation->n &&
           best != tempting);
    if (evaluation->theme == EVALUATE_DISCARD)
        tags |= tags_of_cards(view, evaluation->moves[best].cards[0], evaluation->moves[tempting].cards[0]);
    if (evaluation->theme == EVALUATE_OPEN && round >= LATE_ROUND)
        tags |= 1U << PUZZLE_LATE_OPENING;
    if (round == 1)
        tags |= 1U << PUZZLE_FIRST_TURN;
    if (is_endgame(view))
        tags |= 1U << PUZZLE_ENDGAME;
    return tags | (holds_joker(view) ? 1U << PUZZLE_JOKER : 0);
}
