/* Chooses a bot's discard at the end of its turn. Called by bot.c after melds and lay-offs. */
#include "base/bug.h"
#include "engine/bots/bot.h"

enum { NEAR_END = 3 /* an opponent with this many cards may go out in any turn */ };

static void set_move(struct eng_move *m, const struct eng_bot *bot, int n)
{
    *m =
        (struct eng_move){.type = ENG_DISCARD, .seat = bot->scene.seat, .meld = ENG_NO_MELD, .n = (uint8_t)n};
}

/* How useful the card would be to the next player. */
static int32_t danger_of(const struct eng_bot *bot, uint8_t card)
{
    const struct eng_view *view = bot->scene.view;
    uint8_t next = (uint8_t)((bot->scene.seat + 1) % view->players);

    if (bot->style->danger == 0 || !view->opened[next])
        return 0;
    int32_t danger = 0;
    if (eng_bot_frees_joker(bot, card))
        danger += 60;
    else if (eng_bot_fits_table(bot, card))
        danger += 30;
    if (view->cards_n[next] <= NEAR_END)
        danger *= 2;
    return danger * bot->style->danger;
}

/* The value of keeping the card, in tenths of points. */
static int32_t keep_value(const struct eng_bot *bot, uint8_t card, const bool *grouped)
{
    const struct eng_view *view = bot->scene.view;
    const struct eng_params *params = bot->scene.params;
    int32_t near = 0;

    /* The last two cards cannot become a meld, because a third one would leave nothing to discard. */
    if (!bot->scene.opened || view->hand_n > 3)
        near = eng_bot_near_melds(bot, card, view->hand, view->hand_n, grouped) * bot->style->near_melds / 8;
    int32_t value = near + danger_of(bot, card);

    if (!bot->scene.opened) /* points in hand do not count before opening, and high melds help to open */
        return value + eng_card_points(params, card);
    int32_t weight = bot->fewest <= NEAR_END ? 40 : bot->style->sheds;
    return value - weight * eng_card_points(params, card);
}

/* The least useful natural card, if all of them are in groups. */
static uint8_t least_missed(const struct eng_bot *bot, const struct eng_solver_goal *goal)
{
    const struct eng_view *view = bot->scene.view;
    int32_t most = -1;
    uint8_t best = ENG_NO_CARD;

    for (int i = 0; i < view->hand_n; i++) {
        uint8_t rest[ENG_HAND_MAX];
        int n = 0;
        if (eng_is_joker(view->hand[i]) || !eng_legal_discard(&bot->scene, &view->hand[i], 1))
            continue;
        for (int k = 0; k < view->hand_n; k++) {
            if (k != i)
                rest[n++] = view->hand[k];
        }
        int32_t score = eng_solver_score(&bot->rules, goal, rest, n);
        if (score > most) {
            most = score;
            best = view->hand[i];
        }
    }
    return best;
}

int eng_bot_throws(const struct eng_bot *bot, uint8_t throws[ENG_HAND_MAX])
{
    const struct eng_view *view = bot->scene.view;
    struct eng_solver_goal goal;
    struct eng_solver_result result;
    bool grouped[ENG_HAND_MAX];
    int32_t values[ENG_HAND_MAX];
    int n = 0;

    eng_solver_goal_points(&goal, bot->scene.params);
    if (!bot->scene.opened) {
        goal.worth_factor = 8; /* worth first, then points */
        goal.joker_weight = 1;
    }
    eng_solver_best(&bot->rules, &goal, view->hand, view->hand_n, &result);
    for (int i = 0, l = 0; i < view->hand_n; i++) {
        grouped[i] = !(l < result.left_n && result.left[l] == view->hand[i]);
        l += !grouped[i];
    }
    for (int i = 0; i < result.left_n; i++) {
        uint8_t card = result.left[i];
        if (eng_is_joker(card) || !eng_legal_discard(&bot->scene, &card, 1))
            continue;
        int32_t value = keep_value(bot, card, grouped);
        int at = n++;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
            throws[at] = throws[at - 1];
        }
        values[at] = value;
        throws[at] = card;
    }
    if (n > 0)
        return n;
    throws[0] = least_missed(bot, &goal);
    return throws[0] != ENG_NO_CARD;
}

static uint8_t worst_card(const struct eng_bot *bot)
{
    uint8_t throws[ENG_HAND_MAX];

    return eng_bot_throws(bot, throws) > 0 ? throws[0] : ENG_NO_CARD;
}

/* Bury a joker if an opponent is about to go out and no run accepts it, or if burying it empties the
 * hand. */
static bool wants_to_bury(const struct eng_bot *bot, int naturals, int jokers)
{
    if (!bot->scene.params->joker_buried || jokers == 0)
        return false;
    if (naturals == 1 && jokers == 1)
        return true;
    if (!bot->style->buries || !bot->scene.opened || naturals == 0)
        return false;
    return bot->fewest <= NEAR_END && !eng_bot_joker_has_room(bot);
}

void eng_bot_discard(const struct eng_bot *bot, struct eng_move *m)
{
    const struct eng_view *view = bot->scene.view;
    int jokers = eng_cards_jokers(&bot->scene.hand), naturals = view->hand_n - jokers;

    if (naturals == 0) {
        set_move(m, bot, bot->scene.params->joker_buried ? jokers : 1);
        uint8_t bound = eng_legal_bound_joker(&bot->scene, &bot->scene.hand);
        for (int i = 0; i < m->n; i++)
            m->cards[i] = view->hand[i];
        if (bound != ENG_NO_CARD)
            m->cards[0] = bound;
    } else if (wants_to_bury(bot, naturals, jokers)) {
        set_move(m, bot, 2);
        m->cards[0] = view->hand[naturals]; /* hands are in ascending order, with jokers last */
        m->cards[1] = worst_card(bot);
    } else {
        set_move(m, bot, 1);
        m->cards[0] = worst_card(bot);
    }
    ASSERT(m->cards[m->n - 1] != ENG_NO_CARD && eng_legal_discard(&bot->scene, m->cards, m->n));
}
