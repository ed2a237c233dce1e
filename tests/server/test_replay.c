/* Replays: every position of a session can be reached forward and back, the table shows only what the
 * viewer may see and fits its width, and an invalid record is shown up to the error. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/params.h"
#include "server/cli/replay.h"
#include "server/cli/simulate_record.h"

static struct srv_record_book book;
static struct srv_replay replay;
static char text[REPLAY_TEXT_MAX + 1];

static void open_session(const char *variant, int players)
{
    char path[] = "/tmp/rummyd-replay-XXXXXX";
    struct srv_simulate sim = {.params = eng_params_find(variant), .players = players, .games = 1, .seed = 3};
    struct srv_simulate_recorder recorder;
    int fd = mkstemp(path);

    cr_assert_geq(fd, 0);
    close(fd);
    for (int seat = 0; seat < players; seat++)
        sim.levels[seat] = ENG_BOT_MEDIUM;
    cr_assert_eq(srv_simulate_recorder_open(&recorder, &sim, path), 0);
    srv_simulate_run(&sim);
    cr_assert_eq(srv_simulate_recorder_close(&recorder, &sim), 0);
    book = (struct srv_record_book){0};
    cr_assert(srv_record_book_read(&book, path));
    unlink(path);
    cr_assert(srv_replay_open(&replay, &book));
    cr_assert(replay.holds);
    cr_assert_eq(replay.n, book.n);
}

static void close_session(void)
{
    srv_replay_close(&replay);
    srv_record_book_free(&book);
}

static const struct srv_replay_style plain = {.viewer = REPLAY_OPEN, .width = 80};

static const char *table(struct srv_replay_place place, const struct srv_replay_style *look)
{
    struct buf b = buf_on(text, sizeof text - 1);
    srv_replay_table(&replay, place, look, &b);
    cr_assert_not(b.full);
    text[b.len] = '\0';
    return text;
}

static bool same(struct srv_replay_place a, struct srv_replay_place b)
{
    return a.hand == b.hand && a.step == b.step;
}

static const struct eng_params *row(size_t i)
{
    return eng_params_at(i);
}

Test(replay, every_position_is_reached_forward_and_back)
{
    for (size_t i = 0; row(i) != NULL; i++) {
        open_session(row(i)->variant, 2 + (int)(i % 3));
        struct srv_replay_place p = {0, 0}, end = srv_replay_step(&replay, p, REPLAY_LAST);
        uint64_t places = 0, all = 0;
        for (int hand = 0; hand < replay.n; hand++)
            all += replay.hands[hand].steps + 1;
        for (;; places++) {
            struct srv_replay_place next = srv_replay_step(&replay, p, REPLAY_NEXT);
            if (same(next, p))
                break;
            cr_assert(same(srv_replay_step(&replay, next, REPLAY_BACK), p));
            p = next;
        }
        cr_assert(same(p, end));
        cr_assert_eq(places + 1, all);
        cr_assert(same(srv_replay_step(&replay, (struct srv_replay_place){0, 0}, REPLAY_BACK),
                       (struct srv_replay_place){0, 0}));
        cr_assert(same(srv_replay_step(&replay, end, REPLAY_FIRST), (struct srv_replay_place){0, 0}));
        close_session();
    }
}

Test(replay, jumps_lead_to_turns_and_hands)
{
    open_session("treff", 3);
    cr_assert_eq(replay.n, 3);
    for (int hand = 0; hand < replay.n; hand++) {
        uint32_t turns = replay.hands[hand].turns;
        cr_assert_gt(turns, 2);
        for (uint32_t turn = 1; turn <= turns; turn++) {
            struct srv_replay_at at;
            struct srv_replay_place p = srv_replay_turn(&replay, hand, turn);
            srv_replay_seek(&replay, p, &at);
            cr_assert_eq(at.turn, turn);
            struct srv_replay_place before = srv_replay_step(&replay, p, REPLAY_BACK_TURN);
            cr_assert(same(before, srv_replay_turn(&replay, hand, turn - 1)));
            cr_assert(same(srv_replay_step(&replay, before, REPLAY_NEXT_TURN), p));
        }
        cr_assert(same(srv_replay_turn(&replay, hand, turns + 5), srv_replay_turn(&replay, hand, turns)));
    }
    struct srv_replay_place second = {1, 4};
    cr_assert(same(srv_replay_step(&replay, second, REPLAY_BACK_HAND), (struct srv_replay_place){1, 0}));
    cr_assert(same(srv_replay_step(&replay, (struct srv_replay_place){1, 0}, REPLAY_BACK_HAND),
                   (struct srv_replay_place){0, 0}));
    cr_assert(same(srv_replay_step(&replay, second, REPLAY_NEXT_HAND), (struct srv_replay_place){2, 0}));
    cr_assert(same(srv_replay_step(&replay, (struct srv_replay_place){2, 7}, REPLAY_NEXT_HAND),
                   (struct srv_replay_place){2, 7}));
    close_session();
}

/* Number of characters of a UTF-8 line without escape sequences. */
static int characters(const char *line, size_t len)
{
    int n = 0;
    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)line[i] & 0xc0) != 0x80;
    return n;
}

Test(replay, the_table_fits_its_width_and_character_set_for_every_viewer)
{
    for (size_t i = 0; row(i) != NULL; i++) {
        open_session(row(i)->variant, 4);
        struct srv_replay_place p = {0, 0};
        for (int step = 0; step < 150; step++, p = srv_replay_step(&replay, p, REPLAY_NEXT)) {
            struct srv_replay_style look = {
                .width = 50 + step % 60, .utf8 = step % 2, .copies = step % 3 == 0};
            look.viewer = (uint8_t)(step % 6 < 4 ? step % 6 : step % 6 == 4 ? ENG_SPECTATOR : REPLAY_OPEN);
            for (const char *at = table(p, &look); *at; at += strcspn(at, "\n") + 1)
                cr_assert_leq(characters(at, strcspn(at, "\n")), look.width, "%s", text);
            cr_assert_null(strchr(text, '\x1b'));
            for (const char *c = text; *c && !look.utf8; c++)
                cr_assert((unsigned char)*c < 128, "%s", text);
        }
        close_session();
    }
}

Test(replay, a_seat_sees_its_own_hand_and_a_spectator_none)
{
    open_session("rummy40", 3);
    struct srv_replay_place p = {0, 1}; /* a seat has drawn */
    struct srv_replay_style look = plain;
    struct srv_replay_at at;
    srv_replay_seek(&replay, p, &at);
    bool stock = at.out.events[0].type == ENG_EV_DREW && at.out.events[0].drew.pile == ENG_STOCK;
    uint8_t mover = eng_seat_to_move(&at.game);
    for (int viewer = 0; viewer < 5; viewer++) {
        look.viewer = (uint8_t)(viewer < 3 ? viewer : viewer == 3 ? ENG_SPECTATOR : REPLAY_OPEN);
        int hidden = 0;
        for (const char *c = table(p, &look); (c = strstr(c, " cards\n")) != NULL; c++)
            hidden++;
        cr_assert_eq(hidden, viewer < 3 ? 2 : viewer == 3 ? 3 : 0, "%s", text);
        /* The drawn card is marked, and named, for those who may know it. */
        bool knows = !stock || viewer == mover || viewer == 4;
        cr_assert_eq(strchr(text, '<') != NULL, viewer == mover || viewer == 4);
        cr_assert_eq(strstr(text, "draws from the stock: ") != NULL, stock && knows, "%s", text);
    }
    close_session();
}

Test(replay, a_wrong_record_is_shown_up_to_the_error)
{
    open_session("rami", 2);
    srv_replay_close(&replay);
    struct eng_record *r = &book.hands[1].record;
    cr_assert_gt(r->steps_n, 8);
    r->steps[6] = r->steps[5]; /* the same move twice */
    cr_assert(srv_replay_open(&replay, &book));
    cr_assert_not(replay.holds);
    cr_assert_eq(replay.n, book.n);
    cr_assert_eq(replay.hands[0].verdict.code, ENG_VERDICT_OK);
    cr_assert_eq(replay.hands[1].verdict.code, ENG_VERDICT_ILLEGAL_MOVE);
    cr_assert_eq(replay.hands[1].steps, 6);
    cr_assert_not_null(
        strstr(table((struct srv_replay_place){1, 6}, &plain), "is invalid from here (illegal_move"));
    cr_assert_null(strstr(table((struct srv_replay_place){1, 5}, &plain), "is invalid"));
    srv_replay_close(&replay);
    r->setup.starter ^= 1; /* nothing can be shown from a hand that does not start */
    cr_assert(srv_replay_open(&replay, &book));
    cr_assert_eq(replay.n, 1);
    cr_assert_not(replay.holds);
    cr_assert_eq(replay.hands[1].verdict.code, ENG_VERDICT_WRONG_DEAL);
    srv_replay_close(&replay);
    r->setup.starter ^= 1;
    book.hands[0].record.setup.starter ^= 1;
    cr_assert_not(srv_replay_open(&replay, &book));
    cr_assert_eq(replay.hands[0].verdict.code, ENG_VERDICT_WRONG_DEAL);
    close_session();
}

Test(replay, the_end_of_a_session_after_its_last_hand_is_a_separate_step)
{
    open_session("deals2", 2);
    struct srv_replay_place last = {0, replay.hands[0].steps};
    struct srv_replay_at at;
    struct eng_move leave = {.type = ENG_LEAVE, .seat = 0, .meld = ENG_NO_MELD};
    struct eng_between done = {0};
    int hands = book.n;
    uint32_t turns = replay.hands[0].turns;

    srv_replay_seek(&replay, last, &at);
    uint32_t turn = at.turn;
    cr_assert_eq(eng_apply(&at.game, &leave, &at.out), ENG_OK);
    eng_between_add(&done, &leave);
    eng_record_close(&book.hands[0].record, &at.game, &done);
    book.n = 1;
    srv_replay_close(&replay);
    cr_assert(srv_replay_open(&replay, &book));
    cr_assert(replay.holds);
    cr_assert(replay.hands[0].steps == last.step + 1 && replay.hands[0].turns == turns);
    struct srv_replay_place close = srv_replay_step(&replay, last, REPLAY_NEXT);
    cr_assert(same(close, srv_replay_step(&replay, close, REPLAY_LAST)));
    cr_assert(same(close, srv_replay_step(&replay, last, REPLAY_NEXT_TURN)));
    cr_assert(same(last, srv_replay_step(&replay, close, REPLAY_BACK_TURN)));
    srv_replay_seek(&replay, close, &at);
    cr_assert_eq(at.turn, turn);
    cr_assert_not_null(strstr(table(close, &plain), "leaves"), "%s", text);
    cr_assert_not_null(strstr(text, "the session is won by"), "%s", text);
    cr_assert_null(strstr(table(last, &plain), "the session is won by"));
    book.hands[0].record.close.seats[0].total++;
    srv_replay_close(&replay);
    cr_assert(srv_replay_open(&replay, &book));
    cr_assert_eq(replay.hands[0].verdict.code, ENG_VERDICT_WRONG_SCORE);
    cr_assert_eq(replay.hands[0].steps, last.step);
    book.n = hands;
    close_session();
}

Test(replay, a_name_cannot_send_terminal_control_codes)
{
    open_session("rummy51", 2);
    struct srv_replay_style look = {.viewer = REPLAY_OPEN, .width = 80, .utf8 = true};
    strcpy(book.hands[0].record.seats[0].name, "\xc2\x9b"
                                               "31mŽana");
    cr_assert_not_null(strstr(table((struct srv_replay_place){0, 0}, &look), "?31mŽana"));
    look.utf8 = false;
    cr_assert_not_null(strstr(table((struct srv_replay_place){0, 0}, &look), "?31m?ana"));
    book.hands[0].record.seats[0].name[0] = '\0';
    cr_assert_not_null(strstr(table((struct srv_replay_place){0, 0}, &look), "0 seat 0"));
    close_session();
}
