/* Parses the turns and the result of a record, and the whole record; heads.c parses the headers. Strict: it
 * accepts only what the printer would have written, apart from comments and the order of headers. Input is
 * untrusted. Called by `rummyd verify` and tests. */
#include "engine/record/parse.h"

#include <string.h>

#include "base/bug.h"
#include "engine/record/between.h"
#include "engine/record/heads.h"
#include "engine/record/text.h"

/* ---- Turns ---- */

static bool parse_meld_id(struct eng_lex *lex, uint8_t *id)
{
    int64_t value = 0;
    ASSERT(id != NULL);
    if (!eng_lex_word(lex, "m") || !eng_lex_number(lex, 0, ENG_MELD_MAX - 1, &value, "the number of a meld"))
        return false;
    *id = (uint8_t)value;
    return true;
}

static bool parse_shown_card(struct eng_lex *lex, uint8_t *card)
{
    ASSERT(card != NULL);
    if (!eng_lex_word(lex, " "))
        return false;
    if (eng_lex_try(lex, "-")) {
        *card = ENG_NO_CARD;
        return true;
    }
    return eng_lex_card(lex, card);
}

static bool parse_card_list(struct eng_lex *lex, struct eng_move *m)
{
    int n = 0;
    ASSERT(m->n == 0);
    if (!eng_lex_word(lex, " ") || !eng_lex_cards(lex, m->cards, ENG_MOVE_CARDS_MAX, &n))
        return false;
    m->n = (uint8_t)n;
    return true;
}

static bool parse_touch(struct eng_lex *lex, struct eng_move *m)
{
    ASSERT(m->type == ENG_LAY_OFF || m->type == ENG_SWAP);
    m->n = 1;
    if (!eng_lex_word(lex, " ") || !eng_lex_card(lex, &m->cards[0]) || !eng_lex_word(lex, " ") ||
        !parse_meld_id(lex, &m->meld))
        return false;
    if (m->type == ENG_SWAP) {
        if (!eng_lex_try(lex, " "))
            return true;
        m->n = 2;
        return eng_lex_card(lex, &m->cards[1]);
    }
    if (eng_lex_try(lex, " low"))
        m->end = ENG_END_LOW;
    else if (eng_lex_try(lex, " high"))
        m->end = ENG_END_HIGH;
    return true;
}

static bool parse_declare(struct eng_lex *lex, struct eng_move *m)
{
    ASSERT(m->type == ENG_DECLARE);
    int groups_max = lex->trial ? ENG_GROUPING_CARDS : ENG_GROUPS_MAX;
    return eng_lex_word(lex, " ") &&
           eng_lex_groups(lex, ENG_GROUPING_CARDS, groups_max, m->cards, &m->n, m->lens, &m->groups) &&
           eng_lex_word(lex, " finish ") && eng_lex_card(lex, &m->cards[m->n++]);
}

static bool parse_group(struct eng_lex *lex, struct eng_move *m)
{
    ASSERT(m->type == ENG_GROUP);
    if (!eng_lex_word(lex, " "))
        return false;
    if (!eng_lex_try(lex, "-") &&
        !eng_lex_groups(lex, ENG_GROUPING_CARDS, ENG_GROUPS_MAX, m->cards, &m->n, m->lens, &m->groups))
        return false;
    m->end = eng_lex_try(lex, " done");
    return true;
}

bool eng_record_parse_step(struct eng_lex *lex, const struct eng_record *r, uint8_t seat,
                           struct eng_step *step)
{
    struct eng_move *m = &step->move;
    size_t start = lex->at;
    int type =
        eng_lex_one_of(lex, eng_record_actions, ENG_MOVE_TYPE_END,
                       "an action: stock take cancel meld back lay swap throw time-out leave return flip "
                       "declare group drop rejoin close");
    if (type < 0)
        return false;
    ASSERT(type > 0 && type < ENG_MOVE_TYPE_END);
    *step = (struct eng_step){.move = {.type = (uint8_t)type, .seat = seat, .meld = ENG_NO_MELD},
                              .card = ENG_NO_CARD};
    if (seat == ENG_NO_SEAT && !record_of_no_turn(m)) {
        lex->at = start;
        return eng_lex_fail(lex, "leave, return, or close, because the line names no seat");
    }
    switch (m->type) {
    case ENG_DRAW_STOCK:
    case ENG_DRAW_DISCARD:
    case ENG_TIME_OUT:
        return parse_shown_card(lex, &step->card);
    case ENG_MELD:
    case ENG_DISCARD:
        return parse_card_list(lex, m);
    case ENG_LAY_OFF:
    case ENG_SWAP:
        return parse_touch(lex, m);
    case ENG_DECLARE:
        return parse_declare(lex, m);
    case ENG_GROUP:
        return parse_group(lex, m);
    case ENG_CLOSE:
        m->seat = 0; /* the table's own move */
        return true;
    case ENG_TAKE_BACK:
        return !eng_lex_try(lex, " ") || parse_meld_id(lex, &m->meld);
    case ENG_LEAVE:
    case ENG_RETURN:
        return eng_lex_word(lex, " ") && eng_lex_seat(lex, r->players, &m->seat);
    default:
        return true;
    }
}

/* Parses "12. 3 stock 4C2, throw 9H1": the turn's number, seat, and actions. */
static bool parse_turn(struct eng_lex *lex, struct eng_record *r, uint32_t turn)
{
    int64_t number;
    uint8_t seat = ENG_NO_SEAT;
    bool mover = false, ended = false;
    if (!eng_lex_number(lex, turn, turn, &number, "the number of the next turn") || !eng_lex_word(lex, ". "))
        return false;
    if (!eng_lex_try(lex, "-") && !eng_lex_seat(lex, r->players, &seat))
        return false;
    if (!eng_lex_word(lex, " "))
        return false;
    do {
        if (ended)
            return eng_lex_fail(lex, "the end of the line, because the turn is over");
        if (r->steps_n == r->steps_max)
            return eng_lex_fail(lex, "fewer moves");
        struct eng_step *step = &r->steps[r->steps_n];
        if (!eng_record_parse_step(lex, r, seat, step))
            return false;
        r->steps_n++;
        ended = record_ends_turn(r, &step->move);
        mover |= !record_of_no_turn(&step->move);
    } while (eng_lex_try(lex, ", "));
    ASSERT(r->steps_n > 0);
    if (!mover && seat != ENG_NO_SEAT)
        return eng_lex_fail(lex, "a move of the seat named in this line");
    if (!eng_lex_word(lex, "\n"))
        return false;
    eng_lex_skip_comments(lex);
    return ended || eng_lex_at_end(lex) || eng_lex_next_is(lex, '\n') ||
           eng_lex_fail(lex, "an empty line, because only the last turn may be unfinished");
}

/* ---- Result ---- */

static bool parse_score(struct eng_lex *lex, struct eng_record *r, uint8_t seat)
{
    struct eng_record_score *score = &r->result.scores[seat];
    int64_t place, points, cards;
    uint8_t named = 0;
    ASSERT(seat < r->players);
    if (!eng_lex_word(lex, "score ") || !eng_lex_seat(lex, r->players, &named))
        return false;
    if (named != seat)
        return eng_lex_fail(lex, "the scores in the order of the seats");
    if (!eng_lex_word(lex, " place ") || !eng_lex_number(lex, 1, r->players, &place, "a place") ||
        !eng_lex_word(lex, " points ") || !eng_lex_number(lex, -9999, 9999, &points, "points") ||
        !eng_lex_word(lex, " cards ") || !eng_lex_number(lex, 0, ENG_HAND_MAX, &cards, "a number of cards"))
        return false;
    *score = (struct eng_record_score){
        .points = (int32_t)points, .place = (uint8_t)place, .cards = (uint8_t)cards};
    for (int i = 0; i < RECORD_FLAGS; i++) {
        size_t start = lex->at;
        if (eng_lex_try(lex, " ") && eng_lex_try(lex, eng_record_flags[i]))
            score->flags |= (uint8_t)(1 << i);
        else
            lex->at = start;
    }
    struct eng_grouping *made = &score->arranged;
    if (r->params.family == ENG_FAMILY_DECLARE && eng_lex_try(lex, " groups ") &&
        !eng_lex_groups(lex, ENG_GROUPING_CARDS, ENG_GROUPS_MAX, made->cards, &made->n, made->lens,
                        &made->groups))
        return false;
    return eng_lex_word(lex, "\n");
}

bool eng_record_parse_result(struct eng_lex *lex, struct eng_record *r)
{
    struct eng_record_result *result = &r->result;
    ASSERT(!result->finished);
    eng_lex_skip_comments(lex);
    if (!eng_lex_word(lex, "result "))
        return false;
    int ending = eng_lex_one_of(lex, eng_record_endings, ARRAY_LEN(eng_record_endings),
                                "out, no-cards, stalled, or last");
    if (ending < 0 || !eng_lex_word(lex, " "))
        return false;
    result->winner = ENG_NO_SEAT;
    if (!eng_lex_try(lex, "-") && !eng_lex_seat(lex, r->players, &result->winner))
        return false;
    result->ending = (uint8_t)ending;
    result->rummy = eng_lex_try(lex, " rummy");
    if (!eng_lex_word(lex, "\n"))
        return false;
    for (uint8_t seat = 0; seat < r->players; seat++)
        if (!parse_score(lex, r, seat))
            return false;
    result->finished = true;
    return true;
}

/* Parses one record, followed by the end of the text or, if others may follow, by an empty line. */
static bool parse_one(struct eng_lex *lex, struct eng_record *r, bool others)
{
    if (!eng_record_parse_heads(lex, r) || !eng_lex_word(lex, "\n"))
        return false;
    eng_lex_skip_comments(lex);
    for (uint32_t turn = 1; !eng_lex_at_end(lex) && !eng_lex_next_is(lex, '\n'); turn++)
        if (!parse_turn(lex, r, turn))
            return false;
    ASSERT(!lex->failed);
    if (eng_lex_at_end(lex) || (others && lex->at + 1 < lex->len && lex->text[lex->at + 1] == '['))
        return true;
    if (!eng_lex_word(lex, "\n") || !eng_record_parse_result(lex, r))
        return false;
    eng_lex_skip_comments(lex);
    if (!eng_record_parse_close(lex, r))
        return false;
    eng_lex_skip_comments(lex);
    return eng_lex_at_end(lex) || (others && eng_lex_next_is(lex, '\n')) ||
           eng_lex_fail(lex, "the end of the record");
}

static void forget(struct eng_record *r, struct eng_record_error *error)
{
    struct eng_step *steps = r->steps;
    uint32_t steps_max = r->steps_max;
    ASSERT(steps != NULL && error != NULL);
    *error = (struct eng_record_error){0};
    memset(r, 0, sizeof *r);
    r->steps = steps;
    r->steps_max = steps_max;
    r->result.winner = ENG_NO_SEAT;
}

bool eng_record_parse(struct eng_record *r, const char *text, size_t len, struct eng_record_error *error)
{
    struct eng_lex lex = {.text = text, .len = len, .error = error};
    ASSERT(text != NULL || len == 0);
    forget(r, error);
    return parse_one(&lex, r, false);
}

bool eng_record_parse_next(struct eng_record *r, const char *text, size_t len, size_t *at,
                           struct eng_record_error *error)
{
    struct eng_lex lex = {.text = text, .len = len, .at = *at, .error = error};
    ASSERT(*at <= len && (text != NULL || len == 0));
    forget(r, error);
    bool good = parse_one(&lex, r, true);
    while (good && eng_lex_next_is(&lex, '\n'))
        lex.at++;
    *at = lex.at;
    return good;
}
