/* Checks a position of the declare family before it reaches the state machine: the wild card, which seats
 * are out of the hand and why, declarations, and groupings. See setup.h. */
#include "engine/play/setup_declare.h"

#include <string.h>

#include "base/bug.h"
#include "engine/declare/seats.h"
#include "engine/play/setup.h"
#include "engine/play/setup_check.h"

/* Whether the groups contain only the seat's cards, at least three in each; *stranger: a card that the seat
 * does not hold. */
static bool groups_ok(const struct eng_setup_groups *from, const struct eng_cards *hand, uint8_t *stranger)
{
    struct eng_cards rest = *hand;
    int grouped = 0;
    *stranger = ENG_NO_CARD;
    if (from->n > ENG_GROUPING_CARDS || from->groups > ENG_GROUPS_MAX)
        return false;
    for (int i = 0; i < from->groups; i++) {
        if (from->lens[i] < ENG_MELD_MIN)
            return false;
        grouped += from->lens[i];
    }
    ASSERT(from->n <= ENG_GROUPING_CARDS);
    *stranger = eng_setup_claim(&rest, from->cards, from->n);
    return grouped == from->n && eng_cards_count(hand) == ENG_GROUPING_CARDS && *stranger == ENG_NO_CARD;
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

static bool blame(struct eng_setup_fault *fault, const char *header, const char *text)
{
    return eng_setup_blame(fault, header, ENG_NO_SEAT, ENG_NO_CARD, text);
}

static bool blame_seats(struct eng_setup_fault *fault, const char *header, unsigned seats, const char *text)
{
    ASSERT(seats != 0);
    return eng_setup_blame(fault, header, (uint8_t)__builtin_ctz(seats), ENG_NO_CARD, text);
}

/* Sets which seats are out of the hand and which have drawn in it. */
static bool place_out(struct eng_game *g, const struct eng_setup *setup, struct eng_setup_fault *fault)
{
    uint8_t out = 0, all = (uint8_t)((1 << g->players) - 1);
    g->sat_out = eng_setup_sat_out(setup, g->players);
    for (uint8_t seat = 0; seat < g->players; seat++)
        out |= (uint8_t)((setup->lost[seat] > 0) << seat);
    if ((out & g->sat_out) != 0)
        return blame_seats(fault, "Lost", out & g->sat_out,
                           "A seat that is out of the session cannot lose points.");
    if ((setup->wrong & ~out) != 0)
        return blame_seats(fault, "Wrong", setup->wrong & ~out,
                           "A seat that declared wrongly must be out of the hand and have lost points.");
    g->wrong = setup->wrong;
    g->dropped = (uint8_t)(out & ~setup->wrong);
    memcpy(g->lost, setup->lost, g->players);
    g->picked = setup->picked;
    if (setup->phase == ENG_TO_PLAY)
        g->picked |= (uint8_t)(1 << setup->to_move);
    g->grouped = setup->done;
    ASSERT((g->dropped & g->wrong) == 0);
    if (g->grouped > all)
        return blame(fault, "Done", "The table has no such seat.");
    return (g->picked <= all && (g->picked & g->sat_out) == 0) ||
           blame(fault, "Picked", "A listed seat does not take part in the hand.");
}

/* Sets which seats are in the hand; checks that this is consistent with the phase. */
static bool place_seats(struct eng_game *g, const struct eng_setup *setup, struct eng_setup_fault *fault)
{
    if (!place_out(g, setup, fault))
        return false;
    uint8_t in = eng_seats_in(g);
    for (uint8_t seat = 0; seat < g->players; seat++)
        if (eng_seat_bit(in, seat) && eng_cards_count(&g->hand[seat]) > ENG_GROUPING_CARDS &&
            (seat != setup->to_move || setup->phase != ENG_TO_PLAY))
            return eng_setup_blame(fault, "Cards", seat, ENG_NO_CARD,
                                   "Only the seat that must discard may have 14 cards.");
    ASSERT(g->players >= 2);
    if ((in & (in - 1)) == 0)
        return blame(fault, "Lost", "At least two seats must be in the hand.");
    if (setup->phase == ENG_TO_GROUP)
        return true;
    if (!eng_seat_bit(in, setup->to_move))
        return eng_setup_blame(fault, "ToMove", setup->to_move, ENG_NO_CARD,
                               "The seat to move must be in the hand.");
    if (setup->done != 0)
        return blame_seats(fault, "Done", setup->done, "No seat can group its cards before a declaration.");
    return (setup->left & in) == 0 ||
           blame_seats(fault, "Left", setup->left & in, "A seat that has left must be out of the hand.");
}

static bool place_show(struct eng_game *g, const struct eng_setup *setup, struct eng_setup_fault *fault)
{
    bool shown = setup->phase == ENG_TO_GROUP;
    uint8_t in = eng_seats_in(g);
    struct eng_wild wild = eng_wild_of(&g->params, g->wild_card);
    if (shown && (setup->declarer >= g->players || !eng_seat_bit(in, setup->declarer)))
        return eng_setup_blame(fault, "Declarer", setup->declarer, ENG_NO_CARD,
                               "The seat that declared must be in the hand.");
    ASSERT(g->declarer == ENG_NO_SEAT);
    for (uint8_t seat = 0; seat < g->players; seat++) {
        const struct eng_setup_groups *from = &setup->groups[seat];
        bool declared = eng_seat_bit(setup->wrong, seat) || (shown && seat == setup->declarer);
        uint8_t stranger;
        if (from->groups == 0 && !(shown && (declared || eng_seat_bit(setup->done, seat))))
            continue;
        eng_setup_blame(fault, "Groups", seat, ENG_NO_CARD,
                        "Only a seat that declared, or groups after a declaration, can show groups.");
        fault->number = seat;
        if (!declared && !(shown && eng_seat_bit(in, seat)))
            return false;
        fault->text = "Each group must have at least three of the seat's cards.";
        if (!groups_ok(from, &g->hand[seat], &stranger)) {
            fault->card = stranger;
            return false;
        }
        place_groups(g, seat, from);
        if (!declared)
            g->saves[seat] = 1;
    }
    if (!shown)
        return true;
    g->declarer = setup->declarer;
    return eng_grouping_valid(&wild, &g->grouping[g->declarer]) ||
           eng_setup_blame(fault, "Declarer", g->declarer, ENG_NO_CARD, "The declaration is invalid.");
}

bool eng_setup_declare(struct eng_game *g, const struct eng_setup *setup, struct eng_cards *remainder,
                       struct eng_setup_fault *fault)
{
    ASSERT(g->params.family == ENG_FAMILY_DECLARE);
    if (!setup->has_wild || eng_setup_claim(remainder, &setup->wild, 1) != ENG_NO_CARD)
        return eng_setup_blame(fault, "Wild", ENG_NO_SEAT, setup->has_wild ? setup->wild : ENG_NO_CARD,
                               "The wild card must be given, be in the pack, and be in no other place.");
    if (setup->melds_n > 0 || setup->opened != 0)
        return blame(fault, setup->melds_n > 0 ? "Meld" : "Opened", "This game has no melds on the table.");
    g->wild_card = setup->wild;
    return place_seats(g, setup, fault) && place_show(g, setup, fault);
}
