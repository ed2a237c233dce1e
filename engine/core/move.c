/* Encodes moves as compact bytes for the journal; names of refusals. */
#include <string.h>

#include "base/bug.h"
#include "engine/eng.h"

enum { MOVE_HEAD = 5 };

int eng_move_encode(uint8_t out[ENG_MOVE_BYTES_MAX], const struct eng_move *move)
{
    ASSERT(move->n <= ENG_MOVE_CARDS_MAX);
    ASSERT(move->type > 0 && move->type < ENG_MOVE_TYPE_END && move->groups <= ENG_GROUPS_MAX);
    out[0] = move->type;
    out[1] = move->seat;
    out[2] = move->meld;
    out[3] = move->end;
    out[4] = move->n;
    memcpy(out + MOVE_HEAD, move->cards, move->n);
    int len = MOVE_HEAD + move->n;
    if (!eng_move_has_groups(move->type))
        return len;
    out[len++] = move->groups;
    memcpy(out + len, move->lens, move->groups);
    return len + move->groups;
}

bool eng_move_decode(struct eng_move *move, const uint8_t *bytes, size_t len)
{
    ASSERT(move != NULL && (bytes != NULL || len == 0));
    if (len < MOVE_HEAD || bytes[4] > ENG_MOVE_CARDS_MAX || len < MOVE_HEAD + (size_t)bytes[4])
        return false;
    size_t more = len - MOVE_HEAD - bytes[4];
    const uint8_t *groups = bytes + MOVE_HEAD + bytes[4];
    if (eng_move_has_groups(bytes[0]) ? more < 1 || groups[0] > ENG_GROUPS_MAX || more != 1U + groups[0]
                                      : more != 0)
        return false;
    if (bytes[0] == 0 || bytes[0] >= ENG_MOVE_TYPE_END || bytes[3] > ENG_END_HIGH)
        return false;
    *move = (struct eng_move){
        .type = bytes[0], .seat = bytes[1], .meld = bytes[2], .end = bytes[3], .n = bytes[4]};
    memcpy(move->cards, bytes + MOVE_HEAD, move->n);
    if (more > 0) {
        move->groups = groups[0];
        memcpy(move->lens, groups + 1, groups[0]);
    }
    return true;
}

static const char *const names[ENG_REFUSAL_END] = {
    "ok",
#define ENG_REFUSAL(id, name, text) name,
#include "engine/core/refusals.def"
#undef ENG_REFUSAL
};

static const char *const texts[ENG_REFUSAL_END] = {
    "",
#define ENG_REFUSAL(id, name, text) text,
#include "engine/core/refusals.def"
#undef ENG_REFUSAL
};

const char *eng_refusal_name(enum eng_refusal code)
{
    ASSERT(code < ENG_REFUSAL_END);
    return names[code];
}

const char *eng_refusal_text(enum eng_refusal code)
{
    ASSERT(code < ENG_REFUSAL_END);
    return texts[code];
}
