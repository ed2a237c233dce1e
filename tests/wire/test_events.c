/* The frame of every kind of event, for the seat that may see its cards and for one that may not. */
#include "engine/core/game.h"
#include "tests/engine/play.h"
#include "tests/wire/frame.h"
#include "wire/frames.h"
#include "wire/game.h"

#include <criterion/criterion.h>
#include <string.h>

enum { CARD_5H = 30, CARD_6H, CARD_7H, JOKER = 104 };

struct seen {
    const struct eng_game *game;
    const struct eng_event *event;
    uint8_t viewer;
};

static void event_frame(struct buf *out, const void *what)
{
    const struct seen *it = what;
    wire_event(out, it->game, 117, it->event, it->viewer);
}

/* The event's own seat sees `open`, all others see `hidden` (NULL: the same). Only seat and d are
 * compared. */
struct kind {
    struct eng_event event;
    const char *open, *hidden;
};
#define ALL .private_to = ENG_NO_SEAT
#define OWN .private_to = 2
#define HEARTS .n = 3, .cards = {CARD_5H, CARD_6H, CARD_7H}

static const struct kind kinds[] = {
    {{.type = ENG_EV_DEALT, .seat = 2, OWN, HEARTS, .dealt = {.hand_no = 4, .stock_n = 52, .cards_n = 3}},
     "\"seat\":2,\"d\":{\"cards\":[\"5H1\",\"6H1\",\"7H1\"],\"n\":3,\"hand_no\":4,\"stock_n\":52}",
     "\"seat\":2,\"d\":{\"n\":3,\"hand_no\":4,\"stock_n\":52}"},
    {{.type = ENG_EV_TURN, .seat = 2, ALL, .turn = {.phase = ENG_TO_DRAW, .round = 300}},
     "\"seat\":2,\"d\":{\"round\":300,\"phase\":\"draw\"}",
     NULL},
    {{.type = ENG_EV_DREW, .seat = 2, OWN, .n = 1, .cards = {CARD_5H}, .drew = {.pile = ENG_STOCK}},
     "\"seat\":2,\"d\":{\"from\":\"stock\",\"card\":\"5H1\",\"must_open\":false}",
     "\"seat\":2,\"d\":{\"from\":\"stock\",\"must_open\":false}"},
    {{.type = ENG_EV_DREW, .seat = 2, ALL, .n = 1, .cards = {JOKER}, .drew = {ENG_DISCARD_PILE, true}},
     "\"seat\":2,\"d\":{\"from\":\"discard\",\"card\":\"X1\",\"must_open\":true}",
     NULL},
    {{.type = ENG_EV_DRAW_CANCELLED, .seat = 2, ALL, .n = 1, .cards = {CARD_5H}},
     "\"seat\":2,\"d\":{\"card\":\"5H1\"}",
     NULL},
    {{.type = ENG_EV_MELDED, .seat = 2, ALL, .meld = 35, HEARTS, .melded = {ENG_RUN, 4, true, -18}},
     "\"seat\":2,\"d\":{\"meld\":35,\"kind\":\"run\",\"cards\":[\"5H1\",\"6H1\",\"7H1\"],\"low\":4,"
     "\"staged\":true,"
     "\"worth\":-18}",
     NULL},
    {{.type = ENG_EV_TAKEN_BACK, .seat = 2, ALL, .meld = 0, HEARTS},
     "\"seat\":2,\"d\":{\"meld\":0,\"cards\":[\"5H1\",\"6H1\",\"7H1\"]}",
     NULL},
    {{.type = ENG_EV_OPENED, .seat = 2, ALL, .meld = ENG_NO_MELD, .opened = {51}},
     "\"seat\":2,\"d\":{\"sum\":51}",
     NULL},
    {{.type = ENG_EV_LAID_OFF,
      .seat = 2,
      ALL,
      .meld = 1,
      .n = 1,
      .cards = {CARD_5H},
      .laid_off = {ENG_END_LOW}},
     "\"seat\":2,\"d\":{\"meld\":1,\"card\":\"5H1\",\"end\":\"low\"}",
     NULL},
    {{.type = ENG_EV_LAID_OFF,
      .seat = 2,
      ALL,
      .meld = 1,
      .n = 1,
      .cards = {CARD_5H},
      .laid_off = {ENG_END_NONE}},
     "\"seat\":2,\"d\":{\"meld\":1,\"card\":\"5H1\",\"end\":null}",
     NULL},
    {{.type = ENG_EV_SWAPPED, .seat = 2, ALL, .meld = 1, .n = 2, .cards = {CARD_5H, JOKER}, .swapped = {13}},
     "\"seat\":2,\"d\":{\"meld\":1,\"card\":\"5H1\",\"joker\":\"X1\",\"place\":13}",
     NULL},
    {{.type = ENG_EV_SWAP_UNDONE,
      .seat = 2,
      ALL,
      .meld = 1,
      .n = 2,
      .cards = {CARD_5H, JOKER},
      .swapped = {0}},
     "\"seat\":2,\"d\":{\"meld\":1,\"card\":\"5H1\",\"joker\":\"X1\",\"place\":0}",
     NULL},
    {{.type = ENG_EV_DISCARDED, .seat = 2, ALL, .n = 2, .cards = {JOKER, CARD_5H}, .discarded = {true}},
     "\"seat\":2,\"d\":{\"cards\":[\"X1\",\"5H1\"],\"buried\":true}",
     NULL},
    {{.type = ENG_EV_RESHUFFLED, .seat = ENG_NO_SEAT, ALL, .renewed = {30}}, "\"d\":{\"stock_n\":30}", NULL},
    {{.type = ENG_EV_FLIPPED, .seat = 2, ALL, .n = 1, .cards = {CARD_5H}, .renewed = {30}},
     "\"seat\":2,\"d\":{\"stock_n\":30,\"card\":\"5H1\"}",
     NULL},
    {{.type = ENG_EV_FLIPPED, .seat = ENG_NO_SEAT, ALL, .renewed = {30}},
     "\"seat\":null,\"d\":{\"stock_n\":30}",
     NULL},
    {{.type = ENG_EV_TIMED_OUT, .seat = 2, ALL, .timed_out = {3}}, "\"seat\":2,\"d\":{\"in_a_row\":3}", NULL},
    {{.type = ENG_EV_AWAY, .seat = 2, ALL}, "\"seat\":2,\"d\":{}", NULL},
    {{.type = ENG_EV_RETURNED, .seat = 2, ALL}, "\"seat\":2,\"d\":{}", NULL},
    {{.type = ENG_EV_LEFT, .seat = 2, ALL}, "\"seat\":2,\"d\":{}", NULL},
    {{.type = ENG_EV_HAND_ENDED, .seat = 2, ALL, .hand_ended = {ENG_ENDED_OUT, true}},
     "\"d\":{\"winner\":2,\"ending\":\"out\",\"rummy\":true}",
     NULL},
    {{.type = ENG_EV_HAND_ENDED, .seat = ENG_NO_SEAT, ALL, .hand_ended = {ENG_ENDED_NO_CARDS, false}},
     "\"d\":{\"winner\":null,\"ending\":\"no_cards\",\"rummy\":false}",
     NULL},
    {{.type = ENG_EV_SCORED,
      .seat = 2,
      ALL,
      HEARTS,
      .scored = {-40, 102, -1, 1, 3, ENG_SCORE_OPENED | ENG_SCORE_WON}},
     "\"seat\":2,\"d\":{\"points\":-40,\"total\":102,\"bonus\":-1,\"place\":1,\"cards\":[\"5H1\",\"6H1\","
     "\"7H1\"],"
     "\"opened\":true,\"won\":true,\"rummy\":false,\"left\":false,\"dropped\":false,\"wrong\":false,\"out\":"
     "false,"
     "\"sat_out\":false}",
     NULL},
    {{.type = ENG_EV_SCORED,
      .seat = 2,
      ALL,
      HEARTS,
      .groups = 1,
      .lens = {3},
      .scored = {.place = 6, .flags = 0xfc}},
     "\"seat\":2,\"d\":{\"points\":0,\"total\":0,\"bonus\":0,\"place\":6,\"cards\":[\"5H1\",\"6H1\",\"7H1\"],"
     "\"opened\":false,\"won\":false,\"rummy\":true,\"left\":true,\"dropped\":true,\"wrong\":true,\"out\":"
     "true,"
     "\"sat_out\":true,\"groups\":[[\"5H1\",\"6H1\",\"7H1\"]],\"rest\":[]}",
     NULL},
    {{.type = ENG_EV_SESSION_ENDED, .seat = ENG_NO_SEAT, ALL, .session_ended = {5}},
     "\"d\":{\"winner\":null,\"winners\":[0,2],\"totals\":[7,0,-3]}",
     NULL},
    {{.type = ENG_EV_WILD, .seat = ENG_NO_SEAT, ALL, .n = 1, .cards = {CARD_5H}, .wild = {4}},
     "\"d\":{\"card\":\"5H1\",\"rank\":\"5\"}",
     NULL},
    {{.type = ENG_EV_DROPPED, .seat = 2, ALL, .dropped = {20, ENG_DROP_FIRST}},
     "\"seat\":2,\"d\":{\"points\":20,\"kind\":\"first\"}",
     NULL},
    {{.type = ENG_EV_DECLARED,
      .seat = 2,
      ALL,
      .n = 4,
      .groups = 1,
      .lens = {3},
      .cards = {CARD_5H, CARD_6H, CARD_7H, JOKER}},
     "\"seat\":2,\"d\":{\"valid\":true,\"groups\":[[\"5H1\",\"6H1\",\"7H1\"]],\"rest\":[],\"finish\":\"X1\"}",
     NULL},
    {{.type = ENG_EV_DECLARED,
      .seat = 2,
      ALL,
      .n = 4,
      .cards = {CARD_5H, CARD_6H, CARD_7H, JOKER},
      .declared = {80, ENG_NEEDS_PURE_SEQUENCE}},
     "\"seat\":2,\"d\":{\"valid\":false,\"groups\":[],\"rest\":[\"5H1\",\"6H1\",\"7H1\"],\"finish\":\"X1\","
     "\"points\":80,"
     "\"code\":\"needs_pure_sequence\"}",
     NULL},
    {{.type = ENG_EV_GROUPED, .seat = 2, OWN, HEARTS, .groups = 1, .lens = {3}, .grouped = {true}},
     "\"seat\":2,\"d\":{\"done\":true,\"groups\":[[\"5H1\",\"6H1\",\"7H1\"]],\"rest\":[]}",
     "\"seat\":2,\"d\":{\"done\":true}"},
    {{.type = ENG_EV_REJOINED, .seat = 2, ALL, .rejoined = {79}}, "\"seat\":2,\"d\":{\"total\":79}", NULL},
    {{.type = ENG_EV_ELIMINATED, .seat = 2, ALL, .eliminated = {104}},
     "\"seat\":2,\"d\":{\"total\":104}",
     NULL},
};

static void expect(const struct kind *kind, const struct eng_game *game, uint8_t viewer, const char *rest)
{
    char wanted[1024];
    const struct seen seen = {game, &kind->event, viewer};
    (void)snprintf(wanted, sizeof(wanted), "{\"v\":117,\"t\":\"%s\",%s}", eng_event_name(kind->event.type),
                   rest);
    cr_expect_str_eq(frame_of(event_frame, &seen, false), wanted);
}

Test(events, each_kind_is_written_for_each_viewer)
{
    static struct eng_game game;
    bool known[ENG_EV_TYPE_END] = {false};
    eng_init(&game, eng_params_find("rummy51"), 3);
    game.phase = ENG_SESSION_OVER;
    game.ending = ENG_ENDED_OUT;
    game.winner = 2;
    game.hand_no = 1;
    game.points[0] = 7;
    game.points[2] = -3;
    game.rare_hash = eng_hash_rare(&game);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const char *hidden = kinds[i].hidden ? kinds[i].hidden : kinds[i].open;
        known[kinds[i].event.type] = true;
        expect(&kinds[i], &game, 2, kinds[i].open);
        for (uint8_t viewer = 0; viewer < 2; viewer++)
            expect(&kinds[i], &game, viewer, hidden);
        expect(&kinds[i], &game, ENG_SPECTATOR, hidden);
    }
    for (int type = 1; type < ENG_EV_TYPE_END; type++)
        cr_expect(known[type], "%s has no frame here", eng_event_name((enum eng_event_type)type));
}

Test(events, the_largest_event_of_each_kind_fits)
{
    static const uint8_t all[ENG_EVENT_CARDS_MAX] = {35, 36, 37, 38, 22, 23, 24, 25,
                                                     9,  10, 11, 12, 48, 49, 50, 51};
    struct eng_event event = {.type = ENG_EV_SCORED,
                              .seat = 5,
                              ALL,
                              .n = ENG_EVENT_CARDS_MAX,
                              .groups = ENG_GROUPS_MAX,
                              .lens = {4, 4, 4, 3},
                              .scored = {INT32_MIN, INT32_MIN, INT32_MIN, 255, 255, 255}};
    memcpy(event.cards, all, sizeof(all));
    const struct seen seen = {NULL, &event, ENG_SPECTATOR};
    cr_assert_leq(strlen(frame_of(event_frame, &seen, false)), 640,
                  "hubs reserve space for frames of this size");
}

/* Every event in random hands of each variant: only its seat receives a private card in the text of a
 * frame, and v, t, and seat are those of the event. */
static void check_frame(const struct eng_game *game, const struct eng_event *event, uint8_t viewer)
{
    const struct seen seen = {game, event, viewer};
    json_t *root = frame_read(event_frame, &seen, false), *d = json_object_get(root, "d");
    cr_assert_eq(json_integer_value(json_object_get(root, "v")), 117);
    cr_assert_str_eq(json_string_value(json_object_get(root, "t")), eng_event_name(event->type));
    cr_assert(json_is_object(d));
    if (event->private_to != ENG_NO_SEAT && event->private_to != viewer)
        for (int i = 0; i < event->n; i++) {
            char name[ENG_CARD_NAME_MAX + 2], card[ENG_CARD_NAME_MAX];
            (void)eng_card_name(card, event->cards[i]);
            (void)snprintf(name, sizeof(name), "\"%s\"", card);
            char *text = json_dumps(root, JSON_COMPACT);
            cr_assert_null(strstr(text, name), "viewer %d: %s", viewer, text);
            free(text);
        }
    json_decref(root);
}

Test(events, of_random_hands_show_private_cards_only_to_their_seat)
{
    uint64_t rng = 7;
    for (size_t row = 0; eng_params_at(row); row++) {
        struct eng_game game;
        static struct eng_outcome out;
        play_deal(&game, eng_params_at(row), 2, row, &out);
        for (int i = 0; i < 400 && eng_seat_to_move(&game) != ENG_NO_SEAT; i++) {
            struct eng_move move;
            for (int k = 0; out.code == ENG_OK && k < out.events_n; k++)
                for (uint8_t viewer = 0; viewer < 3; viewer++)
                    check_frame(&game, &out.events[k], viewer < 2 ? viewer : ENG_SPECTATOR);
            if (game.params.family == ENG_FAMILY_DECLARE)
                play_well(&game, &rng, &move);
            else
                play_propose(&game, &rng, &move);
            eng_apply(&game, &move, &out);
        }
    }
}

/* --- names --- */

Test(names, are_unique_lowercase_words)
{
    const char *names[(size_t)WIRE_FRAMES_N + (size_t)ENG_EV_TYPE_END + (size_t)WIRE_COMMANDS_N];
    size_t n = 0, commands;
    for (int i = 0; i < WIRE_COMMANDS_N; i++)
        names[n++] = wire_command_specs[i].name;
    commands = n;
    for (int i = 0; i < WIRE_FRAMES_N; i++)
        names[n++] = wire_frame_name((enum wire_frame)i);
    for (int i = 1; i < ENG_EV_TYPE_END; i++)
        names[n++] = eng_event_name((enum eng_event_type)i);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(strspn(names[i], "abcdefghijklmnopqrstuvwxyz_"), strlen(names[i]), "%s", names[i]);
        for (size_t k = i < commands ? 0 : commands; k < i; k++)
            cr_assert_str_neq(names[i], names[k], "a client could not tell two frames apart");
    }
}

Test(names, members_of_commands_are_required_or_optional_and_all_used)
{
    unsigned used = 0;
    for (int i = 0; i < WIRE_COMMANDS_N; i++) {
        cr_assert_eq(wire_command_specs[i].needs & wire_command_specs[i].may, 0, "%s",
                     wire_command_specs[i].name);
        used |= wire_command_specs[i].needs | wire_command_specs[i].may;
    }
    cr_assert_eq(used, (1u << WIRE_MEMBERS_N) - 1);
}
