/* Converts between card names and numbers, for records, the wire, and tests. */
#include <string.h>

#include "base/bug.h"
#include "engine/core/cards.h"

static const char rank_names[] = "A23456789TJQK";
static const char suit_names[] = "CSHD";

bool eng_card_is_joker(uint8_t card)
{
    return card >= ENG_JOKER_FIRST && card < ENG_CARD_MAX;
}

int eng_card_rank(uint8_t card)
{
    return eng_rank(card);
}

int eng_card_suit(uint8_t card)
{
    return eng_suit(card);
}

int eng_card_name(char out[ENG_CARD_NAME_MAX], uint8_t card)
{
    ASSERT(card < ENG_CARD_MAX);
    int n = 0;
    if (eng_is_joker(card)) {
        out[n++] = 'X';
        out[n++] = (char)('1' + (card - ENG_JOKER_FIRST));
    } else {
        out[n++] = rank_names[eng_rank(card)];
        out[n++] = suit_names[eng_suit(card)];
        out[n++] = (char)('1' + card / ENG_PACK_CARDS);
    }
    out[n] = '\0';
    ASSERT(n < ENG_CARD_NAME_MAX);
    return n;
}

static int place_of(const char *names, char c)
{
    const char *at = c == '\0' ? NULL : strchr(names, c);
    return at == NULL ? -1 : (int)(at - names);
}

uint8_t eng_card_parse(const char *name, size_t len)
{
    ASSERT(name != NULL || len == 0);
    if (len == 2 && name[0] == 'X' && name[1] >= '1' && name[1] < '1' + ENG_JOKER_MAX)
        return (uint8_t)(ENG_JOKER_FIRST + (name[1] - '1'));
    if (len != 3 || (name[2] != '1' && name[2] != '2'))
        return ENG_NO_CARD;
    int rank = place_of(rank_names, name[0]);
    int suit = place_of(suit_names, name[1]);
    if (rank < 0 || suit < 0)
        return ENG_NO_CARD;
    int card = (name[2] - '1') * ENG_PACK_CARDS + suit * ENG_RANKS + rank;
    ASSERT(card < ENG_JOKER_FIRST);
    return (uint8_t)card;
}
