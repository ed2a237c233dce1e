/* See values.h. */
#include "wire/values.h"

#include "base/bug.h"
#include "base/text.h"

void wire_card(struct buf *out, uint8_t card)
{
    if (card == ENG_NO_CARD) {
        json_nil(out);
        return;
    }
    char name[ENG_CARD_NAME_MAX];
    (void)eng_card_name(name, card);
    json_text(out, name);
}

void wire_cards(struct buf *out, const char *key, const uint8_t *cards, int n)
{
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    json_key(out, key);
    json_open(out, '[');
    for (int i = 0; i < n; i++)
        wire_card(out, cards[i]);
    json_close(out, ']');
}

void wire_seat(struct buf *out, const char *key, uint8_t seat)
{
    json_key(out, key);
    if (seat >= ENG_SEAT_MAX)
        json_nil(out);
    else
        json_num(out, seat);
}

void wire_seats(struct buf *out, const char *key, uint8_t mask)
{
    json_key(out, key);
    json_open(out, '[');
    for (int seat = 0; seat < ENG_SEAT_MAX; seat++)
        if (mask >> seat & 1)
            json_num(out, seat);
    json_close(out, ']');
}

void wire_hex(struct buf *out, const char *key, const uint8_t *bytes, size_t len)
{
    char hex[2 * 32 + 1];
    ASSERT(len <= 32);
    text_hex(hex, bytes, len);
    if (key)
        json_key(out, key);
    json_text(out, hex);
}

void wire_id(struct buf *out, const char *key, int64_t id)
{
    json_key(out, key);
    buf_put(out, "\"", 1);
    buf_int(out, id);
    buf_put(out, "\"", 1);
}

void wire_groups(struct buf *out, const uint8_t *cards, int n, int groups, const uint8_t *lens)
{
    int at = 0;
    ASSERT(n >= 0 && groups >= 0 && groups <= ENG_GROUPS_MAX);
    json_key(out, "groups");
    json_open(out, '[');
    for (int i = 0; i < groups; i++) {
        json_open(out, '[');
        for (int k = 0; k < lens[i]; k++)
            wire_card(out, cards[at++]);
        json_close(out, ']');
    }
    json_close(out, ']');
    ASSERT(at <= n);
    wire_cards(out, "rest", cards + at, n - at);
}

void wire_rank(struct buf *out, const char *key, uint8_t rank)
{
    char name[2] = {"A23456789TJQK"[rank % 13], '\0'};
    json_kv_text(out, key, name);
}

const char *wire_end(uint8_t end)
{
    return end == ENG_END_LOW ? "low" : end == ENG_END_HIGH ? "high" : NULL;
}

void wire_number_or_null(struct buf *out, const char *key, int64_t number, bool shown)
{
    json_key(out, key);
    if (shown)
        json_num(out, number);
    else
        json_nil(out);
}

void wire_bool_or_null(struct buf *out, const char *key, bool is, bool shown)
{
    if (shown) {
        json_kv_bool(out, key, is);
    } else {
        json_key(out, key);
        json_nil(out);
    }
}

const char *wire_kind(uint8_t kind)
{
    return kind == ENG_RUN ? "run" : "set";
}
