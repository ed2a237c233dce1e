/* See puzzle_find.h. */
#include "server/cli/puzzle_find.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"
#include "engine/bots/dice.h"
#include "engine/puzzle/tags.h"

/* Each position has independent random streams. */
enum dice { DICE_POSITION = 1, DICE_SCREEN, DICE_CONFIRM, DICE_CHECK };

static uint64_t dice_of(uint64_t seed, enum dice use)
{
    uint64_t dice = seed ^ (uint64_t)use * UINT64_C(0xD1B54A32D192ED03);
    return eng_bot_dice(&dice);
}

/* ---- Evaluation ---- */

struct judged {
    int order[EVALUATE_CHOICES_MAX];
    int quick; /* index of a quick strong bot's choice; -1: not among the choices */
    int64_t lead;
};

static bool leads(const struct srv_puzzle_search *search, struct judged *judged, int errors)
{
    const struct eng_evaluation *evaluation = &search->evaluation;

    eng_evaluate_order(evaluation, judged->order);
    judged->lead =
        eng_evaluate_worth(evaluation, judged->order[0]) - eng_evaluate_worth(evaluation, judged->order[1]);
    return eng_evaluate_decides(evaluation, judged->order, errors);
}

static int quick_choice(const struct srv_puzzle_search *search)
{
    struct eng_move move;
    uint64_t dice = 0;

    eng_bot_move(&search->view, ENG_BOT_STRONG, &dice, &move);
    return eng_evaluate_find(&search->evaluation, &move);
}

/* If a quick bot finds the best choice and it leads by far, the position is too easy for a puzzle. Human
 * players also easily find the right pile and recognize a valid hand to declare. Variants with declarations
 * are an exception, because most of their decisions are about piles: there, a pile decision with a narrow
 * lead is kept. */
static bool is_plain(const struct srv_puzzle_search *search, const struct judged *judged)
{
    enum eng_evaluate_theme theme = search->evaluation.theme;
    bool declares = search->view.params->family == ENG_FAMILY_DECLARE;
    int64_t most = PUZZLE_TRIVIAL_GAIN;

    if (theme == EVALUATE_DECLARE || theme == EVALUATE_DRAW)
        most = declares && theme == EVALUATE_DRAW ? PUZZLE_CLOSE_GAIN : 0;
    return judged->quick == judged->order[0] && judged->lead > most;
}

/* A puzzle needs two independent samples that agree. */
static bool is_puzzle(struct srv_puzzle_search *search, uint64_t seed, struct judged *judged)
{
    struct eng_evaluation *evaluation = &search->evaluation;
    uint64_t dice = dice_of(seed, DICE_SCREEN), again = dice_of(seed, DICE_CONFIRM);

    eng_evaluate_deals(evaluation, &search->view, PUZZLE_GLANCE_DEALS, &dice);
    if (!leads(search, judged, 1))
        return false;
    eng_evaluate_deals(evaluation, &search->view, PUZZLE_SCREEN_DEALS - PUZZLE_GLANCE_DEALS, &dice);
    if (!leads(search, judged, EVALUATE_ERRORS) || judged->lead < PUZZLE_GAIN_MIN)
        return false;
    search->screened++;
    int best = judged->order[0];
    judged->quick = quick_choice(search);
    if (is_plain(search, judged)) {
        search->trivial++;
        return false;
    }
    eng_evaluate_reset(evaluation);
    eng_evaluate_deals(evaluation, &search->view, PUZZLE_CONFIRM_DEALS, &again);
    bool holds = leads(search, judged, EVALUATE_ERRORS) && judged->order[0] == best;
    search->unconfirmed += !holds;
    return holds;
}

/* ---- Data set lines ---- */

static void put_millionths(struct buf *b, const char *key, int64_t millionths)
{
    json_key(b, key);
    buf_fmt(b, "%lld.%06lld", (long long)(millionths / 1000000), (long long)(millionths % 1000000));
}

static void put_choices(struct buf *b, const struct eng_evaluation *evaluation, const int *order)
{
    json_key(b, "options");
    json_open(b, '[');
    for (int i = 0; i < evaluation->n; i++)
        json_text(b, evaluation->names[i]);
    json_close(b, ']');
    json_kv_text(b, "answer", evaluation->names[order[0]]);
    json_key(b, "choices");
    json_open(b, '[');
    for (int i = 0; i < evaluation->n; i++) {
        json_open(b, '{');
        json_kv_text(b, "choice", evaluation->names[order[i]]);
        put_millionths(b, "worth", eng_evaluate_worth(evaluation, order[i]));
        put_millionths(b, "error", eng_evaluate_error(evaluation, order[0], order[i]));
        json_close(b, '}');
    }
    json_close(b, ']');
    json_kv_num(b, "deals", evaluation->deals);
}

static void put_tags(struct buf *b, const struct srv_puzzle_search *search, const struct judged *judged)
{
    bool trap = judged->quick != judged->order[0];
    int tempting = trap && judged->quick >= 0 ? judged->quick : judged->order[1];
    unsigned tags = eng_puzzle_tags(&search->evaluation, &search->view, judged->order[0], tempting, trap);

    json_key(b, "tags");
    json_open(b, '[');
    for (int tag = 0; tag < PUZZLE_TAGS_N; tag++)
        if ((tags >> tag & 1) != 0)
            json_text(b, eng_puzzle_tag_name((enum eng_puzzle_tag)tag));
    json_close(b, ']');
}

static bool write_line(struct srv_puzzle_search *search, const struct judged *judged, uint32_t move,
                       struct srv_puzzle *puzzle)
{
    static char text[PUZZLE_LINE_MAX];
    const struct eng_record *position = &search->at.position;
    struct buf printed = buf_on(text, sizeof text - 1), b = buf_on(puzzle->line, sizeof puzzle->line - 1);

    eng_record_print(position, &printed);
    if (printed.full)
        return false;
    text[printed.len] = '\0';
    json_open(&b, '{');
    json_kv_text(&b, "variant", position->params.variant);
    json_kv_num(&b, "players", position->players);
    json_kv_num(&b, "seat", search->view.viewer);
    json_kv_text(&b, "theme", eng_evaluate_theme_name(search->evaluation.theme));
    put_tags(&b, search, judged);
    json_kv_text(&b, "position", text);
    put_choices(&b, &search->evaluation, judged->order);
    json_kv_num(&b, "hand", position->hand_no);
    json_kv_num(&b, "turn", search->at.turn);
    json_kv_num(&b, "move", move);
    json_close(&b, '}');
    puzzle->line[b.len] = '\0';
    puzzle->trap = judged->quick != judged->order[0];
    puzzle->theme = search->evaluation.theme;
    return !b.full;
}

/* ---- Searching ---- */

static bool check_step(struct srv_puzzle_search *search, const struct eng_record *hand, uint32_t step,
                       uint64_t seed, bool traps_only, struct srv_puzzle *puzzle)
{
    struct judged judged;

    if (!eng_imagine_moment(&search->at, hand, step, dice_of(seed, DICE_POSITION)))
        return false;
    eng_view(&search->at.game, eng_seat_to_move(&search->at.game), &search->view);
    if (!eng_evaluate_begin(&search->evaluation, &search->view))
        return false;
    search->moments++;
    if (!is_puzzle(search, seed, &judged) || (traps_only && judged.quick == judged.order[0]))
        return false;
    return write_line(search, &judged, step - search->at.first_step, puzzle);
}

struct moment {
    uint64_t lot;
    uint32_t step;
    int hand;
};

static int by_lot(const void *a, const void *b)
{
    uint64_t one = ((const struct moment *)a)->lot, other = ((const struct moment *)b)->lot;
    return (one > other) - (one < other);
}

/* Returns all positions of the game in an order that follows from the seed. The caller frees them. */
static struct moment *draw_lots(const struct srv_record_book *game, uint64_t seed, size_t *n)
{
    size_t all = 0;

    for (int hand = 0; hand < game->n; hand++)
        all += game->hands[hand].record.steps_n;
    struct moment *moments = calloc(all + 1, sizeof *moments);
    if (!moments)
        BUG("no memory for the positions of a game");
    *n = 0;
    for (int hand = 0; hand < game->n; hand++)
        for (uint32_t step = 0; step < game->hands[hand].record.steps_n; step++) {
            uint64_t dice = seed ^ ((uint64_t)hand << 32 | step);
            moments[(*n)++] = (struct moment){.lot = eng_bot_dice(&dice), .step = step, .hand = hand};
        }
    qsort(moments, *n, sizeof *moments, by_lot);
    return moments;
}

int srv_puzzle_find(struct srv_puzzle_search *search, const struct srv_record_book *game, uint64_t seed,
                    struct srv_puzzle found[PUZZLE_PER_GAME])
{
    size_t n = 0;
    int puzzles = 0;
    bool plain = false;
    struct moment *moments = draw_lots(game, seed, &n);
    uint64_t until = search->moments + PUZZLE_MOMENTS_MAX;

    for (size_t i = 0; i < n && puzzles < PUZZLE_PER_GAME && search->moments < until; i++) {
        const struct moment *at = &moments[i];
        const struct eng_record *hand = &game->hands[at->hand].record;
        if (!check_step(search, hand, at->step, at->lot, plain, &found[puzzles]))
            continue;
        plain = plain || !found[puzzles++].trap;
        search->found++;
    }
    free(moments);
    return puzzles;
}

enum srv_puzzle_verdict srv_puzzle_check(struct srv_puzzle_search *search, const char *position,
                                         const char *answer, uint32_t deals, uint64_t seed)
{
    struct eng_record *record = &search->at.position;
    struct eng_record_error error;
    struct eng_verdict verdict;
    struct judged judged;
    uint64_t dice = dice_of(seed, DICE_CHECK);

    eng_record_init(record, eng_params_at(0), 2, search->at.steps, IMAGINED_STEPS_MAX);
    if (!eng_record_parse(record, position, strlen(position), &error) ||
        !eng_record_end(record, &search->at.game, &verdict) ||
        eng_seat_to_move(&search->at.game) == ENG_NO_SEAT)
        return PUZZLE_UNREADABLE;
    eng_view(&search->at.game, eng_seat_to_move(&search->at.game), &search->view);
    if (!eng_evaluate_begin(&search->evaluation, &search->view))
        return PUZZLE_UNREADABLE;
    eng_evaluate_deals(&search->evaluation, &search->view, deals, &dice);
    bool holds = leads(search, &judged, EVALUATE_ERRORS);
    return holds && strcmp(search->evaluation.names[judged.order[0]], answer) == 0 ? PUZZLE_HOLDS
                                                                                   : PUZZLE_DISPUTED;
}
