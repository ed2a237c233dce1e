/* Plays the moves of a record and the actions between hands, and compares how the session ended. See
 * replay.h. */
#include "engine/record/replay.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/session.h"
#include "engine/record/verdict.h"

bool eng_record_play_step(struct eng_game *g, const struct eng_move *m, struct eng_outcome *out,
                          struct eng_verdict *v)
{
    ASSERT(v->code == ENG_VERDICT_OK);
    if (eng_apply(g, m, out) == ENG_OK)
        return true;
    v->refusal = out->code;
    v->cards_n = out->refused_n;
    memcpy(v->cards, out->refused, out->refused_n);
    return eng_verdict_fail(v, ENG_VERDICT_ILLEGAL_MOVE, m->seat, eng_refusal_text(out->code));
}

bool eng_record_play_between(const struct eng_between *between, struct eng_game *g, struct eng_verdict *v)
{
    ASSERT(between->n <= ENG_BETWEEN_MAX);
    for (int i = 0; i < between->n; i++) {
        struct eng_move m = {
            .type = between->moves[i].type, .seat = between->moves[i].seat, .meld = ENG_NO_MELD};
        struct eng_outcome out;
        if (g->phase != ENG_HAND_OVER)
            return eng_verdict_fail(v, ENG_VERDICT_WRONG_SESSION, m.seat,
                                    "The session was over before this action.");
        if (!eng_record_play_step(g, &m, &out, v))
            return false;
    }
    return true;
}

static struct eng_record_close close_of(const struct eng_game *g, const struct eng_between *done)
{
    struct eng_record_close close = {.done = *done, .winners = eng_session_winners(g)};
    ASSERT(g->phase == ENG_SESSION_OVER);
    for (int seat = 0; seat < g->players; seat++) {
        close.seats[seat].place = g->place[seat];
        close.seats[seat].total = g->points[seat];
    }
    return close;
}

void eng_record_close(struct eng_record *r, const struct eng_game *g, const struct eng_between *done)
{
    ASSERT(r->players == g->players && done->n >= 1);
    r->close = close_of(g, done);
}

static void put_final(char value[ENG_VERDICT_VALUE_MAX], const struct eng_record_close *close, uint8_t seat)
{
    struct buf b = buf_on(value, ENG_VERDICT_VALUE_MAX - 1);
    buf_str(&b, "place ");
    buf_int(&b, close->seats[seat].place);
    buf_str(&b, " total ");
    buf_int(&b, close->seats[seat].total);
    buf_str(&b, (close->winners >> seat & 1) != 0 ? " won" : "");
    value[b.len] = '\0';
}

static bool blame_final(const struct eng_record *r, const struct eng_record_close *real, uint8_t seat,
                        struct eng_verdict *v)
{
    put_final(v->stated, &r->close, seat);
    put_final(v->real, real, seat);
    return eng_verdict_fail(v, ENG_VERDICT_WRONG_SCORE, seat, "The session ended differently for this seat.");
}

bool eng_record_close_holds(const struct eng_record *r, struct eng_game *g, struct eng_verdict *v)
{
    if (r->close.done.n == 0)
        return true;
    if (!eng_record_play_between(&r->close.done, g, v))
        return false;
    if (g->phase != ENG_SESSION_OVER)
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SESSION, ENG_NO_SEAT,
                                "The session continued after this.");
    struct eng_record_close real = close_of(g, &r->close.done);
    for (uint8_t seat = 0; seat < r->players; seat++) {
        bool won = ((r->close.winners ^ real.winners) >> seat & 1) == 0;
        if (!won || r->close.seats[seat].place != real.seats[seat].place ||
            r->close.seats[seat].total != real.seats[seat].total)
            return blame_final(r, &real, seat, v);
    }
    return true;
}
