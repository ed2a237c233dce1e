/* See evaluate.h. Imagined deals, play, and outcome values are shared with master.c. */
#include "engine/bots/evaluate.h"

#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"
#include "engine/bots/dice.h"

enum { MILLION = 1000000, UNIT = MILLION / MASTER_WORTH_MAX };

const char *eng_evaluate_theme_name(enum eng_evaluate_theme theme)
{
    static const char *const names[EVALUATE_THEMES_N] = {[EVALUATE_DISCARD] = "discard",
                                                         [EVALUATE_DRAW] = "draw",
                                                         [EVALUATE_OPEN] = "open",
                                                         [EVALUATE_DECLARE] = "declare"};
    ASSERT(theme > 0 && theme < EVALUATE_THEMES_N);
    return names[theme];
}

/* ---- Choices ---- */

static void add(struct eng_evaluation *evaluation, const struct eng_move *move, const char *name)
{
    ASSERT(evaluation->n < EVALUATE_CHOICES_MAX && strlen(name) < EVALUATE_NAME_MAX);
    evaluation->moves[evaluation->n] = *move;
    memcpy(evaluation->names[evaluation->n++], name, strlen(name) + 1);
}

static struct eng_move plain(const struct eng_view *view, enum eng_move_type type)
{
    return (struct eng_move){.type = (uint8_t)type, .seat = view->viewer, .meld = ENG_NO_MELD};
}

static struct eng_move discard_of(const struct eng_view *view, uint8_t card)
{
    struct eng_move move = plain(view, ENG_DISCARD);
    move.n = 1;
    move.cards[0] = card;
    return move;
}

static void list_draws(struct eng_evaluation *evaluation, const struct eng_view *view)
{
    static const struct {
        enum eng_move_type type;
        const char *name;
    } draws[] = {{ENG_DRAW_STOCK, "stock"}, {ENG_DRAW_DISCARD, "discard"}, {ENG_DROP, "drop"}};

    evaluation->theme = EVALUATE_DRAW;
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++) {
        struct eng_move move = plain(view, draws[i].type);
        if ((evaluation->master.legal.types >> draws[i].type & 1) != 0)
            add(evaluation, &move, draws[i].name);
    }
}

/* Lists natural cards, and only one of two identical cards, because both have the same worth. */
static void list_discards(struct eng_evaluation *evaluation, const struct eng_view *view)
{
    const struct eng_legal *legal = &evaluation->master.legal;

    evaluation->theme = EVALUATE_DISCARD;
    for (int type = 0; type < ENG_PACK_CARDS; type++) {
        for (int i = 0; i < legal->n; i++) {
            const struct eng_move *move = &legal->moves[i];
            char name[ENG_CARD_NAME_MAX];
            if (move->type != ENG_DISCARD || move->n != 1 || eng_is_joker(move->cards[0]) ||
                move->cards[0] % ENG_PACK_CARDS != type)
                continue;
            int len = eng_card_name(name, (uint8_t)type);
            name[len - 1] = '\0'; /* omits the pack number */
            struct eng_move found = discard_of(view, move->cards[0]);
            add(evaluation, &found, name);
            break;
        }
    }
}

/* Two choices: do it now, or discard the best card instead. */
static void list_now_or_later(struct eng_evaluation *evaluation, const struct eng_view *view,
                              const struct eng_move *now)
{
    uint8_t throws[ENG_HAND_MAX];
    bool opens = now->type == ENG_MELD;

    if (eng_master_throws(view, throws) == 0)
        return;
    struct eng_move later = discard_of(view, throws[0]);
    evaluation->theme = opens ? EVALUATE_OPEN : EVALUATE_DECLARE;
    add(evaluation, now, opens ? "open" : "declare");
    add(evaluation, &later, opens ? "wait" : "play_on");
}

bool eng_evaluate_begin(struct eng_evaluation *evaluation, const struct eng_view *view)
{
    struct eng_move move;
    uint64_t dice = 0;

    ASSERT(view->viewer < view->players);
    evaluation->n = 0;
    eng_evaluate_reset(evaluation);
    if (view->viewer != view->to_move || !eng_master_may_choose(view))
        return false;
    eng_legal(view, &evaluation->master.legal);
    if (view->phase == ENG_TO_DRAW) {
        list_draws(evaluation, view);
    } else {
        eng_bot_move(view, ENG_BOT_MASTER, &dice, &move);
        bool opens = move.type == ENG_MELD && !view->opened[view->viewer];
        if (opens || move.type == ENG_DECLARE)
            list_now_or_later(evaluation, view, &move);
        else if (move.type == ENG_DISCARD && move.n == 1 && !eng_is_joker(move.cards[0]))
            list_discards(evaluation, view);
    }
    if (evaluation->n < 2)
        return false;
    eng_master_set_view(&evaluation->master, view);
    return true;
}

int eng_evaluate_find(const struct eng_evaluation *evaluation, const struct eng_move *move)
{
    for (int i = 0; i < evaluation->n; i++) {
        const struct eng_move *choice = &evaluation->moves[i];
        bool twin = choice->type != ENG_DISCARD || evaluation->theme != EVALUATE_DISCARD ||
                    (move->n == 1 && choice->cards[0] % ENG_PACK_CARDS == move->cards[0] % ENG_PACK_CARDS);
        if (choice->type == move->type && twin)
            return i;
    }
    return -1;
}

/* ---- Results ---- */

void eng_evaluate_reset(struct eng_evaluation *evaluation)
{
    evaluation->deals = 0;
    memset(evaluation->sum, 0, sizeof evaluation->sum);
    memset(evaluation->product, 0, sizeof evaluation->product);
}

void eng_evaluate_deals(struct eng_evaluation *evaluation, const struct eng_view *view, uint32_t deals,
                        uint64_t *rng)
{
    ASSERT(evaluation->n >= 2 && evaluation->deals + deals <= EVALUATE_DEALS_MAX);
    for (uint32_t deal = 0; deal < deals; deal++) {
        int64_t worth[EVALUATE_CHOICES_MAX];
        eng_master_imagine(&evaluation->master, view, rng);
        uint64_t dice = eng_bot_dice(rng);
        for (int i = 0; i < evaluation->n; i++) {
            worth[i] = eng_master_play_on(&evaluation->master, view->viewer, &evaluation->moves[i], dice);
            evaluation->sum[i] += worth[i];
            for (int k = 0; k <= i; k++)
                evaluation->product[i][k] += worth[i] * worth[k];
        }
        evaluation->deals++;
    }
}

void eng_evaluate_order(const struct eng_evaluation *evaluation, int order[EVALUATE_CHOICES_MAX])
{
    for (int i = 0; i < evaluation->n; i++) {
        int at = i;
        for (; at > 0 && evaluation->sum[order[at - 1]] < evaluation->sum[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

int64_t eng_evaluate_worth(const struct eng_evaluation *evaluation, int choice)
{
    ASSERT(choice >= 0 && choice < evaluation->n && evaluation->deals > 0);
    return evaluation->sum[choice] * UNIT / evaluation->deals;
}

/* The integer square root. */
static int64_t root(int64_t square)
{
    int64_t low = 0, high = INT64_C(3037000499);

    ASSERT(square >= 0);
    while (low < high) {
        int64_t middle = high - (high - low) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int64_t eng_evaluate_error(const struct eng_evaluation *evaluation, int a, int b)
{
    int high = a > b ? a : b, low = a > b ? b : a;
    int64_t n = evaluation->deals, gain = evaluation->sum[a] - evaluation->sum[b];

    ASSERT(low >= 0 && high < evaluation->n && n > 1);
    int64_t squared =
        evaluation->product[a][a] - 2 * evaluation->product[high][low] + evaluation->product[b][b];
    int64_t spread = squared - gain * gain / n;
    ASSERT(spread >= 0);
    return root(spread * UNIT / n * UNIT / (n - 1));
}

bool eng_evaluate_decides(const struct eng_evaluation *evaluation, const int *order, int errors)
{
    for (int i = 1; i < evaluation->n; i++) {
        int64_t gain = eng_evaluate_worth(evaluation, order[0]) - eng_evaluate_worth(evaluation, order[i]);
        if (gain <= 0 || gain <= errors * eng_evaluate_error(evaluation, order[0], order[i]))
            return false;
    }
    return evaluation->n > 1;
}
