/* Chooses the move with the best outcome; see master.h. Its first candidate is a strong bot's move. Its
 * budget is a number of moves, not a time, so equal views and random seeds give equal moves on every
 * machine. */
#include "engine/bots/master.h"

#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"
#include "engine/bots/declare.h"
#include "engine/bots/dice.h"

/* ---- Candidates ---- */

static void add_choice(struct eng_master *master, const struct eng_move *move)
{
    for (int i = 0; i < master->choices_n; i++) {
        const struct eng_move *other = &master->choices[i].move;
        if (other->type == move->type && other->cards[0] % ENG_PACK_CARDS == move->cards[0] % ENG_PACK_CARDS)
            return; /* the same card, or the other copy of it */
    }
    if (master->choices_n < MASTER_CHOICES_MAX)
        master->choices[master->choices_n++] = (struct eng_master_choice){.move = *move};
}

static struct eng_move plain(const struct eng_view *view, enum eng_move_type type)
{
    return (struct eng_move){.type = (uint8_t)type, .seat = view->viewer, .meld = ENG_NO_MELD};
}

/* Candidates: drawing from either pile, and dropping. */
static void list_draws(struct eng_master *master, const struct eng_view *view)
{
    static const uint8_t types[] = {ENG_DRAW_STOCK, ENG_DRAW_DISCARD, ENG_DROP};

    eng_legal(view, &master->legal);
    for (size_t i = 0; i < sizeof types; i++) {
        struct eng_move move = plain(view, types[i]);
        if ((master->legal.types >> types[i] & 1) != 0)
            add_choice(master, &move);
    }
}

int eng_master_throws(const struct eng_view *view, uint8_t throws[ENG_HAND_MAX])
{
    struct eng_bot bot;
    uint64_t none = 0;

    ASSERT(view->phase == ENG_TO_PLAY);
    if (view->params->family == ENG_FAMILY_DECLARE)
        return eng_bot_declare_throws(view, throws);
    eng_bot_set_view(&bot, view, ENG_BOT_MASTER, &none);
    return eng_bot_throws(&bot, throws);
}

bool eng_master_may_choose(const struct eng_view *view)
{
    bool plays = view->phase == ENG_TO_DRAW || view->phase == ENG_TO_PLAY;
    bool begun = view->staged_sum > 0 || view->freed_jokers > 0 || view->must_open;

    return plays && !begun && !view->away[view->viewer];
}

static bool is_throw(const struct eng_move *move)
{
    return move->type == ENG_DISCARD && move->n == 1 && !eng_is_joker(move->cards[0]);
}

/* The first candidate is the quick bot's move. For discards, several cards are candidates. Not laying a
 * meld is also a candidate. */
static void list_choices(struct eng_master *master, const struct eng_view *view, struct eng_move *first)
{
    enum { THROWS_MAX = 3 };
    uint8_t throws[ENG_HAND_MAX];
    bool thrown = is_throw(first);
    int n = thrown || first->type == ENG_MELD ? eng_master_throws(view, throws) : 0;

    if (thrown && n > 0)
        first->cards[0] = throws[0];
    master->choices_n = 0;
    add_choice(master, first);
    if (view->phase == ENG_TO_DRAW)
        list_draws(master, view);
    for (int i = 0; i < n && i < THROWS_MAX; i++) {
        struct eng_move move = plain(view, ENG_DISCARD);
        move.n = 1;
        move.cards[0] = throws[i];
        add_choice(master, &move);
    }
}

/* ---- Playing on ---- */

/* The seat to move next; ENG_NO_SEAT if the hand is over. */
static uint8_t next_seat(const struct eng_game *g)
{
    if (g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY)
        return g->to_move;
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (eng_seat_to_group(g, seat))
            return seat;
    return ENG_NO_SEAT;
}

int eng_master_play_on(struct eng_master *master, uint8_t seat, const struct eng_move *first, uint64_t rng)
{
    struct eng_game *g = &master->played;
    struct eng_move move = *first;

    *g = master->imagined;
    for (int played = 0; played < MASTER_PLAYED_MAX; played++) {
        if (eng_apply(g, &move, &master->outcome) != ENG_OK)
            BUG("a candidate of the master is illegal");
        master->steps++;
        uint8_t mover = next_seat(g);
        if (mover == ENG_NO_SEAT)
            return eng_master_worth(g, seat);
        eng_view(g, mover, &master->view);
        eng_bot_move(&master->view, ENG_BOT_MASTER, &rng, &move);
    }
    master->broken_off++;
    return eng_master_worth(g, seat);
}

/* Plays one more imagined deal with every candidate. */
static void weigh(struct eng_master *master, const struct eng_view *view, uint64_t *rng)
{
    int first = 0;

    eng_master_imagine(master, view, rng);
    uint64_t dice = eng_bot_dice(rng);
    for (int i = 0; i < master->choices_n; i++) {
        struct eng_master_choice *choice = &master->choices[i];
        int worth = eng_master_play_on(master, view->viewer, &choice->move, dice);
        if (i == 0)
            first = worth;
        choice->gain += worth - first;
        choice->gain_squared += (int64_t)(worth - first) * (worth - first);
    }
    master->deals++;
}

/* The first candidate is never eliminated: all gains are relative to it. */
static void give_up_worst(struct eng_master *master)
{
    int worst = 1;

    for (int i = 2; i < master->choices_n; i++)
        if (master->choices[i].gain < master->choices[worst].gain)
            worst = i;
    master->choices[worst] = master->choices[--master->choices_n];
}

/* Whether the gain exceeds chance: one standard error, or two for a discard, because strong bots discard
 * well and the best of several candidates may just be lucky. */
static bool is_better(const struct eng_master *master, const struct eng_master_choice *choice)
{
    bool throws = master->choices[0].move.type == ENG_DISCARD;
    int64_t mean_squared = choice->gain * choice->gain / master->deals;
    int64_t spread = choice->gain_squared - mean_squared;

    return choice->gain > 0 && mean_squared > spread / master->deals * (throws ? 4 : 1);
}

void eng_master_move(const struct eng_view *view, struct eng_master *master, uint64_t *rng,
                     struct eng_move *move)
{
    uint64_t dice = eng_bot_dice(rng);

    eng_bot_move(view, ENG_BOT_MASTER, rng, move);
    if (!eng_master_may_choose(view))
        return;
    list_choices(master, view, move);
    if (master->choices_n < 2)
        return;
    eng_master_set_view(master, view);
    for (master->steps = master->deals = master->broken_off = 0;
         master->deals < MASTER_DEALS_MAX && master->steps < MASTER_STEPS_MAX;) {
        weigh(master, view, &dice);
        if (master->deals % MASTER_ROUND == 0 && master->choices_n > 2)
            give_up_worst(master);
    }
    int64_t most = 0;
    for (int i = 1; i < master->choices_n; i++) {
        if (!is_better(master, &master->choices[i]) || master->choices[i].gain <= most)
            continue;
        most = master->choices[i].gain;
        *move = master->choices[i].move;
    }
}
