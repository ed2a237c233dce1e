/* See vector.h. A vector is `vector TITLE`, the headers of a position, and lines that are played and checked
 * as they are parsed. Called by `rummyd vectors`; input is untrusted. */
#include "engine/record/vector.h"

#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/record/heads.h"
#include "engine/record/parse.h"
#include "engine/record/text.h"
#include "engine/record/vector_grouping.h"
#include "engine/record/vector_text.h"

enum { VALUES_TEXT_MAX = 96 };

/* A running vector. */
struct run {
    struct eng_lex lex;
    size_t at; /* start of the line */
    struct eng_record record;
    struct eng_step step; /* memory that a record needs */
    struct eng_game game;
    struct eng_outcome out; /* of the last move */
    struct eng_vector vector;
};

static void fail(struct run *run, const char *what, const char *stated, const char *real)
{
    eng_vector_fail(&run->lex, &run->vector, run->at, what, stated, real);
}

/* ---- Cards ---- */

static void compare_cards(struct run *run, const char *what, const uint8_t *stated, int stated_n,
                          const uint8_t *real, int real_n)
{
    char a[CARDS_TEXT_MAX], b[CARDS_TEXT_MAX];
    eng_vector_cards_text(a, stated, stated_n);
    eng_vector_cards_text(b, real, real_n);
    if (strcmp(a, b) != 0)
        fail(run, what, a, b);
}

/* Cards up to the end of the line, possibly none. */
static bool read_cards(struct eng_lex *lex, uint8_t cards[ENG_CARD_MAX], int *n)
{
    *n = 0;
    return !eng_lex_try(lex, " ") || eng_lex_cards(lex, cards, ENG_CARD_MAX, n);
}

/* ---- Lines ---- */

/* "0 stock 4S1, lay 5S1 m0, throw 9D1": these moves are legal, one after another. */
static bool moves_line(struct run *run, uint8_t seat)
{
    struct eng_lex *lex = &run->lex;
    do {
        struct eng_step step;
        run->at = lex->at;
        if (!eng_record_parse_step(lex, &run->record, seat, &step))
            return false;
        if (run->vector.wrong[0] != '\0')
            continue;
        if (eng_apply(&run->game, &step.move, &run->out) != ENG_OK) {
            fail(run, "a legal move", eng_record_actions[step.move.type], eng_refusal_name(run->out.code));
            continue;
        }
        eng_check(&run->game);
        uint8_t shown = eng_record_shown(&step.move, &run->out);
        compare_cards(run, "the card shown", &step.card, step.card != ENG_NO_CARD, &shown,
                      shown != ENG_NO_CARD);
    } while (eng_lex_try(lex, ", "));
    return true;
}

/* "refused must_open_first [9H1] by 0 lay 9H1 m0": the move is refused and changes nothing. "refused any by
 * …": with any code. */
static bool refused_line(struct run *run)
{
    struct eng_lex *lex = &run->lex;
    uint8_t cards[ENG_CARD_MAX], seat;
    int n = 0;
    struct eng_step step;
    struct eng_game before = run->game;
    bool any = eng_lex_try(lex, "any");
    int code = any ? ENG_OK : eng_vector_refusal_named(lex);
    if (code < 0 ||
        (eng_lex_try(lex, " [") && (!eng_lex_cards(lex, cards, ENG_CARD_MAX, &n) || !eng_lex_word(lex, "]"))))
        return false;
    bool blamed = n > 0;
    if (!eng_lex_word(lex, " by ") || !eng_lex_seat(lex, run->record.players, &seat) ||
        !eng_lex_word(lex, " ") || !eng_record_parse_step(lex, &run->record, seat, &step))
        return false;
    if (run->vector.wrong[0] != '\0')
        return true;
    enum eng_refusal real = eng_apply(&run->game, &step.move, &run->out);
    if (any ? real == ENG_OK : (int)real != code)
        fail(run, "a refusal", any ? "any" : eng_refusal_name((enum eng_refusal)code),
             eng_refusal_name(real));
    else if (memcmp(&before, &run->game, sizeof before) != 0)
        fail(run, "a refusal that changes nothing", NULL, NULL);
    else if (blamed)
        compare_cards(run, "the cards at fault", cards, n, run->out.refused, run->out.refused_n);
    return true;
}

/* The numbers of the last move's events of this type; "none" if there is no such event. */
static void event_numbers(const struct run *run, int type, char text[VALUES_TEXT_MAX])
{
    struct buf b = buf_on(text, VALUES_TEXT_MAX - 1);
    for (int i = 0; i < run->out.events_n; i++) {
        if (run->out.events[i].type != type)
            continue;
        buf_put(&b, " ", b.len > 0);
        buf_int(&b, eng_event_number(&run->out.events[i]));
    }
    if (b.len == 0)
        buf_str(&b, "none");
    text[b.len] = '\0';
}

static void compare_event(struct run *run, int type, const char *name, bool valued, int64_t value)
{
    char stated[VALUES_TEXT_MAX], real[VALUES_TEXT_MAX];
    bool there = false, same = false;
    ASSERT(type > 0 && type < ENG_EV_TYPE_END);
    for (int i = 0; i < run->out.events_n; i++) {
        there |= run->out.events[i].type == type;
        same |= run->out.events[i].type == type && eng_event_number(&run->out.events[i]) == value;
    }
    if (there && (same || !valued))
        return;
    struct buf b = buf_on(stated, sizeof stated - 1);
    buf_str(&b, name);
    buf_put(&b, " ", valued);
    if (valued)
        buf_int(&b, value);
    stated[b.len] = '\0';
    event_numbers(run, type, real);
    fail(run, "an event of the last move", stated, real);
}

/* "event opened 40": the last move caused this event, with this value if one is given. */
static bool event_line(struct run *run)
{
    struct eng_lex *lex = &run->lex;
    const char *names[ENG_EV_TYPE_END] = {NULL};
    for (int type = 1; type < ENG_EV_TYPE_END; type++)
        names[type] = eng_event_name((enum eng_event_type)type);
    int type = eng_lex_one_of(lex, names, ENG_EV_TYPE_END, "the name of an event");
    int64_t value = 0;
    bool valued = type >= 0 && eng_lex_try(lex, " ");
    if (type < 0 || (valued && !eng_lex_number(lex, -9999, 9999, &value, "the event's number")))
        return false;
    if (run->vector.wrong[0] == '\0')
        compare_event(run, type, names[type], valued, value);
    return true;
}

static bool pile_line(struct run *run, const char *what, const uint8_t *pile, int n, bool top_first)
{
    uint8_t stated[ENG_CARD_MAX], real[ENG_CARD_MAX];
    int stated_n;
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    if (!read_cards(&run->lex, stated, &stated_n))
        return false;
    for (int i = 0; i < n; i++)
        real[i] = pile[top_first ? n - 1 - i : i];
    compare_cards(run, what, stated, stated_n, real, n);
    return true;
}

/* "hand 0 2C1 3C1", in ascending card order. */
static bool hand_line(struct run *run)
{
    uint8_t seat, cards[ENG_CARD_MAX];
    if (!eng_lex_seat(&run->lex, run->record.players, &seat))
        return false;
    int n = eng_cards_list(&run->game.hand[seat], cards);
    return pile_line(run, "the hand", cards, n, false);
}

static bool meld_line(struct run *run)
{
    int64_t id = 0;
    if (!eng_lex_number(&run->lex, 0, ENG_MELD_MAX - 1, &id, "the number of a meld"))
        return false;
    return pile_line(run, "the meld", run->game.melds[id].cards, run->game.melds[id].n, false);
}

static void numbers_text(char text[VALUES_TEXT_MAX], const int64_t *numbers, int n)
{
    struct buf b = buf_on(text, VALUES_TEXT_MAX - 1);
    for (int i = 0; i < n; i++) {
        buf_put(&b, " ", i > 0);
        buf_int(&b, numbers[i]);
    }
    text[b.len] = '\0';
}

/* "totals 25 0 0 0", "bonus 25 0 0 0" */
static bool numbers_line(struct run *run, const char *what, const int32_t *real)
{
    char a[VALUES_TEXT_MAX], b[VALUES_TEXT_MAX];
    int64_t stated[ENG_SEAT_MAX] = {0}, got[ENG_SEAT_MAX] = {0};
    ASSERT(run->record.players <= ENG_SEAT_MAX);
    for (int seat = 0; seat < run->record.players; seat++) {
        if ((seat > 0 && !eng_lex_word(&run->lex, " ")) ||
            !eng_lex_number(&run->lex, -999999, 999999, &stated[seat], "a number for each seat"))
            return false;
        got[seat] = real[seat];
    }
    numbers_text(a, stated, run->record.players);
    numbers_text(b, got, run->record.players);
    if (strcmp(a, b) != 0)
        fail(run, what, a, b);
    return true;
}

/* "over 0 2": the session is over, with these winners; or "on". */
static void session_text(char text[VALUES_TEXT_MAX], bool over, uint8_t winners)
{
    struct buf b = buf_on(text, VALUES_TEXT_MAX - 1);
    buf_str(&b, over ? "over" : "on");
    for (int seat = 0; over && seat < ENG_SEAT_MAX; seat++) {
        if ((winners >> seat & 1) == 0)
            continue;
        buf_str(&b, " ");
        buf_int(&b, seat);
    }
    text[b.len] = '\0';
}

/* "session over 0 2": the session is over, with these winners; "session on". */
static bool session_line(struct run *run)
{
    char stated[VALUES_TEXT_MAX], real[VALUES_TEXT_MAX];
    uint8_t winners = 0, seat;
    bool over = !eng_lex_try(&run->lex, "on");
    if (over && !eng_lex_word(&run->lex, "over"))
        return false;
    while (over && eng_lex_try(&run->lex, " ")) {
        if (!eng_lex_seat(&run->lex, run->record.players, &seat))
            return false;
        winners |= (uint8_t)(1 << seat);
    }
    struct eng_view view;
    eng_view(&run->game, ENG_SPECTATOR, &view);
    session_text(stated, over, winners);
    session_text(real, run->game.phase == ENG_SESSION_OVER, view.winners);
    if (run->game.ending == 0)
        fail(run, "the session", stated, "a hand that is not over");
    else if (strcmp(stated, real) != 0)
        fail(run, "the session", stated, real);
    return true;
}

/* The lines with the result and scores, as in records. */
static bool result_lines(struct run *run)
{
    struct eng_verdict verdict = {.code = ENG_VERDICT_OK};
    run->record.result = (struct eng_record_result){.winner = ENG_NO_SEAT};
    if (!eng_record_parse_result(&run->lex, &run->record))
        return false;
    struct eng_record_result real = eng_record_result_of(&run->game, &run->out);
    if (run->vector.wrong[0] == '\0' && !eng_record_compare(&run->record, &real, &verdict))
        fail(run, verdict.text, verdict.stated[0] != '\0' ? verdict.stated : NULL, verdict.real);
    return true;
}

static bool other_line(struct run *run)
{
    struct eng_lex *lex = &run->lex;
    uint8_t seat = 0;
    if (eng_lex_try(lex, "refused "))
        return refused_line(run);
    if (eng_lex_try(lex, "event "))
        return event_line(run);
    if (eng_lex_try(lex, "discard"))
        return pile_line(run, "the discard pile", run->game.discard, run->game.discard_n, false);
    if (eng_lex_try(lex, "stock"))
        return pile_line(run, "the stock", run->game.stock, run->game.stock_n, true);
    if (eng_lex_try(lex, "hand "))
        return hand_line(run);
    if (eng_lex_try(lex, "meld "))
        return meld_line(run);
    if (eng_lex_try(lex, "totals "))
        return numbers_line(run, "the totals", run->game.points);
    if (eng_lex_try(lex, "bonus "))
        return numbers_line(run, "the bonus", run->game.bonus);
    if (eng_lex_try(lex, "session "))
        return session_line(run);
    if (eng_lex_at_end(lex) || lex->text[lex->at] < '0' || lex->text[lex->at] > '9')
        return eng_lex_fail(lex, "a seat and its moves, or refused, event, discard, stock, hand, meld, "
                                 "totals, bonus, session, or result");
    return eng_lex_seat(lex, run->record.players, &seat) && eng_lex_word(lex, " ") && moves_line(run, seat);
}

/* ---- Vectors ---- */

static bool title_line(struct run *run)
{
    struct eng_lex *lex = &run->lex;
    char *title = run->vector.title;
    size_t n = 0;
    if (!eng_lex_word(lex, "vector "))
        return false;
    size_t start = lex->at;
    while (!eng_lex_at_end(lex) && !eng_lex_next_is(lex, '\n')) {
        unsigned char c = (unsigned char)lex->text[lex->at];
        if (n + 1 >= ENG_VECTOR_TITLE_MAX || c < ' ' || c == 127)
            break;
        title[n++] = lex->text[lex->at++];
    }
    bool whole = eng_lex_at_end(lex) || eng_lex_next_is(lex, '\n'), text = text_utf8_ok(title, n);
    title[whole && text ? n : 0] = '\0'; /* invalid text is not shown */
    if (!whole)
        return eng_lex_fail(lex, "a title of at most 119 bytes without control characters");
    if (!text) {
        lex->at = start;
        return eng_lex_fail(lex, "a title in UTF-8");
    }
    return eng_lex_word(lex, "\n");
}

static void fail_position(struct run *run, const struct eng_verdict *verdict)
{
    char text[ENG_VECTOR_WRONG_MAX];
    struct buf b = buf_on(text, sizeof text - 1);
    eng_verdict_blame(verdict, &b);
    text[b.len] = '\0';
    ASSERT(b.len > 0);
    fail(run, text, NULL, NULL);
}

/* false: the vector could not be run to its end; the reason is in the vector or the error. */
static bool run_one(struct run *run)
{
    struct eng_lex *lex = &run->lex;
    struct eng_verdict verdict;
    memset(&run->record, 0, sizeof run->record);
    run->record.steps = &run->step;
    run->record.steps_max = 1;
    run->vector = (struct eng_vector){0};
    run->at = lex->at;
    eng_lex_place(lex, lex->at, &run->vector.line, &run->vector.column);
    if (!title_line(run))
        return false;
    if (eng_lex_next_is(lex, 'w'))
        return eng_vector_grouping_run(lex, &run->vector);
    if (!eng_record_parse_heads(lex, &run->record))
        return false;
    if (!run->record.has_setup)
        return eng_lex_fail(lex, "Setup with the headers of a position");
    if (!eng_record_start(&run->record, &run->game, &verdict)) {
        fail_position(run, &verdict);
        return false;
    }
    run->out.events_n = 0;
    while (!eng_lex_at_end(lex) && !eng_lex_next_is(lex, '\n')) {
        run->at = lex->at;
        bool result = eng_lex_next_word_is(lex, "result ");
        if (result ? !result_lines(run) : !other_line(run) || !eng_lex_word(lex, "\n"))
            return false;
        eng_lex_skip_comments(lex);
    }
    return true;
}

/* Whether a new vector begins here. */
static bool next_vector(const struct eng_lex *lex)
{
    return lex->at > lex->mark && lex->text[lex->at - 1] == '\n' && eng_lex_next_word_is(lex, "vector ");
}

/* Skips a vector that cannot be run and continues with the next one. A malformed vector has failed. */
static void give_up(struct run *run)
{
    struct eng_lex *lex = &run->lex;
    struct eng_vector *v = &run->vector;
    if (lex->failed) {
        struct buf b = buf_on(v->wrong, sizeof v->wrong - 1);
        eng_record_error_format(lex->error, &b);
        v->wrong[b.len] = '\0';
        v->line = lex->error->line;
        v->column = lex->error->column;
    }
    lex->failed = false;
    ASSERT(v->wrong[0] != '\0');
    while (!eng_lex_at_end(lex) && !next_vector(lex)) {
        const char *end = memchr(lex->text + lex->at, '\n', lex->len - lex->at);
        lex->at = end == NULL ? lex->len : (size_t)(end - lex->text) + 1;
    }
}

size_t eng_vectors_run(const char *text, size_t len,
                       void (*report)(void *arg, const struct eng_vector *vector), void *arg)
{
    struct eng_record_error error = {0};
    struct run run = {.lex = {.text = text, .len = len, .error = &error, .trial = true}};
    ASSERT(report != NULL && (text != NULL || len == 0));
    for (;;) {
        eng_lex_skip_comments(&run.lex);
        if (eng_lex_at_end(&run.lex))
            return run.lex.counted;
        if (eng_lex_try(&run.lex, "\n"))
            continue;
        eng_lex_mark(&run.lex);
        if (!run_one(&run))
            give_up(&run);
        report(arg, &run.vector);
    }
}
