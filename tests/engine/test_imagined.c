/* A moment of a hand as a position: its seat sees the same as before, hidden cards differ, and printing and
 * parsing preserves it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/puzzle/imagined.h"
#include "tests/engine/play.h"

enum { STEPS_MAX = 4000 };
static struct eng_imagined imagined, again;
static struct eng_step steps[STEPS_MAX];
static struct eng_move moves[STEPS_MAX];

/* A hand of strong bots, recorded. */
static void play_hand(struct eng_record *hand, const struct eng_params *params, int players, uint64_t seed)
{
    struct eng_game game;
    struct eng_outcome out;
    struct eng_view view;
    struct eng_verdict verdict;
    uint8_t server[32] = {0};
    uint8_t key[ENG_KEY_BYTES];
    uint64_t rng = seed;
    uint32_t n = 0;

    memcpy(server, &seed, sizeof seed);
    eng_record_init(hand, params, players, steps, STEPS_MAX);
    eng_record_set_seed(hand, server);
    static const struct eng_client_seed none[ENG_SEAT_MAX];
    eng_init(&game, params, players);
    eng_deal_key(key, server, 0, 1, none, players);
    eng_deal(&game, key, &out);
    while (game.phase == ENG_TO_DRAW || game.phase == ENG_TO_PLAY) {
        eng_view(&game, game.to_move, &view);
        eng_bot_move(&view, ENG_BOT_STRONG, &rng, &moves[n]);
        cr_assert_eq(eng_apply(&game, &moves[n++], &out), ENG_OK);
    }
    cr_assert(eng_record_play(hand, moves, n, &verdict), "%s", verdict.text);
}

/* The number of cards that are hidden from a seat and have not changed places. */
static int hidden_as_they_were(const struct eng_record *hand, uint32_t at)
{
    struct eng_game real;
    struct eng_outcome out;
    struct eng_verdict verdict;
    int same = 0;

    cr_assert(eng_record_start(hand, &real, &verdict));
    for (uint32_t i = 0; i < at; i++)
        cr_assert_eq(eng_apply(&real, &hand->steps[i].move, &out), ENG_OK);
    for (uint8_t seat = 0; seat < real.players; seat++)
        same += seat != real.to_move &&
                memcmp(&real.hand[seat], &imagined.game.hand[seat], sizeof real.hand[seat]) == 0;
    same += real.stock_n > 2 && memcmp(real.stock, imagined.game.stock, real.stock_n) == 0;
    return same;
}

Test(imagined, a_moment_is_consistent_with_what_its_seat_sees)
{
    char text[64 * 1024];
    int made = 0, asked = 0, same = 0, piles = 0;

    for (uint64_t i = 0; i < 60; i++) {
        struct eng_record hand;
        play_hand(&hand, eng_params_at(i % 10), 2 + (int)(i % 2), i);
        for (uint32_t at = 0; at < hand.steps_n; at += 1 + at % 3) {
            asked++;
            if (!eng_imagine_moment(&imagined, &hand, at, i * 1000 + at))
                continue;
            made++;
            same += hidden_as_they_were(&hand, at);
            piles += hand.players;
            eng_check(&imagined.game);
            struct buf b = buf_on(text, sizeof text);
            eng_record_print(&imagined.position, &b);
            cr_assert(!b.full);
            struct eng_record_error error;
            struct eng_record *read = &again.position;
            eng_record_init(read, &hand.params, hand.players, again.steps, IMAGINED_STEPS_MAX);
            cr_assert(eng_record_parse(read, text, b.len, &error), "%u:%u: %s\n%.*s", error.line,
                      error.column, error.expected, (int)b.len, text);
            struct eng_verdict verdict;
            cr_assert(eng_record_end(read, &again.game, &verdict), "%s", verdict.text);
            cr_assert_eq(eng_hash(&again.game), eng_hash(&imagined.game));
        }
    }
    cr_log_info("%d of %d moments, %d of %d piles as they were", made, asked, same, piles);
    cr_expect_gt(made * 10, asked * 4, "%d of %d moments", made, asked);
    cr_expect_lt(same * 500, piles, "%d of %d hidden piles are as they were", same, piles);
}

Test(imagined, equal_seeds_give_equal_positions_and_different_seeds_do_not)
{
    struct eng_record hand;

    play_hand(&hand, eng_params_find("rummy51"), 3, 7);
    cr_assert(eng_imagine_moment(&imagined, &hand, 4, 1));
    cr_assert(eng_imagine_moment(&again, &hand, 4, 1));
    cr_expect_eq(eng_hash(&imagined.game), eng_hash(&again.game));
    cr_assert(eng_imagine_moment(&again, &hand, 4, 2));
    cr_expect_neq(eng_hash(&imagined.game), eng_hash(&again.game));
}
