/* A position of the declare family, checked before the state machine sees it: the wild card, who is out of
 * the hand and for what, declarations and groupings. See setup.h. */
#include <string.h>

#include "base/bug.h"
#include "engine/declare/family.h"
#include "engine/play/setup.h"

/* Groups of the seat's cards, three at least in each. */
static bool groups_ok(const struct eng_setup_groups *from, const struct eng_cards *hand)
{
    struct eng_cards rest = *hand;
    int grouped = 0;
    if (from->n > ENG_GROUPING_CARDS || from->groups > ENG_GROUPS_MAX)
        return false;
    for (int i = 0; i < from->groups; i++) {
        if (from->lens[i] < ENG_MELD_MIN)
            return false;
        grouped += from->lens[i];
    }
    ASSERT(from->n <= ENG_GROUPING_CARDS);
    return grouped == from->n && eng_cards_count(hand) == ENG_GROUPING_CARDS &&
           eng_setup_claim(&rest, from->cards, from->n);
}

static void place_groups(struct eng_game *g, uint8_t seat, const struct eng_setup_groups *from)
{
    struct eng_grouping *made = &g->grouping[seat];
    struct eng_cards rest = g->hand[seat];
    ASSERT(eng_cards_count(&rest) == ENG_GROUPING_CARDS);
    for (int i = 0; i < from->n; i++)
        eng_cards_remove(&rest, from->cards[i]);
    memcpy(made->cards, from->cards, from->n);
    made->n = (uint8_t)(from->n + eng_cards_list(&rest, made->cards + from->n));
    made->groups = from->groups;
    memcpy(made->lens, from->lens, from->groups);
}

/* Who is out of the hand, and who may be asked for a grouping. */
static const char *place_seats(struct eng_game *g, const struct eng_setup *setup)
{
    uint8_t out = 0;
    g->sat_out = eng_setup_sat_out(setup, g->players);
    for (uint8_t seat = 0; seat < g->players; seat++)
        out |= (uint8_t)((setup->lost[seat] > 0) << seat);
    if ((out & g->sat_out) != 0 || (setup->wrong & ~out) != 0)
        return "who declared wrongly is out of the hand, and who is out of it has lost points";
    g->wrong = setup->wrong;
    g->dropped = (uint8_t)(out & ~setup->wrong);
    memcpy(g->lost, setup->lost, g->players);
    g->picked = setup->picked;
    if (setup->phase == ENG_TO_PLAY)
        g->picked |= (uint8_t)(1 << setup->to_move);
    g->grouped = setup->done;
    uint8_t in = eng_seats_in(g), all = (uint8_t)((1 << g->players) - 1);
    if ((g->picked | g->grouped) > all || (g->picked & g->sat_out) != 0)
        return "a seat that is named has no part in the hand";
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (eng_seat_bit(in, seat) && eng_cards_count(&g->hand[seat]) > ENG_GROUPING_CARDS &&
            (seat != setup->to_move || setup->phase != ENG_TO_PLAY))
            return "only the one who is to throw holds 14 cards in the hand";
    if ((in & (in - 1)) == 0)
        return "two seats at least are in the hand";
    if (setup->phase == ENG_TO_GROUP)
        return NULL;
    if (!eng_seat_bit(in, setup->to_move))
        return "the seat to move is in the hand";
    if (setup->done != 0)
        return "nobody groups before a declaration";
    if ((setup->left & in) != 0)
        return "who has left is out of the hand";
    return NULL;
}

static const char *place_show(struct eng_game *g, const struct eng_setup *setup)
{
    bool shown = setup->phase == ENG_TO_GROUP;
    uint8_t in = eng_seats_in(g);
    struct eng_wild wild = eng_wild_of(&g->params, g->wild_card);
    if (shown && (setup->declarer >= g->players || !eng_seat_bit(in, setup->declarer)))
        return "the seat that declared is in the hand";
    ASSERT(g->declarer == ENG_NO_SEAT);
    for (uint8_t seat = 0; seat < g->players; seat++) {
        const struct eng_setup_groups *from = &setup->groups[seat];
        bool declared = eng_seat_bit(setup->wrong, seat) || (shown && seat == setup->declarer);
        if (from->groups == 0 && !(shown && (declared || eng_seat_bit(setup->done, seat))))
            continue;
        if (!declared && !(shown && eng_seat_bit(in, seat)))
            return "a seat that shows groups has declared, or groups after a declaration";
        if (!groups_ok(from, &g->hand[seat]))
            return "groups are of cards of the seat, three at least in each";
        place_groups(g, seat, from);
        if (!declared)
            g->saves[seat] = 1;
    }
    if (!shown)
        return NULL;
    g->declarer = setup->declarer;
    return eng_grouping_valid(&wild, &g->grouping[g->declarer]) ? NULL : "the declaration is not valid";
}

const char *eng_setup_declare(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder)
{
    ASSERT(g->params.family == ENG_FAMILY_DECLARE);
    if (!setup->has_wild || !eng_setup_claim(remainder, &setup->wild, 1))
        return "the wild card is named, is in the pack and lies nowhere else";
    if (setup->melds_n > 0 || setup->opened != 0)
        return "nobody lays melds in this game";
    g->wild_card = setup->wild;
    const char *wrong = place_seats(g, setup);
    return wrong != NULL ? wrong : place_show(g, setup);
}
