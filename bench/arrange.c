/* Benchmark of the declare family's solver, see arrange.h. */
#include "bench/arrange.h"

#include <stdio.h>

#include "bench/dice.h"
#include "engine/solver/arrange.h"

enum { HANDS = 20000, HAND_CARDS = 13 };

struct deal {
    struct eng_wild wild;
    uint8_t cards[HAND_CARDS + 1]; /* the last one is the drawn card */
};

/* Deals a hand with many groups: one to three jokers, printed or wild, a pure sequence, overlapping pieces
 * of sets and sequences, and a few other cards. */
static void rich_deal(struct deal *deal)
{
    uint8_t *hand = deal->cards;
    int n = 0;

    deal->wild = (struct eng_wild){.card = (uint8_t)bench_dice(ENG_JOKER_FIRST), .natural_pure = true};
    for (unsigned jokers = 1 + bench_dice(3); jokers > 0; jokers--) {
        unsigned wild = bench_dice(ENG_SUITS) * ENG_RANKS + deal->wild.card % ENG_RANKS;
        n = bench_add(
            hand, n, bench_dice(2) ? ENG_JOKER_FIRST + bench_dice(2) : bench_dice(2) * ENG_PACK_CARDS + wild);
    }
    for (unsigned suit = bench_dice(4), low = bench_dice(12), i = 0; i < 3; i++)
        n = bench_add(hand, n, bench_dice(2) * ENG_PACK_CARDS + suit * ENG_RANKS + (low + i) % ENG_RANKS);
    while (n <= HAND_CARDS) {
        unsigned kind = bench_dice(3), rank = bench_dice(13), suit = bench_dice(4),
                 length = kind == 2 ? 1 : 2 + bench_dice(3);
        for (unsigned i = 0; i < length && n <= HAND_CARDS; i++) {
            unsigned type =
                kind == 0 ? (suit + i) % 4 * ENG_RANKS + rank : suit * ENG_RANKS + (rank + i) % ENG_RANKS;
            n = bench_add(hand, n, bench_dice(2) * ENG_PACK_CARDS + type);
        }
    }
}

/* The time of the slowest hand. Takes the minimum of five runs per hand, to exclude other load. */
static double worst_us(const struct deal *deals, int64_t (*now_ns)(void), bool finish)
{
    struct eng_arrangement best;
    int64_t worst = 0;

    for (int i = 0; i < HANDS; i++) {
        int64_t least = INT64_MAX;
        for (int k = 0; k < 5; k++) {
            int64_t from = now_ns();
            if (finish)
                eng_arrange_finish(&deals[i].wild, deals[i].cards, HAND_CARDS + 1, &best);
            else
                eng_arrange(&deals[i].wild, deals[i].cards, HAND_CARDS, &best);
            int64_t took = now_ns() - from;
            least = took < least ? took : least;
        }
        worst = least > worst ? least : worst;
    }
    return (double)worst / 1000;
}

void arrange_figures(int64_t (*now_ns)(void))
{
    static struct deal deals[HANDS];
    struct eng_arrangement best;
    unsigned levels[3] = {0};

    for (int i = 0; i < HANDS; i++)
        rich_deal(&deals[i]);
    int64_t began = now_ns();
    for (int i = 0; i < HANDS; i++)
        (void)eng_arrange_points(&deals[i].wild, deals[i].cards, HAND_CARDS);
    (void)printf("arrange.points_per_s %.0f\n", HANDS * 1e9 / (double)(now_ns() - began));
    began = now_ns();
    for (int i = 0; i < HANDS; i++) {
        eng_arrange(&deals[i].wild, deals[i].cards, HAND_CARDS, &best);
        levels[best.level]++;
    }
    (void)printf("arrange.hands_per_s %.0f\n", HANDS * 1e9 / (double)(now_ns() - began));
    (void)printf("arrange.two_sequences_percent %.1f\n", levels[ARRANGE_TWO_SEQUENCES] * 100.0 / HANDS);
    (void)printf("arrange.worst_us %.1f\n", worst_us(deals, now_ns, false));
    (void)printf("arrange.finish_worst_us %.1f\n", worst_us(deals, now_ns, true));
}
