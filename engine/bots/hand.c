/* How a bot evaluates a hand: which cards are unseen, which ones the table accepts, what is left over, and
 * which melds need only one more card. Called by bot.c and discard.c. */
#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"

enum {
    CARD_WEIGHT = 10,      /* for getting rid of any card, in addition to its points */
    HELD_JOKER_WEIGHT = 1, /* a joker to be kept goes out only if it helps other cards out */
    UNKNOWN_COPIES = 2,    /* assumed for every card by bots that do not keep track */
};

void eng_bot_count_unseen(struct eng_bot *bot)
{
    const struct eng_view *view = bot->scene.view;
    const struct eng_params *params = bot->scene.params;
    uint8_t seen[SOLVER_TYPES] = {0}, jokers = 0;

    if (!bot->style->counts) {
        memset(bot->unseen, UNKNOWN_COPIES, sizeof bot->unseen);
        bot->unseen_jokers = (uint8_t)params->jokers;
        return;
    }
    for (int i = 0; i < view->hand_n + view->discard_n; i++) {
        uint8_t card = i < view->hand_n ? view->hand[i] : view->discard[i - view->hand_n];
        if (eng_is_joker(card))
            jokers++;
        else
            seen[card % SOLVER_TYPES]++;
    }
    for (int i = 0; i < view->melds_n; i++) {
        for (int k = 0; k < view->melds[i].n; k++) {
            uint8_t card = view->melds[i].cards[k];
            if (eng_is_joker(card))
                jokers++;
            else
                seen[card % SOLVER_TYPES]++;
        }
    }
    for (int type = 0; type < SOLVER_TYPES; type++) {
        ASSERT(seen[type] <= params->packs);
        bot->unseen[type] = (uint8_t)(params->packs - seen[type]);
    }
    ASSERT(jokers <= params->jokers);
    bot->unseen_jokers = (uint8_t)(params->jokers - jokers);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* Marks the first unmarked card of this type; false: there is none. */
static bool mark(const uint8_t *cards, int n, int type, bool *joins)
{
    for (int i = 0; i < n; i++) {
        if (!joins[i] && !eng_is_joker(cards[i]) && cards[i] % SOLVER_TYPES == type) {
            joins[i] = true;
            return true;
        }
    }
    return false;
}

static void join_run(const struct eng_params *p, const struct eng_meld *meld, const uint8_t *cards, int n,
                     bool *joins)
{
    int low = meld->low, high = meld->low + meld->n - 1, length = meld->n;
    int lowest = p->ace_low ? 0 : 1, highest = p->ace_high ? ENG_PLACE_ACE_HIGH : ENG_RANK_KING;

    while (low > lowest && length < p->run_max && mark(cards, n, meld->suit * ENG_RANKS + low - 1, joins)) {
        low--;
        length++;
    }
    while (high < highest && length < p->run_max &&
           mark(cards, n, meld->suit * ENG_RANKS + (high + 1) % ENG_RANKS, joins)) {
        high++;
        length++;
    }
}

void eng_bot_joins(const struct eng_bot *bot, const uint8_t *cards, int n, bool joins[ENG_HAND_MAX])
{
    const struct eng_legal_scene *s = &bot->scene;

    memset(joins, 0, ENG_HAND_MAX * sizeof *joins);
    for (int i = 0; s->may_join && i < s->view->melds_n; i++) {
        const struct eng_meld *meld = &s->melds[i];
        if (meld->kind == ENG_RUN) {
            join_run(s->params, meld, cards, n, joins);
            continue;
        }
        int size = meld->n;
        for (int suit = 0; suit < ENG_SUITS && size < s->params->set_max; suit++) {
            if ((meld->suits >> suit & 1) == 0)
                size += mark(cards, n, suit * ENG_RANKS + meld->low, joins);
        }
    }
}

bool eng_bot_joker_has_room(const struct eng_bot *bot)
{
    const struct eng_legal_scene *s = &bot->scene;

    for (int i = 0; s->may_join && i < s->view->melds_n; i++) {
        const struct eng_meld *meld = &s->melds[i];
        enum eng_end end;
        struct eng_blame blame;
        int jokers_max = eng_jokers_max(s->params, true, meld->owner == s->seat && s->view->opening_turn);
        if (meld->kind != ENG_RUN)
            continue;
        if (eng_meld_fits(s->params, meld, ENG_JOKER_FIRST, ENG_END_LOW, jokers_max, &end, &blame) ||
            eng_meld_fits(s->params, meld, ENG_JOKER_FIRST, ENG_END_HIGH, jokers_max, &end, &blame))
            return true;
    }
    return false;
}

bool eng_bot_fits_table(const struct eng_bot *bot, uint8_t card)
{
    const struct eng_legal_scene *s = &bot->scene;
    enum eng_end end;
    struct eng_blame blame;

    for (int i = 0; i < s->view->melds_n; i++) {
        const struct eng_meld *meld = &s->melds[i];
        bool run = meld->kind == ENG_RUN;
        if (run && eng_suit(card) != meld->suit)
            continue;
        if (eng_meld_fits(s->params, meld, card, run ? ENG_END_LOW : ENG_END_NONE, ENG_RUN_MAX, &end,
                          &blame) ||
            (run && eng_meld_fits(s->params, meld, card, ENG_END_HIGH, ENG_RUN_MAX, &end, &blame)))
            return true;
    }
    return false;
}

bool eng_bot_frees_joker(const struct eng_bot *bot, uint8_t card)
{
    const struct eng_legal_scene *s = &bot->scene;
    struct eng_blame blame;
    uint8_t place;

    for (int i = 0; i < s->view->melds_n; i++) {
        if (s->melds[i].jokers > 0 &&
            eng_meld_frees(s->params, &s->melds[i], card, ENG_NO_CARD, &place, &blame))
            return true;
    }
    return false;
}

/* ---- Hands ------------------------------------------------------------------------------------- */

void eng_bot_goal(const struct eng_bot *bot, const uint8_t *cards, int n, struct eng_solver_goal *goal)
{
    bool joins[ENG_HAND_MAX];

    eng_solver_goal_points(goal, bot->scene.params);
    for (int type = 0; type < SOLVER_TYPES; type++)
        goal->weight[type] = (int16_t)(goal->weight[type] + CARD_WEIGHT);
    bool hold = bot->style->holds_jokers && bot->fewest > 3;
    goal->joker_weight = (int16_t)(hold ? HELD_JOKER_WEIGHT : goal->joker_weight + CARD_WEIGHT);
    goal->keep = (uint8_t)eng_solver_keep_of(bot->scene.params, false);
    eng_bot_joins(bot, cards, n, joins);
    for (int i = 0; i < n; i++) {
        if (joins[i])
            goal->weight[cards[i] % SOLVER_TYPES] = 0;
    }
}

/* Whether the discard ends the hand, given the number of jokers and of natural cards that fit nowhere. */
static bool goes_out(const struct eng_bot *bot, int naturals, int jokers, bool room)
{
    if (naturals > 1)
        return false;
    return naturals == 0 || jokers == 0 || room || (jokers == 1 && bot->scene.params->joker_buried);
}

int32_t eng_bot_left_weight(const struct eng_bot *bot, const uint8_t *cards, int n, bool throws)
{
    struct eng_solver_goal goal;
    struct eng_solver_result result;
    int32_t left = 0;
    int naturals = 0, jokers = 0;
    bool room = eng_bot_joker_has_room(bot);

    /* Cards that must be kept count as left over: if the hand is one meld of three cards, it cannot be
     * laid. */
    eng_bot_goal(bot, cards, n, &goal);
    eng_solver_best(&bot->rules, &goal, cards, n, &result);
    for (int i = 0; i < result.left_n; i++) {
        uint8_t card = result.left[i];
        int32_t weight = eng_is_joker(card) ? goal.joker_weight : goal.weight[card % SOLVER_TYPES];
        left += eng_is_joker(card) && room ? HELD_JOKER_WEIGHT : weight;
        jokers += eng_is_joker(card);
        naturals += !eng_is_joker(card) && weight > 0;
    }
    ASSERT(left >= 0);
    return throws && goes_out(bot, naturals, jokers, room) ? 0 : left;
}

bool eng_bot_opening(const struct eng_bot *bot, const uint8_t *cards, int n, struct eng_solver_result *result)
{
    const struct eng_legal_scene *s = &bot->scene;
    int needed = s->params->opening_min - s->view->staged_sum;
    struct eng_solver_goal goal;

    ASSERT(!s->opened);
    eng_solver_goal_points(&goal, s->params);
    for (int type = 0; type < SOLVER_TYPES; type++)
        goal.weight[type] = (int16_t)(goal.weight[type] + CARD_WEIGHT);
    goal.joker_weight = HELD_JOKER_WEIGHT;
    goal.keep = (uint8_t)eng_solver_keep_of(s->params, false);
    if (s->params->taken_discard_in_opening && s->view->must_open && eng_cards_has(&s->hand, s->taken))
        goal.must_card = s->taken;
    /* Get rid of as much as possible without wasting jokers; if that is not enough, maximize worth. */
    eng_legal_best(s, &bot->rules, &goal, cards, n, result);
    if (result->groups_n > 0 && result->worth >= needed)
        return true;
    memset(goal.weight, 0, sizeof goal.weight);
    goal.joker_weight = 0;
    goal.worth_factor = 1;
    eng_legal_best(s, &bot->rules, &goal, cards, n, result);
    return result->groups_n > 0 && result->worth >= needed;
}

/* ---- Near melds ---------------------------------------------------------------------------------- */

/* Unseen copies of the cards that would complete a meld with these two, times its points. */
static int32_t pair_wants(const struct eng_bot *bot, uint8_t a, uint8_t b)
{
    const struct eng_params *p = bot->scene.params;
    int suit_a = eng_suit(a), suit_b = eng_suit(b), rank_a = eng_rank(a), rank_b = eng_rank(b);
    int points = eng_card_points(p, a) + eng_card_points(p, b);
    int32_t wanted = 0;

    if (rank_a == rank_b && suit_a != suit_b) {
        for (int suit = 0; suit < ENG_SUITS; suit++) {
            if (suit != suit_a && suit != suit_b)
                wanted += bot->unseen[suit * ENG_RANKS + rank_a];
        }
        return (wanted + bot->unseen_jokers) * (points + points / 2);
    }
    if (suit_a != suit_b || rank_a == rank_b)
        return 0;
    int low = rank_a < rank_b ? rank_a : rank_b, high = rank_a < rank_b ? rank_b : rank_a;
    if (low == 0 && high > ENG_RANKS / 2 && p->ace_high) { /* an ace above the king */
        low = high;
        high = ENG_PLACE_ACE_HIGH;
    }
    if (high - low > 2)
        return 0;
    const uint8_t *suit = &bot->unseen[suit_a * ENG_RANKS];
    if (high - low == 2) {
        wanted = suit[low + 1];
    } else {
        if (low > (p->ace_low ? 0 : 1))
            wanted += suit[low - 1];
        if (high < (p->ace_high ? ENG_PLACE_ACE_HIGH : ENG_RANK_KING))
            wanted += suit[(high + 1) % ENG_RANKS];
    }
    return (wanted + bot->unseen_jokers) * (points + points / 2);
}

int32_t eng_bot_near_melds(const struct eng_bot *bot, uint8_t card, const uint8_t *cards, int n,
                           const bool *grouped)
{
    int32_t sum = 0;
    bool twin = false;

    ASSERT(!eng_is_joker(card));
    for (int i = 0; i < n; i++) {
        if (cards[i] == card || eng_is_joker(cards[i]))
            continue;
        twin = twin || cards[i] % SOLVER_TYPES == card % SOLVER_TYPES;
        int32_t wants = pair_wants(bot, card, cards[i]);
        sum += grouped[i] ? wants / 3 : wants;
    }
    return twin ? sum / 3 : sum;
}
