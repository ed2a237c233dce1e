/* Parses the headers of a position, which a hand dealt from its seeds does not need (docs/records.md). The
 * table at the end has one row per header. */
#include "engine/record/position.h"

#include "base/bug.h"
#include "engine/record/head_values.h"
#include "engine/record/heads_in.h"

static bool read_turns(struct eng_heads *h)
{
    int64_t value;
    ASSERT(h->r->players <= ENG_SEAT_MAX);
    for (int seat = 0; seat < h->r->players; seat++) {
        if (seat > 0 && !eng_lex_word(h->lex, " "))
            return false;
        if (!eng_lex_number(h->lex, 0, 10000, &value, "completed turns of each seat"))
            return false;
        h->r->setup.turns[seat] = (uint16_t)value;
    }
    return h->r->players > 0 || eng_lex_fail(h->lex, "Players before Turns");
}

static bool read_to_move(struct eng_heads *h)
{
    return eng_lex_seat(h->lex, ENG_SEAT_MAX, &h->r->setup.to_move);
}

static bool read_phase(struct eng_heads *h)
{
    if (eng_lex_try(h->lex, "play"))
        h->r->setup.phase = ENG_TO_PLAY;
    else if (eng_lex_try(h->lex, "draw"))
        h->r->setup.phase = ENG_TO_DRAW;
    else if (eng_lex_try(h->lex, "group"))
        h->r->setup.phase = ENG_TO_GROUP;
    else
        return eng_lex_fail(h->lex, "draw, play, or group");
    return true;
}

static bool read_opened(struct eng_heads *h)
{
    return eng_record_read_seats(h, &h->r->setup.opened);
}

static bool read_meld(struct eng_heads *h)
{
    struct eng_setup *setup = &h->r->setup;
    int n = 0;
    if (setup->melds_n == ENG_MELD_MAX)
        return eng_lex_fail(h->lex, "fewer melds");
    struct eng_setup_meld *meld = &setup->melds[setup->melds_n++];
    if (!eng_lex_seat(h->lex, ENG_SEAT_MAX, &meld->owner) || !eng_lex_word(h->lex, " ") ||
        !eng_lex_cards(h->lex, meld->cards, ENG_RUN_MAX, &n))
        return false;
    meld->n = (uint8_t)n;
    return true;
}

static bool read_pile(struct eng_heads *h, uint8_t *cards, uint8_t *cards_n)
{
    int n = 0;
    ASSERT(*cards_n == 0);
    if (!eng_lex_next_is(h->lex, '"') && !eng_lex_cards(h->lex, cards, ENG_CARD_MAX, &n))
        return false;
    *cards_n = (uint8_t)n;
    return true;
}

static bool read_discard(struct eng_heads *h)
{
    return read_pile(h, h->r->setup.discard, &h->r->setup.discard_n);
}

static bool read_stock(struct eng_heads *h)
{
    return read_pile(h, h->r->setup.stock, &h->r->setup.stock_n);
}

static bool read_rest(struct eng_heads *h)
{
    h->r->setup.rest_to_discard = eng_lex_try(h->lex, "discard");
    return h->r->setup.rest_to_discard || eng_lex_word(h->lex, "stock");
}

static bool read_flips(struct eng_heads *h)
{
    int64_t value = 0;
    bool ok = eng_lex_number(h->lex, 1, 3, &value, "the number of times that the stock was turned over");
    h->r->setup.flips = (uint8_t)value;
    return ok;
}

static bool read_missed(struct eng_heads *h)
{
    return eng_record_read_small_numbers(h, h->r->setup.missed, 9, "timeouts in a row");
}

static bool read_open_card(struct eng_heads *h)
{
    h->r->setup.open_lies = true;
    return eng_lex_word(h->lex, "yes");
}

static bool read_picked(struct eng_heads *h)
{
    return eng_record_read_seats(h, &h->r->setup.picked);
}

static bool read_lost(struct eng_heads *h)
{
    return eng_record_read_small_numbers(h, h->r->setup.lost, 200,
                                         "points of a seat that is out of the hand");
}

static bool read_wrong(struct eng_heads *h)
{
    return eng_record_read_seats(h, &h->r->setup.wrong);
}

static bool read_declarer(struct eng_heads *h)
{
    return eng_lex_seat(h->lex, ENG_SEAT_MAX, &h->r->setup.declarer);
}

static bool read_groups(struct eng_heads *h)
{
    struct eng_setup_groups *to = &h->r->setup.groups[h->seat];
    ASSERT(to->n == 0);
    return eng_lex_groups(h->lex, ENG_GROUPING_CARDS, ENG_GROUPS_MAX, to->cards, &to->n, to->lens,
                          &to->groups);
}

static bool read_done(struct eng_heads *h)
{
    return eng_record_read_seats(h, &h->r->setup.done);
}

bool eng_record_read_position(struct eng_heads *h, int head)
{
    static bool (*const readers[HEAD_COUNT])(struct eng_heads *) = {
        [HEAD_TURNS] = read_turns,   [HEAD_TO_MOVE] = read_to_move,     [HEAD_PHASE] = read_phase,
        [HEAD_OPENED] = read_opened, [HEAD_MELD] = read_meld,           [HEAD_DISCARD] = read_discard,
        [HEAD_STOCK] = read_stock,   [HEAD_REST] = read_rest,           [HEAD_FLIPS] = read_flips,
        [HEAD_MISSED] = read_missed, [HEAD_OPEN_CARD] = read_open_card, [HEAD_PICKED] = read_picked,
        [HEAD_LOST] = read_lost,     [HEAD_WRONG] = read_wrong,         [HEAD_DECLARER] = read_declarer,
        [HEAD_GROUPS] = read_groups, [HEAD_DONE] = read_done,
    };
    ASSERT(head < HEAD_COUNT && readers[head] != NULL);
    return readers[head](h);
}
