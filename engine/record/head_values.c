/* Parses types of values that several headers of a record share. */
#include "engine/record/head_values.h"

#include "base/bug.h"

bool eng_record_read_seats(struct eng_heads *h, uint8_t *mask)
{
    uint8_t seat;
    int last = -1;
    ASSERT(*mask == 0);
    if (eng_lex_next_is(h->lex, '"'))
        return true;
    do {
        if (!eng_lex_seat(h->lex, ENG_SEAT_MAX, &seat))
            return false;
        if (seat <= last)
            return eng_lex_fail(h->lex, "seats in ascending order");
        *mask |= (uint8_t)(1 << seat);
        last = seat;
    } while (eng_lex_try(h->lex, " "));
    return true;
}

bool eng_record_read_small_numbers(struct eng_heads *h, uint8_t *numbers, int greatest, const char *expected)
{
    int64_t value, sum = 0;
    ASSERT(h->r->players <= ENG_SEAT_MAX && greatest <= UINT8_MAX);
    for (int seat = 0; seat < h->r->players; seat++) {
        if (seat > 0 && !eng_lex_word(h->lex, " "))
            return false;
        if (!eng_lex_number(h->lex, 0, greatest, &value, expected))
            return false;
        numbers[seat] = (uint8_t)value;
        sum += value;
    }
    return h->r->players == 0 ? eng_lex_fail(h->lex, "Players before numbers of the seats")
                              : sum > 0 || eng_lex_fail(h->lex, "a number above 0, or no such header");
}
