/* See replay.h: positions in a session and moving between them. Each position is replayed from the deal,
 * because a hand has about a hundred moves and a core makes ten million per second. */
#include "server/cli/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "engine/core/game.h"
#include "engine/record/text.h"

static const struct eng_record *record_of(const struct srv_replay *r, int hand)
{
    ASSERT(hand >= 0 && hand < r->book->n);
    return &r->book->hands[hand].record;
}

/* Includes the moves that ended the session after the hand. */
static uint32_t all_steps(const struct eng_record *record)
{
    ASSERT(record->close.done.n <= ENG_BETWEEN_MAX);
    return record->steps_n + record->close.done.n;
}

static struct eng_move move_of(const struct eng_record *record, uint32_t step)
{
    ASSERT(step >= 1 && step <= all_steps(record));
    if (step <= record->steps_n)
        return record->steps[step - 1].move;
    const struct eng_between *done = &record->close.done;
    uint32_t i = step - record->steps_n - 1;
    return (struct eng_move){.type = done->moves[i].type, .seat = done->moves[i].seat, .meld = ENG_NO_MELD};
}

/* Whether this move completes a turn. Each turn is one line of the record. */
static bool ends_turn(const struct eng_record *record, uint32_t step)
{
    ASSERT(step >= 1 && step <= all_steps(record));
    return step >= record->steps_n || record_ends_turn(record, &record->steps[step - 1].move);
}

/* follows: the previous hand was valid, and this one must continue it. */
static bool open_hand(struct srv_replay *r, int hand, struct eng_game *end, bool follows)
{
    struct srv_replay_hand *h = &r->hands[hand];
    const struct eng_record *record = record_of(r, hand);
    struct eng_game game;

    if (!eng_record_start(record, &game, &h->verdict))
        return false;
    if (eng_record_end(record, &game, &h->verdict) && follows)
        eng_record_follows(record, record_of(r, hand - 1), end, &h->verdict);
    *end = game;
    h->steps = h->verdict.code == ENG_VERDICT_OK ? all_steps(record)
               : h->verdict.turn > 0             ? h->verdict.step
                                                 : record->steps_n;
    for (uint32_t step = 1; step <= h->steps && step <= record->steps_n; step++)
        h->turns += ends_turn(record, step);
    return true;
}

bool srv_replay_open(struct srv_replay *r, const struct srv_record_book *book)
{
    struct eng_game end = {0};

    *r = (struct srv_replay){.book = book, .holds = true};
    r->hands = calloc((size_t)book->n + 1, sizeof *r->hands);
    if (!r->hands)
        return false;
    for (int hand = 0; hand < book->n; hand++) {
        bool follows = hand > 0 && r->hands[hand - 1].verdict.code == ENG_VERDICT_OK;
        if (!open_hand(r, hand, &end, follows)) {
            r->holds = false;
            break;
        }
        r->n++;
        r->holds = r->holds && r->hands[hand].verdict.code == ENG_VERDICT_OK;
    }
    return r->n > 0;
}

void srv_replay_close(struct srv_replay *r)
{
    free(r->hands);
    *r = (struct srv_replay){0};
}

void srv_replay_seek(const struct srv_replay *r, struct srv_replay_place place, struct srv_replay_at *at)
{
    const struct eng_record *record = record_of(r, place.hand);
    struct eng_verdict verdict;

    ASSERT(place.hand < r->n && place.step <= r->hands[place.hand].steps);
    memset(at, 0, sizeof *at);
    if (!eng_record_start(record, &at->game, &verdict))
        BUG("a record that started before cannot start");
    for (uint32_t step = 1; step <= place.step; step++) {
        struct eng_move move = move_of(record, step);
        if (eng_apply(&at->game, &move, &at->out) != ENG_OK)
            BUG("a move that was played cannot be replayed");
        at->turn += step == 1 || (step <= record->steps_n && ends_turn(record, step - 1));
    }
}

/* ---- Moving ---- */

static struct srv_replay_place next(const struct srv_replay *r, struct srv_replay_place p)
{
    if (p.step < r->hands[p.hand].steps)
        return (struct srv_replay_place){p.hand, p.step + 1};
    return p.hand + 1 < r->n ? (struct srv_replay_place){p.hand + 1, 0} : p;
}

static struct srv_replay_place back(const struct srv_replay *r, struct srv_replay_place p)
{
    if (p.step > 0)
        return (struct srv_replay_place){p.hand, p.step - 1};
    return p.hand > 0 ? (struct srv_replay_place){p.hand - 1, r->hands[p.hand - 1].steps} : p;
}

/* Stops at the deal, the end of a turn, and the end of the hand. */
static bool rests(const struct srv_replay *r, struct srv_replay_place p)
{
    return p.step == 0 || p.step == r->hands[p.hand].steps || ends_turn(record_of(r, p.hand), p.step);
}

struct srv_replay_place srv_replay_step(const struct srv_replay *r, struct srv_replay_place p,
                                        enum srv_replay_go where)
{
    int last = r->n - 1;

    ASSERT(p.hand >= 0 && p.hand <= last && p.step <= r->hands[p.hand].steps);
    switch (where) {
    case REPLAY_NEXT:
        return next(r, p);
    case REPLAY_BACK:
        return back(r, p);
    case REPLAY_NEXT_TURN:
        do
            p = next(r, p);
        while (!rests(r, p));
        return p;
    case REPLAY_BACK_TURN:
        do
            p = back(r, p);
        while (!rests(r, p));
        return p;
    case REPLAY_NEXT_HAND:
        return p.hand < last ? (struct srv_replay_place){p.hand + 1, 0} : p;
    case REPLAY_BACK_HAND:
        return (struct srv_replay_place){p.step > 0 || p.hand == 0 ? p.hand : p.hand - 1, 0};
    case REPLAY_FIRST:
        return (struct srv_replay_place){0, 0};
    case REPLAY_LAST:
        return (struct srv_replay_place){last, r->hands[last].steps};
    }
    return p;
}

struct srv_replay_place srv_replay_turn(const struct srv_replay *r, int hand, uint32_t turn)
{
    struct srv_replay_place p = {hand, 0};

    ASSERT(hand >= 0 && hand < r->n);
    for (uint32_t turns = 0; turns < turn && p.step < r->hands[hand].steps; turns++)
        p = srv_replay_step(r, p, REPLAY_NEXT_TURN);
    return p;
}
