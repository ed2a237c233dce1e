/* Sessions of the declare family: one deal for points, pools with elimination and rejoining, deals with tie
 * breaks; starters and records of later hands. Random play must reach all of it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/record/record.h"
#include "tests/engine/play.h"
#include "tests/engine/table.h"

#define ROW(name) (eng_params_find(name))
#define TOTALS(...) ((const int[]){__VA_ARGS__})
#define DECLARER "2H 3H 4H 5H 6C 7C 8C 9D 9S 9H JD JS JH 3D"
#define REDS "3H 4H 5H 7H 8H 9H JH QH KH AD 3D 5D 7D"
#define CLUBS "3C 4C 5C 7C 8C 9C JC QC KC AS 3S 5S 7S"
#define RIGHTLY "declare 2H 3H 4H 5H | 6C 7C 8C | 9D 9S 9H | JD JS JH finish 3D"

static void next_hand(struct table *t, uint8_t number)
{
    uint8_t key[ENG_KEY_BYTES] = {number, 77};
    eng_deal(&t->g, key, &t->out);
    eng_check(&t->g);
}

static int winners(const struct table *t)
{
    struct eng_view view;
    eng_view(&t->g, ENG_SPECTATOR, &view);
    return view.winners;
}

static int events_of(const struct table *t, enum eng_event_type type)
{
    int n = 0;
    for (int i = 0; i < t->out.events_n; i++)
        n += t->out.events[i].type == type;
    return n;
}

/* ---- points ---- */

Test(declare_session, in_points_the_winner_of_the_hand_collects_the_points_lost)
{
    struct table t;
    PLACE(&t, .params = ROW("points"), .players = 4, .hands = {DECLARER, REDS, CLUBS}, .play = true,
          .lost = {0, 0, 0, 40});
    table_do(&t, RIGHTLY ", close");
    cr_assert_eq(t.g.phase, ENG_SESSION_OVER);
    cr_assert_eq(winners(&t), 1);
    static const int points[] = {0, 25, 25, 40}, places[] = {1, 2, 3, 4};
    for (int seat = 0; seat < 4; seat++) {
        cr_assert_eq(t.g.points[seat], points[seat]);
        cr_assert_eq(t.g.place[seat], places[seat]);
    }
    cr_assert_eq(t.g.bonus[0], 90);
    table_refuse(&t, "rejoin @3", ENG_NOT_PLAYING);
}

/* ---- Pools ---- */

static const struct {
    const char *variant;
    int target, most;
} pools[] = {{"pool101", 101, 79}, {"pool201", 201, 174}};

Test(declare_session, a_player_who_reaches_the_pool_target_is_out)
{
    for (size_t i = 0; i < ARRAY_LEN(pools); i++) {
        struct table t;
        PLACE(&t, .params = ROW(pools[i].variant), .players = 4, .hands = {DECLARER, REDS, CLUBS},
              .play = true, .totals = TOTALS(70, pools[i].target - 25, pools[i].target - 26, 0),
              .lost = {0, 0, 0, 20});
        table_do(&t, RIGHTLY ", close");
        cr_assert_eq(t.g.phase, ENG_HAND_OVER);
        cr_assert_eq(t.g.points[1], pools[i].target);
        cr_assert(eng_seat_is_out(&t.g, 1));
        cr_assert_not(eng_seat_is_out(&t.g, 2), "one point below");
        cr_assert_eq(events_of(&t, ENG_EV_ELIMINATED), 1);
        cr_assert_eq(table_event(&t, ENG_EV_ELIMINATED)->seat, 1);
        cr_assert_eq(t.g.place[1], 4);
        cr_assert_eq(t.g.place[3], 1);
        uint8_t starter = t.g.starter;
        for (uint8_t hand = 0; hand < 4; hand++) {
            next_hand(&t, hand);
            starter = (uint8_t)((starter + 1) % 4);
            starter = (uint8_t)(starter + (starter == 1));
            cr_assert_eq(t.g.starter, starter, "the next seat that is in");
            cr_assert_eq(eng_cards_count(&t.g.hand[1]), 0);
            cr_assert_eq(events_of(&t, ENG_EV_DEALT), 3);
            cr_assert_eq(t.g.stock_n, 106 - 3 * 13 - 2);
            table_refuse(&t, "stock @1", ENG_OUT_OF_THIS_HAND);
            t.g.points[0] = t.g.points[2] = t.g.points[3] = 0;
            table_do(&t, "drop, drop");
            cr_assert(eng_seat_is_out(&t.g, 1));
            cr_assert_eq(t.g.points[1], pools[i].target);
        }
    }
}

Test(declare_session, the_last_player_in_wins_the_pool)
{
    struct table t;
    PLACE(&t, .params = ROW("pool101"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true,
          .totals = TOTALS(100, 90, 80));
    table_do(&t, RIGHTLY ", close");
    cr_assert_eq(t.g.phase, ENG_SESSION_OVER);
    cr_assert_eq(winners(&t), 1, "though no seat had more before");
    cr_assert_eq(t.g.place[2], 2, "out in the same hand, with fewer points");
    cr_assert_eq(t.g.place[1], 3);
}

Test(declare_session, a_pool_whose_last_players_go_out_together_is_won_by_the_best)
{
    struct table t;
    PLACE(&t, .params = ROW("pool101"), .players = 2, .hands = {CLUBS, REDS}, .turns = {100, 99},
          .to_move = 1, .stock = "KD", .totals = TOTALS(90, 95));
    table_do(&t, "stock, throw KD");
    cr_assert_eq(t.g.ending, ENG_ENDED_STALLED);
    cr_assert_eq(t.g.phase, ENG_SESSION_OVER);
    cr_assert_eq(winners(&t), 1);
}

Test(declare_session, rejoining_costs_the_highest_total_plus_one)
{
    for (size_t i = 0; i < ARRAY_LEN(pools); i++) {
        struct table t;
        struct eng_view view;
        int most = pools[i].most;
        PLACE(&t, .params = ROW(pools[i].variant), .players = 4, .hands = {DECLARER, REDS, CLUBS},
              .play = true, .totals = TOTALS(30, pools[i].target - 20, most - 25, pools[i].target - 39),
              .lost = {0, 0, 0, 40});
        table_refuse(&t, "rejoin @1", ENG_NOT_OUT_OF_THE_POOL);
        table_do(&t, RIGHTLY ", close");
        eng_view(&t.g, 1, &view);
        cr_assert(view.may_rejoin);
        cr_assert_eq(view.rejoin_total, most + 1);
        struct eng_legal legal;
        eng_legal(&view, &legal);
        cr_assert_eq(legal.types, 1u << ENG_REJOIN);
        eng_view(&t.g, 0, &view);
        cr_assert_not(view.may_rejoin);
        cr_assert_eq(t.g.place[1], 4, "two are out, they with more points");
        table_do(&t, "rejoin @1");
        cr_assert_eq(table_event(&t, ENG_EV_REJOINED)->rejoined.total, most + 1);
        cr_assert_eq(t.g.points[1], most + 1);
        cr_assert_eq(t.g.place[1], 3, "before the one who is out");
        table_refuse(&t, "rejoin @1", ENG_NOT_OUT_OF_THE_POOL);
        next_hand(&t, 1);
        cr_assert_eq(eng_cards_count(&t.g.hand[1]), 13);
    }
}

Test(declare_session, rejoining_is_refused_when_a_total_exceeds_the_limit)
{
    for (size_t i = 0; i < ARRAY_LEN(pools); i++) {
        struct table t;
        PLACE(&t, .params = ROW(pools[i].variant), .players = 4, .hands = {DECLARER, REDS, CLUBS},
              .play = true, .totals = TOTALS(30, pools[i].target - 20, pools[i].most - 24, 5),
              .lost = {0, 0, 0, 40});
        table_do(&t, RIGHTLY ", close");
        cr_assert_eq(t.g.points[2], pools[i].most + 1);
        table_refuse(&t, "rejoin @1", ENG_REJOIN_TOO_LATE);
        next_hand(&t, 1);
        table_refuse(&t, "rejoin @1", ENG_REJOIN_BETWEEN_HANDS);
    }
}

Test(declare_session, players_cannot_rejoin_with_two_players_or_after_leaving)
{
    struct table t;
    PLACE(&t, .params = ROW("pool101"), .players = 2, .hands = {DECLARER, REDS}, .play = true);
    table_do(&t, RIGHTLY ", close");
    table_refuse(&t, "rejoin @1", ENG_NO_REJOIN_IN_THIS_VARIANT);
    PLACE(&t, .params = ROW("deals3"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true);
    table_do(&t, RIGHTLY ", close");
    table_refuse(&t, "rejoin @1", ENG_NO_REJOIN_IN_THIS_VARIANT);
    PLACE(&t, .params = ROW("pool101"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true);
    table_do(&t, "leave @1, " RIGHTLY ", close");
    cr_assert_eq(t.g.phase, ENG_HAND_OVER);
    table_refuse(&t, "rejoin @1", ENG_ALREADY_LEFT);
}

/* Three in a row means three in the same hand. */
Test(declare_session, timeouts_are_counted_per_hand)
{
    static const char *const rows[] = {"pool101", "deals3"};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct table t;
        PLACE(&t, .params = ROW(rows[i]), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true,
              .missed = {0, 2});
        table_do(&t, RIGHTLY ", close");
        next_hand(&t, 1);
        while (t.g.to_move != 1)
            table_do(&t, "time-out");
        table_do(&t, "time-out");
        cr_assert_eq(table_event(&t, ENG_EV_TIMED_OUT)->timed_out.in_a_row, 1);
        cr_assert_eq(t.g.dropped | t.g.away, 0);
    }
}

Test(declare_session, leaving_between_hands_is_permanent)
{
    struct table t;
    PLACE(&t, .params = ROW("pool101"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true);
    table_do(&t, RIGHTLY ", close, leave @1");
    cr_assert_eq(t.g.phase, ENG_HAND_OVER);
    cr_assert_eq(t.g.place[1], 3);
    cr_assert_eq(t.g.points[1], 25, "no separate penalty between two hands");
    table_do(&t, "leave @0");
    cr_assert_eq(t.g.phase, ENG_SESSION_OVER);
    cr_assert_eq(winners(&t), 4);
    cr_assert_eq(table_event(&t, ENG_EV_SESSION_ENDED)->seat, 2);
}

/* ---- Deals ---- */

Test(declare_session, deals_start_at_80_per_hand_and_the_winner_takes_the_points_lost)
{
    static const struct {
        const char *variant;
        int hands;
    } cases[] = {{"deals2", 2}, {"deals3", 3}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct table t;
        int start = 80 * cases[i].hands;
        PLACE(&t, .params = ROW(cases[i].variant), .players = 3, .hands = {DECLARER, REDS, CLUBS},
              .play = true);
        cr_assert_eq(t.g.points[2], start);
        table_do(&t, RIGHTLY ", close");
        cr_assert_eq(t.g.points[0], start + 50);
        cr_assert_eq(t.g.points[1], start - 25);
        cr_assert_eq(t.g.points[2], start - 25);
        cr_assert_eq(t.g.bonus[0], 50);
        cr_assert_eq(t.g.place[0], 1);
        cr_assert_eq(t.g.place[1], 2);
        cr_assert_eq(t.g.place[2], 2, "equal totals share a place");
        cr_assert_eq(t.g.phase, ENG_HAND_OVER);
        PLACE(&t, .params = ROW(cases[i].variant), .players = 3, .hands = {DECLARER, REDS, CLUBS},
              .play = true, .hand_no = cases[i].hands, .totals = TOTALS(start, start + 40, start - 40));
        table_do(&t, RIGHTLY ", close");
        cr_assert_eq(t.g.phase, ENG_SESSION_OVER);
        cr_assert_eq(winners(&t), 1);
        cr_assert_eq(events_of(&t, ENG_EV_ELIMINATED), 0);
    }
}

Test(declare_session, a_tie_adds_a_hand_between_the_tied_players)
{
    struct table t;
    PLACE(&t, .params = ROW("deals2"), .players = 4, .hands = {DECLARER, REDS, CLUBS}, .play = true,
          .hand_no = 2, .totals = TOTALS(100, 275, 60, 205), .lost = {0, 0, 0, 80});
    table_do(&t, "leave @3");
    cr_assert_eq(t.g.phase, ENG_TO_PLAY);
    table_do(&t, RIGHTLY ", close");
    cr_assert_eq(t.g.points[0], 100 + 130);
    cr_assert_eq(t.g.points[1], 250);
    cr_assert_eq(t.g.phase, ENG_SESSION_OVER, "one has more than the others");
    cr_assert_eq(winners(&t), 2);
    PLACE(&t, .params = ROW("deals2"), .players = 4, .hands = {DECLARER, REDS, CLUBS}, .play = true,
          .hand_no = 2, .totals = TOTALS(100, 255, 60, 205), .lost = {0, 0, 0, 80});
    table_do(&t, RIGHTLY ", close");
    cr_assert_eq(t.g.points[0], 230);
    cr_assert_eq(t.g.points[1], 230);
    cr_assert_eq(t.g.phase, ENG_HAND_OVER);
    cr_assert(eng_seat_is_out(&t.g, 2) && eng_seat_is_out(&t.g, 3));
    cr_assert_eq(events_of(&t, ENG_EV_ELIMINATED), 2);
    next_hand(&t, 5);
    cr_assert_eq(t.g.hand_no, 3);
    cr_assert_eq(events_of(&t, ENG_EV_DEALT), 2);
    while (t.g.phase != ENG_SESSION_OVER)
        table_do(&t, "leave");
    cr_assert_eq(__builtin_popcount((unsigned)winners(&t)), 1);
}

Test(declare_session, a_hand_of_deals_without_a_winner_changes_no_totals)
{
    struct table t;
    PLACE(&t, .params = ROW("deals3"), .players = 2, .hands = {CLUBS, REDS}, .turns = {100, 99}, .to_move = 1,
          .stock = "KD");
    table_do(&t, "stock, throw KD");
    cr_assert_eq(t.g.ending, ENG_ENDED_STALLED);
    cr_assert_eq(t.g.points[0], 240);
    cr_assert_eq(t.g.points[1], 240);
    cr_assert_eq(t.g.phase, ENG_HAND_OVER);
}

/* ---- Positions and records ---- */

/* Positions that the state machine cannot handle are rejected with a message, and no position makes it
 * abort. */
Test(declare_session, impossible_positions_are_rejected)
{
    static const struct {
        const char *part, *header;
    } wrong[] = {
        {"The wild card", "[Wild \"3C1\"]"},
        {"must have 13", "[Phase \"play\"]"},
        {"At least two seats must be in the hand", "[Lost \"80 0\"]"},
        {"declared wrongly", "[Wrong \"1\"]"},
        {"phase", "[Phase \"group\"]\n[Declarer \"0\"]"},
        {"in a hand that was played", "[Out \"2 0\"]"},
        {"before a declaration", "[Done \"1\"]"},
        {"can show groups", "[Groups1 \"3C1 4C1 5C1\"]"},
        {"out of the session", "[Left \"1\"]"},
    };
    static const char text[] =
        "[Rummyd \"1\"]\n[Variant \"pool101\"]\n[Players \"2\"]\n[Setup \"yes\"]\n[Starter \"0\"]\n"
        "[Cards0 \"3C1 4C1 5C1 7C1 8C1 9C1 JC1 QC1 KC1 AS1 3S1 5S1 7S1\"]\n"
        "[Cards1 \"3H1 4H1 5H1 7H1 8H1 9H1 JH1 QH1 KH1 AD1 3D1 5D1 7D1\"]\n"
        "[Turns \"0 0\"]\n[ToMove \"0\"]\n";
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        static struct eng_step steps[4];
        struct eng_record r = {.steps = steps, .steps_max = 4};
        struct eng_record_error error;
        struct eng_verdict verdict;
        struct eng_game g;
        char whole[1200];
        bool phase = strstr(wrong[i].header, "Phase") != NULL, wild = strstr(wrong[i].header, "Wild") != NULL;
        int len = snprintf(whole, sizeof whole, "%s%s%s%s\n\n", text, phase ? "" : "[Phase \"draw\"]\n",
                           wild ? "" : "[Wild \"TC1\"]\n", wrong[i].header);
        cr_assert(eng_record_parse(&r, whole, (size_t)len, &error), "%s: %u:%u %s", wrong[i].header,
                  error.line, error.column, error.expected);
        cr_assert_not(eng_record_start(&r, &g, &verdict), "%s", wrong[i].header);
        cr_assert_eq(verdict.code, ENG_VERDICT_WRONG_POSITION);
        if (strstr(wrong[i].header, "Declarer") == NULL)
            cr_assert(strstr(verdict.text, wrong[i].part) != NULL, "%s: %s", wrong[i].header, verdict.text);
    }
}

/* A position with every header of the family, and every kind of action: its record parses, prints the same
 * text again, can be played, and verifies. */
Test(declare_session, a_record_of_a_position_is_complete)
{
    static const char heads[] =
        "[Rummyd \"1\"]\n[Variant \"deals3\"]\n[Hand \"2\"]\n[Players \"5\"]\n[Totals \"240 200 260 240 "
        "260\"]\n"
        "[Bonus \"0 0 20 0 20\"]\n[Out \"0 0 0 2 1\"]\n[Left \"3 4\"]\n[Away \"1 3 4\"]\n[Setup "
        "\"yes\"]\n[Starter \"0\"]\n"
        "[Wild \"TC1\"]\n"
        "[Cards0 \"2H1 3H1 4H1 5H1 6C1 7C1 8C1 9D1 9S1 9H1 JD1 JS1 JH1\"]\n"
        "[Cards1 \"3H2 4H2 5H2 7H2 8H2 9H2 JH2 QH2 KH2 AD1 3D1 5D1 7D1\"]\n"
        "[Cards2 \"3C2 4C2 5C2 7C2 8C2 9C2 JC2 QC2 KC2 AS1 3S1 5S1 7S1\"]\n"
        "[Cards3 \"AC2 2C2 3C1 6C2 TC2 TH1 TH2 TS1 TS2 TD1 TD2 KD1 KD2 QD1\"]\n"
        "[Turns \"4 4 3 1 0\"]\n[ToMove \"0\"]\n[Phase \"group\"]\n[Discard \"KC1 3D2\"]\n[Missed \"0 3 0 0 "
        "0\"]\n"
        "[OpenCard \"yes\"]\n[Picked \"0 2\"]\n[Lost \"0 0 0 80 0\"]\n[Declarer \"0\"]\n"
        "[Groups0 \"2H1 3H1 4H1 5H1 | 6C1 7C1 8C1 | 9D1 9S1 9H1 | JD1 JS1 JH1\"]\n"
        "[Groups1 \"3H2 4H2 5H2 | 7H2 8H2 9H2\"]\n[Done \"1\"]\n\n"
        "1. 2 return 1, group -\n2. 2 group 3C2 4C2 5C2 | 7C2 8C2 9C2 | JC2 QC2 KC2\n3. - leave 1\n4. - "
        "close\n\n"
        "result out 0\n"
        "score 0 place 1 points 160 cards 13 won\nscore 1 place 4 points -55 cards 13 left out\n"
        "score 2 place 2 points -25 cards 13\nscore 3 place 3 points -80 cards 14 left dropped out\n"
        "score 4 place 5 points 0 cards 0 left out sat-out\n";
    static struct eng_step steps[8];
    static char once[8192], twice[8192];
    struct eng_record r = {.steps = steps, .steps_max = 8};
    struct eng_record_error error;
    struct eng_verdict verdict;
    cr_assert(eng_record_parse(&r, heads, sizeof heads - 1, &error), "%u:%u %s", error.line, error.column,
              error.expected);
    cr_assert(eng_record_verify(&r, &verdict), "%s at %u, seat %d", verdict.text, verdict.step, verdict.seat);
    struct buf a = buf_on(once, sizeof once), b = buf_on(twice, sizeof twice);
    eng_record_print(&r, &a);
    cr_assert(eng_record_parse(&r, once, a.len, &error), "%u:%u %s", error.line, error.column,
              error.expected);
    cr_assert(eng_record_verify(&r, &verdict), "%s", verdict.text);
    eng_record_print(&r, &b);
    cr_assert_eq(a.len, b.len);
    cr_assert_eq(memcmp(once, twice, a.len), 0);
    for (const char *line = heads; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1) {
        char wanted[160];
        snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(line, "\n"), line);
        if (strncmp(line, "[Cards", 6) != 0) /* printed in ascending order */
            cr_assert(strstr(once, wanted) != NULL, "%s\n%s", wanted, once);
    }
}

Test(declare_session, a_record_shows_how_an_ungrouped_hand_was_scored)
{
    struct table t;
    struct eng_record r = {.players = 3};
    struct eng_verdict verdict;
    PLACE(&t, .params = ROW("points"), .players = 3, .hands = {DECLARER, REDS, CLUBS}, .play = true);
    table_do(&t, RIGHTLY ", group 3C 4C 5C | 7C 8C 9C @2, close");
    struct eng_record_result real = eng_record_result_of(&t.g, &t.out);
    struct eng_grouping *stated = &r.result.scores[1].arranged;
    r.params = t.g.params;
    r.setup.wild = t.g.wild_card;
    r.result = real;
    cr_assert_eq(real.scores[0].arranged.groups, 0, "the declaration shows it");
    cr_assert_eq(real.scores[2].arranged.groups, 0, "they have grouped themselves");
    cr_assert_eq(stated->groups, 3);
    cr_assert(eng_record_compare(&r, &real, &verdict), "%s", verdict.text);
    uint8_t first[3];
    memcpy(first, stated->cards, 3);
    memmove(stated->cards, stated->cards + 3, 3);
    memcpy(stated->cards + 3, first, 3);
    cr_assert(eng_record_compare(&r, &real, &verdict), "another one with the same score is valid, too");
    stated->groups--;
    cr_assert_not(eng_record_compare(&r, &real, &verdict), "a worse one");
    cr_assert(verdict.code == ENG_VERDICT_WRONG_SCORE && verdict.seat == 1);
    stated->groups++;
    stated->cards[0] = stated->cards[1];
    cr_assert_not(eng_record_compare(&r, &real, &verdict), "a card twice");
    *stated = (struct eng_grouping){0};
    cr_assert(eng_record_compare(&r, &real, &verdict), "older records omit it");
    r.result.scores[2].arranged = real.scores[1].arranged;
    cr_assert_not(eng_record_compare(&r, &real, &verdict), "not where the seat grouped itself");
}

/* ---- Random play reaches everything ---- */

Test(declare_session, random_sessions_reach_every_ending)
{
    static const char *const variants[] = {"points", "pool101", "pool201", "deals2", "deals3"};
    int endings[ENG_ENDED_LAST + 1] = {0}, seen[ENG_EV_TYPE_END] = {0}, tie_hands = 0, several = 0;
    for (uint64_t number = 0; number < 150; number++) {
        uint64_t rng = number;
        struct eng_outcome out;
        struct eng_game g;
        const struct eng_params *row = ROW(variants[number % 5]);
        play_deal(&g, row, 2 + (int)(number / 5 % 5), number, &out);
        while (g.phase != ENG_SESSION_OVER) {
            struct eng_move m;
            play_well(&g, &rng, &m);
            (void)eng_apply(&g, &m, &out);
            for (int i = 0; i < out.events_n; i++) {
                seen[out.events[i].type]++;
                if (out.events[i].type == ENG_EV_HAND_ENDED)
                    endings[out.events[i].hand_ended.ending]++;
            }
            if (g.phase != ENG_HAND_OVER || play_below(&rng, 3) == 0)
                continue;
            const struct eng_move close = {.type = ENG_CLOSE, .meld = ENG_NO_MELD};
            if (!eng_may_deal(&g)) {
                cr_assert_eq(eng_apply(&g, &close, &out), ENG_OK);
                continue;
            }
            uint8_t key[ENG_KEY_BYTES] = {g.hand_no, (uint8_t)number, 3};
            tie_hands += row->tie_hands && g.hand_no >= row->session_hands;
            eng_deal(&g, key, &out);
        }
        several += g.hand_no > 5;
    }
    cr_assert(endings[ENG_ENDED_OUT] > 100 && endings[ENG_ENDED_LAST] > 20, "%d out, %d last",
              endings[ENG_ENDED_OUT], endings[ENG_ENDED_LAST]);
    static const uint8_t wanted[] = {ENG_EV_DROPPED,    ENG_EV_DECLARED,   ENG_EV_GROUPED,   ENG_EV_REJOINED,
                                     ENG_EV_ELIMINATED, ENG_EV_RESHUFFLED, ENG_EV_TIMED_OUT, ENG_EV_LEFT};
    for (size_t i = 0; i < sizeof wanted; i++)
        cr_assert_gt(seen[wanted[i]], 0, "never: %s", eng_event_name((enum eng_event_type)wanted[i]));
    cr_assert_gt(several, 5, "pools of several hands");
    cr_assert_geq(tie_hands, 0);
}
