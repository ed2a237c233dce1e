/* Values in frames: every card, seat, and id. */
#include "tests/wire/frame.h"
#include "wire/values.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

static void card(struct buf *out, const void *what)
{
    wire_card(out, *(const uint8_t *)what);
}

/* Names are built here as asyncapi.yaml describes them: rank, suit, copy; jokers have a number. */
Test(values, cards_have_their_documented_names)
{
    for (uint8_t i = 0; i < ENG_CARD_MAX; i++) {
        char wanted[8];
        if (i >= ENG_JOKER_FIRST)
            (void)snprintf(wanted, sizeof(wanted), "\"X%d\"", i - ENG_JOKER_FIRST + 1);
        else
            (void)snprintf(wanted, sizeof(wanted), "\"%c%c%d\"", "A23456789TJQK"[i % 13], "CSHD"[i / 13 % 4],
                           1 + i / 52);
        cr_assert_str_eq(frame_of(card, &i, false), wanted);
    }
    cr_assert_str_eq(frame_of(card, &(uint8_t){ENG_NO_CARD}, false), "null");
}

static void all_cards(struct buf *out, const void *what)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = *(const int *)what;
    for (uint8_t i = 0; i < ENG_CARD_MAX; i++)
        cards[i] = (uint8_t)(ENG_CARD_MAX - 1 - i);
    wire_cards(out, "cards", cards, n);
}

Test(values, lists_of_cards_are_written)
{
    cr_assert_str_eq(frame_of(all_cards, &(int){0}, true), "{\"cards\":[]}");
    cr_assert_str_eq(frame_of(all_cards, &(int){1}, true), "{\"cards\":[\"X6\"]}");
    json_t *root = frame_read(all_cards, &(int){ENG_CARD_MAX}, true);
    cr_assert_eq(json_array_size(json_object_get(root, "cards")), ENG_CARD_MAX);
    json_decref(root);
}

static void seat(struct buf *out, const void *what)
{
    wire_seat(out, "seat", *(const uint8_t *)what);
}
static void seats(struct buf *out, const void *what)
{
    wire_seats(out, "seats", *(const uint8_t *)what);
}

Test(values, an_invalid_seat_is_null)
{
    for (int i = 0; i < 256; i++) {
        char wanted[32] = "{\"seat\":null}";
        if (i < ENG_SEAT_MAX)
            (void)snprintf(wanted, sizeof(wanted), "{\"seat\":%d}", i);
        cr_assert_str_eq(frame_of(seat, &(uint8_t){(uint8_t)i}, true), wanted);
    }
}

Test(values, a_mask_is_written_as_a_list_of_seats)
{
    for (int mask = 0; mask < 256; mask++) {
        json_t *root = frame_read(seats, &(uint8_t){(uint8_t)mask}, true),
               *list = json_object_get(root, "seats");
        int found = 0;
        for (size_t i = 0; i < json_array_size(list); i++) {
            int bit = (int)json_integer_value(json_array_get(list, i));
            cr_assert(1 << bit > found, "ascending, each once");
            found |= 1 << bit;
        }
        cr_assert_eq(found, mask & 0x3f, "bits of seats that a table cannot have are not written");
        json_decref(root);
    }
}

static void id(struct buf *out, const void *what)
{
    wire_id(out, "id", *(const int64_t *)what);
}

/* It is a string, because JavaScript cannot represent 2^53 + 1. */
Test(values, every_64_bit_id_is_a_string)
{
    static const int64_t ids[] = {0, 1, -1, 9007199254740993, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        char wanted[64];
        (void)snprintf(wanted, sizeof(wanted), "{\"id\":\"%" PRId64 "\"}", ids[i]);
        cr_assert_str_eq(frame_of(id, &ids[i], true), wanted);
    }
}

static void hex(struct buf *out, const void *what)
{
    static const uint8_t bytes[32] = {0x00, 0x01, 0xab, 0xff};
    size_t len = *(const size_t *)what;
    wire_hex(out, "seed", bytes, len);
    json_key(out, "seeds");
    json_open(out, '[');
    wire_hex(out, NULL, bytes, len);
    json_close(out, ']');
}

Test(values, bytes_are_written_in_hex)
{
    cr_assert_str_eq(frame_of(hex, &(size_t){0}, true), "{\"seed\":\"\",\"seeds\":[\"\"]}");
    cr_assert_str_eq(frame_of(hex, &(size_t){4}, true), "{\"seed\":\"0001abff\",\"seeds\":[\"0001abff\"]}");
    json_t *root = frame_read(hex, &(size_t){32}, true);
    cr_assert_eq(json_string_length(json_object_get(root, "seed")), 64);
    json_decref(root);
}

struct grouping {
    int n, groups;
    uint8_t lens[ENG_GROUPS_MAX];
};
static void groups(struct buf *out, const void *what)
{
    static const uint8_t cards[] = {0, 1, 2, 13, 14, 15, 104};
    const struct grouping *it = what;
    wire_groups(out, cards, it->n, it->groups, it->lens);
}

Test(values, groups_and_ungrouped_cards_are_written)
{
    cr_assert_str_eq(frame_of(groups, &(struct grouping){0}, true), "{\"groups\":[],\"rest\":[]}");
    cr_assert_str_eq(frame_of(groups, &(struct grouping){2, 0, {0}}, true),
                     "{\"groups\":[],\"rest\":[\"AC1\",\"2C1\"]}");
    cr_assert_str_eq(frame_of(groups, &(struct grouping){7, 2, {3, 3}}, true),
                     "{\"groups\":[[\"AC1\",\"2C1\",\"3C1\"],[\"AS1\",\"2S1\",\"3S1\"]],\"rest\":[\"X1\"]}");
    cr_assert_str_eq(frame_of(groups, &(struct grouping){3, 1, {3}}, true),
                     "{\"groups\":[[\"AC1\",\"2C1\",\"3C1\"]],\"rest\":[]}");
}

static void small(struct buf *out, const void *what)
{
    bool shown = *(const bool *)what;
    wire_rank(out, "ace", 0);
    wire_rank(out, "high_ace", 13);
    wire_rank(out, "king", 12);
    wire_number_or_null(out, "number", INT64_MIN, shown);
    wire_bool_or_null(out, "yes", true, shown);
    wire_bool_or_null(out, "no", false, shown);
    json_kv_text(out, "low", wire_end(ENG_END_LOW));
    json_kv_text(out, "high", wire_end(ENG_END_HIGH));
    json_kv_text(out, "none", wire_end(ENG_END_NONE));
    json_kv_text(out, "run", wire_kind(ENG_RUN));
    json_kv_text(out, "set", wire_kind(ENG_SET));
}

Test(values, ranks_ends_kinds_and_hidden_values_are_written)
{
    cr_assert_str_eq(
        frame_of(small, &(bool){true}, true),
        "{\"ace\":\"A\",\"high_ace\":\"A\",\"king\":\"K\",\"number\":-9223372036854775808,\"yes\":true,"
        "\"no\":false,\"low\":\"low\",\"high\":\"high\",\"none\":null,\"run\":\"run\",\"set\":\"set\"}");
    cr_assert(strstr(frame_of(small, &(bool){false}, true), "\"number\":null,\"yes\":null,\"no\":null,"));
}
