/* Bots: one strategy at several levels, which opens as soon as possible, gets rid of cards, and goes out.
 * The strongest level searches further (master.c); its first candidate is computed here. The tables call
 * this for bot seats and for seats whose player is away, on the hub thread, repeatedly until the turn has
 * passed. A bot sees only its view, never the game. */
#include "engine/bots/bot.h"

#include <string.h>

#include "base/bug.h"
#include "engine/bots/declare.h"
#include "engine/bots/dice.h"

static const struct eng_bot_style styles[] = {
    [ENG_BOT_EASY] =
        {.misses_opening = 200, .misses_discard = 230, .misses_joins = 190, .near_melds = 1, .sheds = 12},
    [ENG_BOT_MEDIUM] = {.misses_opening = 190,
                        .misses_discard = 215,
                        .misses_joins = 140,
                        .takes_to_lay_off = true,
                        .swaps = true,
                        .near_melds = 8,
                        .sheds = 12,
                        .danger = 1},
    [ENG_BOT_STRONG] = {.takes_to_lay_off = true,
                        .swaps = true,
                        .buries = true,
                        .counts = true,
                        .holds_jokers = true,
                        .near_melds = 12,
                        .sheds = 12,
                        .danger = 3},
};

/* If the winner takes all and losers pay nothing for their hands, melds matter more than points. Only the
 * master uses this. */
static const struct eng_bot_style taker = {.takes_to_lay_off = true,
                                           .swaps = true,
                                           .buries = true,
                                           .counts = true,
                                           .holds_jokers = true,
                                           .near_melds = 24,
                                           .sheds = 4,
                                           .danger = 3};

static const struct eng_bot_style *style_of(const struct eng_params *params, enum eng_bot_level level)
{
    if (level != ENG_BOT_MASTER)
        return &styles[level];
    return params->winner_takes ? &taker : &styles[ENG_BOT_STRONG];
}

const char *eng_bot_level_name(enum eng_bot_level level)
{
    static const char *const names[ENG_BOT_LEVELS] = {[ENG_BOT_EASY] = "easy",
                                                      [ENG_BOT_MEDIUM] = "medium",
                                                      [ENG_BOT_STRONG] = "strong",
                                                      [ENG_BOT_MASTER] = "master"};

    ASSERT(level >= ENG_BOT_EASY && level <= ENG_BOT_MASTER);
    return names[level];
}

static bool misses(const struct eng_bot *bot, uint8_t how_often)
{
    return eng_bot_misses(bot->rng, how_often);
}

static void plain(struct eng_move *m, const struct eng_bot *bot, enum eng_move_type type)
{
    *m = (struct eng_move){.type = (uint8_t)type, .seat = bot->scene.seat, .meld = ENG_NO_MELD};
}

/* ---- Drawing ----------------------------------------------------------------------------------- */

/* Before opening, take the discard if it lets the hand open now or, in the free first round, if it makes a
 * meld. */
static bool takes_unopened(const struct eng_bot *bot, const uint8_t *cards, int n)
{
    const struct eng_view *view = bot->scene.view;
    struct eng_solver_result with;

    if (bot->scene.discard_obliges)
        return bot->scene.may_meld && eng_bot_opening(bot, cards, n, &with);
    struct eng_solver_goal goal = {.worth_factor = 1, .must_card = ENG_NO_CARD};
    return eng_solver_score(&bot->rules, &goal, cards, n) >
           eng_solver_score(&bot->rules, &goal, view->hand, view->hand_n);
}

static bool takes_discard(const struct eng_bot *bot)
{
    const struct eng_view *view = bot->scene.view;
    uint8_t cards[ENG_HAND_MAX], top = view->discard[view->discard_n - 1];
    int n = view->hand_n;

    if (misses(bot, bot->style->misses_discard) || n == ENG_HAND_MAX || eng_is_joker(top))
        return false;
    int at = n;
    while (at > 0 && view->hand[at - 1] > top)
        at--;
    memcpy(cards, view->hand, (size_t)at);
    cards[at] = top;
    memcpy(cards + at + 1, view->hand + at, (size_t)(n - at));
    if (!bot->scene.opened)
        return takes_unopened(bot, cards, n + 1);
    if (!bot->style->takes_to_lay_off && eng_bot_fits_table(bot, top))
        return false;
    int32_t left = eng_bot_left_weight(bot, view->hand, n, false);
    if (eng_bot_left_weight(bot, cards, n + 1, true) <= left)
        return true;
    if (!bot->style->swaps || !eng_bot_frees_joker(bot, top))
        return false;
    memcpy(cards, view->hand, (size_t)n);
    cards[n] = ENG_JOKER_FIRST; /* a joker can represent the one it frees */
    while (eng_cards_has(&bot->scene.hand, cards[n]))
        cards[n]++;
    return eng_bot_left_weight(bot, cards, n + 1, true) <= left + 1;
}

static void draw(const struct eng_bot *bot, struct eng_move *m)
{
    if (eng_legal_flip(&bot->scene) && !(bot->scene.discard_is_open && takes_discard(bot))) {
        plain(m, bot, ENG_FLIP);
        return;
    }
    bool discard = bot->scene.discard_is_open && (!eng_legal_draw_stock(&bot->scene) || takes_discard(bot));
    plain(m, bot, discard ? ENG_DRAW_DISCARD : ENG_DRAW_STOCK);
}

/* ---- Melding ------------------------------------------------------------------------------------- */

static void lay(struct eng_move *m, const struct eng_bot *bot, const struct eng_solver_result *result)
{
    const struct eng_solver_group *best = &result->groups[0];

    ASSERT(result->groups_n > 0);
    for (int g = 1; g < result->groups_n; g++) {
        if (result->groups[g].worth > best->worth)
            best = &result->groups[g];
    }
    plain(m, bot, ENG_MELD);
    m->n = best->n;
    memcpy(m->cards, best->cards, best->n);
}

/* Lays the next meld of an opening, or takes back leftovers if there is none, because an absent player may
 * have left half an opening. */
static bool opens(const struct eng_bot *bot, struct eng_move *m)
{
    const struct eng_legal_scene *s = &bot->scene;
    struct eng_solver_result result;

    bool committed = s->staged || s->view->must_open;
    if (s->may_meld && (committed || !misses(bot, bot->style->misses_opening)) &&
        eng_bot_opening(bot, s->view->hand, s->view->hand_n, &result)) {
        lay(m, bot, &result);
        return true;
    }
    if (!committed)
        return false;
    plain(m, bot, s->staged ? ENG_TAKE_BACK : ENG_CANCEL_DRAW);
    return true;
}

static bool melds(const struct eng_bot *bot, struct eng_move *m)
{
    const struct eng_view *view = bot->scene.view;
    struct eng_solver_goal goal;
    struct eng_solver_result result;

    if (!bot->scene.may_meld)
        return false;
    eng_bot_goal(bot, view->hand, view->hand_n, &goal);
    eng_legal_best(&bot->scene, &bot->rules, &goal, view->hand, view->hand_n, &result);
    if (result.groups_n == 0)
        return false;
    lay(m, bot, &result);
    return true;
}

/* ---- Lay-offs and swaps ---------------------------------------------------------------------------- */

/* If a freed joker must be used in the same turn, another meld has to accept it and a card has to remain
 * for the discard. */
static bool may_use(const struct eng_bot *bot, int k, int from, uint8_t joker)
{
    const struct eng_legal_scene *s = &bot->scene;
    struct eng_cards rest = s->hand;
    struct eng_blame blame;
    enum eng_end end;

    if (s->params->swapped_joker_kept)
        return true;
    eng_cards_remove(&rest, s->view->hand[k]);
    if (!eng_hand_can_discard(s->params, &rest, false, s->taken))
        return false;
    for (int i = 0; i < s->view->melds_n; i++) {
        int jokers_max =
            eng_jokers_max(s->params, true, s->melds[i].owner == s->seat && s->view->opening_turn);
        bool run = s->melds[i].kind == ENG_RUN;
        for (int wanted = run ? ENG_END_LOW : ENG_END_NONE; wanted <= (run ? ENG_END_HIGH : ENG_END_NONE);
             wanted++)
            if (i != from &&
                eng_meld_fits(s->params, &s->melds[i], joker, (enum eng_end)wanted, jokers_max, &end, &blame))
                return true;
    }
    return false;
}

/* A swap trades a card for a joker. It is worth it if the best melds then leave less in hand. */
static bool swaps(const struct eng_bot *bot, struct eng_move *m)
{
    const struct eng_legal_scene *s = &bot->scene;
    int32_t least = INT32_MAX;

    for (int i = 0; bot->style->swaps && s->opened && i < s->view->melds_n; i++) {
        for (int k = 0; s->melds[i].jokers > 0 && k < s->view->hand_n; k++) {
            uint8_t card = s->view->hand[k], joker, cards[ENG_HAND_MAX];
            if (eng_is_joker(card) || !eng_legal_swap(s, card, i, ENG_NO_CARD, &joker))
                continue;
            memcpy(cards, s->view->hand, s->view->hand_n);
            memmove(cards + k, cards + k + 1, (size_t)(s->view->hand_n - k - 1));
            cards[s->view->hand_n - 1] = joker;
            int32_t left = eng_bot_left_weight(bot, cards, s->view->hand_n, true);
            if (left >= least || !may_use(bot, k, i, joker))
                continue;
            least = left;
            plain(m, bot, ENG_SWAP);
            m->meld = s->view->melds[i].id;
            m->n = 2;
            m->cards[0] = card;
            m->cards[1] = joker;
        }
    }
    return least < eng_bot_left_weight(bot, s->view->hand, s->view->hand_n, true);
}

/* Finds a meld to lay the card off on. A joker goes where the card it represents is least likely to turn
 * up. */
static bool finds_place(const struct eng_bot *bot, uint8_t card, struct eng_move *m)
{
    const struct eng_legal_scene *s = &bot->scene;
    int least = INT32_MAX;

    for (int i = 0; i < s->view->melds_n; i++) {
        const struct eng_meld *meld = &s->melds[i];
        bool run = meld->kind == ENG_RUN;
        for (int end = run ? ENG_END_LOW : ENG_END_NONE; end <= (run ? ENG_END_HIGH : ENG_END_NONE); end++) {
            if (!eng_legal_lay_off(s, card, i, (enum eng_end)end))
                continue;
            int place = end == ENG_END_LOW ? meld->low - 1 : meld->low + meld->n;
            int risk =
                eng_is_joker(card) && run ? bot->unseen[meld->suit * ENG_RANKS + place % ENG_RANKS] : 0;
            if (risk >= least)
                continue;
            least = risk;
            plain(m, bot, ENG_LAY_OFF);
            m->meld = s->view->melds[i].id;
            m->end = (uint8_t)end;
            m->n = 1;
            m->cards[0] = card;
        }
    }
    return least < INT32_MAX;
}

static bool lays_off(const struct eng_bot *bot, struct eng_move *m)
{
    const struct eng_legal_scene *s = &bot->scene;
    int jokers = eng_cards_jokers(&s->hand), naturals = s->view->hand_n - jokers;

    if (!s->may_join || misses(bot, bot->style->misses_joins))
        return false;
    for (int i = naturals - 1; i >= 0; i--) {
        if (finds_place(bot, s->view->hand[i], m))
            return true;
    }
    if (jokers == 0)
        return false;
    /* The last natural card is discarded with one joker; without natural cards, the jokers are discarded
     * together. */
    if (naturals == 0 || (naturals == 1 && jokers == 1))
        return false;
    bool hold = bot->style->holds_jokers && naturals > 1 && bot->fewest > 3;
    return !hold && finds_place(bot, s->view->hand[naturals], m);
}

/* A freed joker that must be used goes where it fits, or back where it came from. */
static bool uses_bound_joker(const struct eng_bot *bot, struct eng_move *m)
{
    uint8_t joker = eng_legal_bound_joker(&bot->scene, &bot->scene.hand);

    if (joker == ENG_NO_CARD)
        return false;
    if (finds_place(bot, joker, m))
        return true;
    if (eng_legal_discard(&bot->scene, &joker, 1))
        return false; /* discarding it as the very last card uses it */
    plain(m, bot, ENG_TAKE_BACK);
    m->meld = bot->scene.view->freed_meld[joker - ENG_JOKER_FIRST];
    return true;
}

/* If only two jokers are left, lay one off; discarding the other ends the hand. */
static bool lays_last_joker(const struct eng_bot *bot, struct eng_move *m)
{
    const struct eng_view *view = bot->scene.view;
    bool jokers = view->hand_n == 2 && eng_cards_jokers(&bot->scene.hand) == 2;

    return jokers && !bot->scene.params->joker_buried && finds_place(bot, view->hand[0], m);
}

void eng_bot_set_view(struct eng_bot *bot, const struct eng_view *view, enum eng_bot_level level,
                      uint64_t *rng)
{
    ASSERT(level >= ENG_BOT_EASY && level <= ENG_BOT_MASTER);
    *bot = (struct eng_bot){.rng = rng, .style = style_of(view->params, level), .fewest = ENG_HAND_MAX};
    if (!eng_legal_scene_of(&bot->scene, view, true))
        BUG("eng_bot_move for a seat that is not to move");
    eng_solver_rules_of(&bot->rules, view->params, eng_legal_jokers_max(&bot->scene));
    for (uint8_t seat = 0; seat < view->players; seat++) {
        if (seat != view->viewer && view->cards_n[seat] < bot->fewest)
            bot->fewest = view->cards_n[seat];
    }
    eng_bot_count_unseen(bot);
}

void eng_bot_move(const struct eng_view *view, enum eng_bot_level level, uint64_t *rng, struct eng_move *m)
{
    struct eng_bot bot;

    if (view->params->family == ENG_FAMILY_DECLARE) {
        eng_bot_declare_move(view, level, rng, m);
        return;
    }
    eng_bot_set_view(&bot, view, level, rng);
    if (view->phase == ENG_TO_DRAW) {
        draw(&bot, m);
        return;
    }
    if (!bot.scene.opened) {
        if (!opens(&bot, m))
            eng_bot_discard(&bot, m);
        return;
    }
    if (uses_bound_joker(&bot, m) || lays_last_joker(&bot, m))
        return;
    if (!swaps(&bot, m) && !melds(&bot, m) && !lays_off(&bot, m))
        eng_bot_discard(&bot, m);
}
