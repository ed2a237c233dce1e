/* Prints and parses the actions between two hands in records: they are listed with the next hand or, if
 * they ended the session, after the last hand. See between.h. */
#include "engine/record/between.h"

#include "base/bug.h"
#include "engine/record/text.h"

void eng_between_add(struct eng_between *b, const struct eng_move *m)
{
    ASSERT(m->type == ENG_RETURN || m->type == ENG_REJOIN || m->type == ENG_LEAVE || m->type == ENG_CLOSE);
    ASSERT(b->n < ENG_BETWEEN_MAX);
    b->moves[b->n].type = m->type;
    b->moves[b->n++].seat = m->type == ENG_CLOSE ? 0 : m->seat;
}

/* ---- Printing ---- */

void eng_record_print_between(const struct eng_between *between, struct buf *b)
{
    ASSERT(between->n >= 1 && between->n <= ENG_BETWEEN_MAX);
    for (int i = 0; i < between->n; i++) {
        buf_put(b, ", ", i > 0 ? 2 : 0);
        buf_str(b, eng_record_actions[between->moves[i].type]);
        if (between->moves[i].type == ENG_CLOSE)
            continue;
        buf_put(b, " ", 1);
        buf_int(b, between->moves[i].seat);
    }
}

void eng_record_print_close(const struct eng_record *r, struct buf *b)
{
    const struct eng_record_close *close = &r->close;
    ASSERT(r->players <= ENG_SEAT_MAX);
    buf_str(b, "after ");
    eng_record_print_between(&close->done, b);
    buf_put(b, "\n", 1);
    for (uint8_t seat = 0; seat < r->players; seat++) {
        buf_str(b, "final ");
        buf_int(b, seat);
        buf_str(b, " place ");
        buf_int(b, close->seats[seat].place);
        buf_str(b, " total ");
        buf_int(b, close->seats[seat].total);
        buf_str(b, (close->winners >> seat & 1) != 0 ? " won\n" : "\n");
    }
}

/* ---- Parsing ---- */

bool eng_record_parse_between(struct eng_lex *lex, int players, struct eng_between *between)
{
    ASSERT(between->n == 0);
    do {
        struct eng_move m = {.meld = ENG_NO_MELD};
        if (eng_lex_try(lex, "return "))
            m.type = ENG_RETURN;
        else if (eng_lex_try(lex, "rejoin "))
            m.type = ENG_REJOIN;
        else if (eng_lex_try(lex, "leave "))
            m.type = ENG_LEAVE;
        else if (eng_lex_try(lex, "close"))
            m.type = ENG_CLOSE;
        else
            return eng_lex_fail(lex, "close, or return, rejoin, or leave with a seat");
        if (between->n == ENG_BETWEEN_MAX)
            return eng_lex_fail(lex, "each action at most once per seat");
        if (m.type != ENG_CLOSE && !eng_lex_seat(lex, players, &m.seat))
            return false;
        eng_between_add(between, &m);
    } while (eng_lex_try(lex, ", "));
    return true;
}

static bool parse_final(struct eng_lex *lex, struct eng_record *r, uint8_t seat)
{
    int64_t place, total;
    uint8_t named = 0;
    ASSERT(seat < r->players);
    if (!eng_lex_word(lex, "final ") || !eng_lex_seat(lex, r->players, &named))
        return false;
    if (named != seat)
        return eng_lex_fail(lex, "the seats in order");
    if (!eng_lex_word(lex, " place ") || !eng_lex_number(lex, 1, r->players, &place, "a place") ||
        !eng_lex_word(lex, " total ") || !eng_lex_number(lex, -999999, 999999, &total, "a total"))
        return false;
    r->close.seats[seat].place = (uint8_t)place;
    r->close.seats[seat].total = (int32_t)total;
    if (eng_lex_try(lex, " won"))
        r->close.winners |= (uint8_t)(1 << seat);
    return eng_lex_word(lex, "\n");
}

bool eng_record_parse_close(struct eng_lex *lex, struct eng_record *r)
{
    if (!eng_lex_try(lex, "after "))
        return true;
    if (r->has_setup)
        return eng_lex_fail(lex, "no end of a session after a position");
    if (!eng_record_parse_between(lex, r->players, &r->close.done) || !eng_lex_word(lex, "\n"))
        return false;
    ASSERT(r->close.done.n >= 1);
    for (uint8_t seat = 0; seat < r->players; seat++)
        if (!parse_final(lex, r, seat))
            return false;
    return true;
}
