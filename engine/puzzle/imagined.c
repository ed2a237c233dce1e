/* See imagined.h. */
#include "engine/puzzle/imagined.h"

#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"
#include "engine/record/text.h"

/* Plays the hand up to step `at`; *before is the game at the start of that turn. false: the hand does not
 * reach it. */
static bool play_to(struct eng_imagined *to, const struct eng_record *hand, uint32_t at,
                    struct eng_game *before)
{
    struct eng_verdict verdict;
    struct eng_outcome out;

    if (at >= hand->steps_n || !eng_record_start(hand, &to->game, &verdict))
        return false;
    *before = to->game;
    to->turn = 1;
    to->first_step = 0;
    for (uint32_t step = 0; step < at; step++) {
        const struct eng_move *move = &hand->steps[step].move;
        if (eng_apply(&to->game, move, &out) != ENG_OK)
            return false;
        if (!record_ends_turn(hand, move))
            continue;
        *before = to->game;
        to->turn++;
        to->first_step = step + 1;
    }
    return true;
}

/* Whether a set-up position can express this game. */
static bool is_expressible(const struct eng_game *before)
{
    if (before->phase != ENG_TO_DRAW && before->phase != ENG_TO_PLAY)
        return false;
    for (int id = 0; id < before->melds_top; id++)
        if (before->melds[id].n == 0)
            return false;
    return before->wrong == 0 && before->away == 0 && before->left == 0 && before->stock_n > 0;
}

/* Sets the seat's own cards and the visible cards as of the start of the turn. */
static void set_open(struct eng_setup *setup, const struct eng_game *before, struct eng_view *view)
{
    setup->starter = before->starter;
    setup->to_move = before->to_move;
    setup->phase = before->phase;
    setup->opened = before->opened;
    setup->flips = before->flips;
    setup->hand[before->to_move] = before->hand[before->to_move];
    setup->discard_n = before->discard_n;
    memcpy(setup->discard, before->discard, before->discard_n);
    memcpy(setup->turns, before->turns, sizeof setup->turns);
    memcpy(setup->missed, before->timeouts, sizeof setup->missed);
    memcpy(setup->out_at, before->out_at, sizeof setup->out_at);
    eng_view(before, before->to_move, view);
    ASSERT(view->melds_n == before->melds_top);
    for (int i = 0; i < view->melds_n; i++) {
        struct eng_setup_meld *meld = &setup->melds[view->melds[i].id];
        meld->owner = view->melds[i].owner;
        meld->n = view->melds[i].n;
        memcpy(meld->cards, view->melds[i].cards, view->melds[i].n);
    }
    setup->melds_n = view->melds_n;
    setup->declarer = ENG_NO_SEAT;
    setup->has_wild = before->wild_card != ENG_NO_CARD;
    setup->wild = before->wild_card;
    setup->open_lies = before->open_card != ENG_NO_CARD;
    setup->picked = before->picked;
    memcpy(setup->lost, before->lost, sizeof setup->lost);
}

/* Sets the other hands and the stock as the master imagines them at that step. The card drawn in this turn
 * is on top of the stock. */
static void set_hidden(struct eng_setup *setup, struct eng_imagined *to, uint64_t seed)
{
    const struct eng_game *imagined = &to->master.imagined;
    uint64_t dice = seed;

    eng_master_set_view(&to->master, &to->view);
    eng_master_imagine(&to->master, &to->view, &dice);
    for (uint8_t seat = 0; seat < to->game.players; seat++)
        if (seat != to->game.to_move)
            setup->hand[seat] = imagined->hand[seat];
    if (to->game.drew == 1 + ENG_STOCK)
        setup->stock[setup->stock_n++] = to->game.drawn;
    for (int i = imagined->stock_n - 1; i >= 0; i--)
        setup->stock[setup->stock_n++] = imagined->stock[i];
}

/* Comparing bytes is valid because eng_view clears a view before filling it. */
static bool are_equal(const void *view, const void *other)
{
    return memcmp(view, other, sizeof(struct eng_view)) == 0;
}

/* Whether the seat sees the same in the position as in the hand, except for the version. */
static bool sees_the_same(struct eng_imagined *to)
{
    struct eng_view again;

    eng_view(&to->game, to->game.to_move, &again);
    again.v = to->view.v;
    again.params = to->view.params;
    return are_equal(&again, &to->view);
}

static bool play_position(struct eng_imagined *to, const struct eng_record *hand, uint32_t at)
{
    struct eng_move moves[IMAGINED_STEPS_MAX];
    struct eng_verdict verdict;
    uint32_t n = at - to->first_step;

    ASSERT(n <= IMAGINED_STEPS_MAX);
    for (uint32_t i = 0; i < n; i++)
        moves[i] = hand->steps[to->first_step + i].move;
    if (!eng_record_play(&to->position, moves, n, &verdict))
        return false;
    return eng_record_end(&to->position, &to->game, &verdict) && sees_the_same(to);
}

bool eng_imagine_moment(struct eng_imagined *to, const struct eng_record *hand, uint32_t at, uint64_t seed)
{
    struct eng_game before;
    struct eng_record *position = &to->position;

    if (!play_to(to, hand, at, &before) || at - to->first_step > IMAGINED_STEPS_MAX ||
        !is_expressible(&before) || to->game.to_move != before.to_move || to->game.away != 0)
        return false;
    eng_view(&to->game, to->game.to_move, &to->view);
    if (!eng_master_may_choose(&to->view))
        return false;
    eng_record_init(position, &hand->params, hand->players, to->steps, IMAGINED_STEPS_MAX);
    position->has_setup = true;
    position->hand_no = hand->hand_no;
    position->has_totals = hand->has_totals;
    memcpy(position->totals, hand->totals, sizeof position->totals);
    memcpy(position->bonus, hand->bonus, sizeof position->bonus);
    struct eng_view *seen = &to->master.view;
    set_open(&position->setup, &before, seen);
    set_hidden(&position->setup, to, seed);
    return play_position(to, hand, at);
}
