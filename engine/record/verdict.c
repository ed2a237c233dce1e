/* Formats verdicts: their names, and the record's values compared with the game's. Called by verify.c,
 * `rummyd verify`, `rummyd replay`, and vectors. */
#include "engine/record/verdict.h"

#include <string.h>

#include "base/bug.h"
#include "engine/record/text.h"

const char *eng_verdict_name(enum eng_verdict_code code)
{
    static const char *const names[] = {
        [ENG_VERDICT_OK] = "ok",
        [ENG_VERDICT_WRONG_COMMIT] = "wrong_commit",
        [ENG_VERDICT_WRONG_DEAL] = "wrong_deal",
        [ENG_VERDICT_WRONG_POSITION] = "wrong_position",
        [ENG_VERDICT_ILLEGAL_MOVE] = "illegal_move",
        [ENG_VERDICT_WRONG_SCORE] = "wrong_score",
        [ENG_VERDICT_TOO_LONG] = "too_long",
        [ENG_VERDICT_WRONG_SESSION] = "wrong_session",
    };
    ASSERT((size_t)code < ARRAY_LEN(names));
    return names[code];
}

void eng_verdict_blame(const struct eng_verdict *v, struct buf *out)
{
    ASSERT(v->text != NULL);
    if (v->header != NULL) {
        buf_str(out, "Header ");
        buf_str(out, v->header);
        if (v->number != ENG_NO_SEAT)
            buf_int(out, v->number);
        if (v->seat != ENG_NO_SEAT) {
            buf_str(out, " of seat ");
            buf_int(out, v->seat);
        }
        for (int i = 0; i < v->cards_n; i++) {
            char name[ENG_CARD_NAME_MAX];
            buf_str(out, i == 0 ? ", card " : " ");
            buf_put(out, name, (size_t)eng_card_name(name, v->cards[i]));
        }
        buf_str(out, ": ");
    }
    buf_str(out, v->text);
}

void eng_verdict_format(const struct eng_verdict *v, struct buf *out)
{
    ASSERT(v->code != ENG_VERDICT_OK);
    eng_verdict_blame(v, out);
    if (v->stated[0] == '\0' && v->real[0] == '\0')
        return;
    buf_str(out, " The record has ");
    buf_str(out, v->stated[0] != '\0' ? v->stated : "nothing");
    buf_str(out, "; the game has ");
    buf_str(out, v->real[0] != '\0' ? v->real : "nothing");
    buf_str(out, ".");
}

/* ---- Recorded and actual values ---- */

static void put_text(char value[ENG_VERDICT_VALUE_MAX], const char *text)
{
    struct buf b = buf_on(value, ENG_VERDICT_VALUE_MAX - 1);
    buf_str(&b, text);
    value[b.len] = '\0';
}

void eng_verdict_put_number(char value[ENG_VERDICT_VALUE_MAX], int64_t number)
{
    struct buf b = buf_on(value, ENG_VERDICT_VALUE_MAX - 1);
    buf_int(&b, number);
    value[b.len] = '\0';
}

/* A seat, or "-" for none. */
void eng_verdict_put_seat(char value[ENG_VERDICT_VALUE_MAX], uint8_t seat)
{
    put_text(value, "-");
    if (seat != ENG_NO_SEAT)
        eng_verdict_put_number(value, seat);
}

void eng_verdict_put_cards(char value[ENG_VERDICT_VALUE_MAX], const uint8_t *cards, int n)
{
    struct buf b = buf_on(value, ENG_VERDICT_VALUE_MAX - 1);
    for (int i = 0; i < n; i++) {
        char name[ENG_CARD_NAME_MAX];
        buf_put(&b, " ", i > 0);
        buf_put(&b, name, (size_t)eng_card_name(name, cards[i]));
    }
    value[b.len] = '\0';
}

void eng_verdict_put_hand(char value[ENG_VERDICT_VALUE_MAX], const struct eng_cards *hand)
{
    uint8_t cards[ENG_CARD_MAX];
    eng_verdict_put_cards(value, cards, eng_cards_list(hand, cards));
}

/* Formats a score like its line in a record. */
void eng_verdict_put_score(char value[ENG_VERDICT_VALUE_MAX], const struct eng_record_score *score)
{
    struct buf b = buf_on(value, ENG_VERDICT_VALUE_MAX - 1);
    buf_str(&b, "place ");
    buf_int(&b, score->place);
    buf_str(&b, " points ");
    buf_int(&b, score->points);
    buf_str(&b, " cards ");
    buf_int(&b, score->cards);
    for (int i = 0; i < RECORD_FLAGS; i++) {
        buf_put(&b, " ", (score->flags >> i & 1) != 0);
        buf_str(&b, (score->flags >> i & 1) != 0 ? eng_record_flags[i] : "");
    }
    value[b.len] = '\0';
}

/* "out 0 rummy", as in the line `result` */
void eng_verdict_put_ending(char value[ENG_VERDICT_VALUE_MAX], const struct eng_record_result *result)
{
    char seat[ENG_VERDICT_VALUE_MAX];
    struct buf b = buf_on(value, ENG_VERDICT_VALUE_MAX - 1);
    eng_verdict_put_seat(seat, result->winner);
    buf_str(&b, eng_record_endings[result->ending]);
    buf_str(&b, " ");
    buf_str(&b, seat);
    buf_str(&b, result->rummy ? " rummy" : "");
    value[b.len] = '\0';
}
