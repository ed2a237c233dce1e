/* See weigh.h. It shares deals, play, and worth with the master. */
#include "engine/bots/weigh.h"

#include <string.h>

#include "base/bug.h"
#include "engine/bots/bot.h"
#include "engine/bots/dice.h"

enum { MILLION = 1000000, UNIT = MILLION / MASTER_WORTH_MAX };

const char *eng_weigh_theme_name(enum eng_weigh_theme theme)
{
    static const char *const names[WEIGH_THEMES_N] = {[WEIGH_DISCARD] = "discard",
                                                      [WEIGH_DRAW] = "draw",
                                                      [WEIGH_OPEN] = "open",
                                                      [WEIGH_DECLARE] = "declare"};
    ASSERT(theme > 0 && theme < WEIGH_THEMES_N);
    return names[theme];
}

/* ---- Choices ---- */

static void add(struct eng_weigh *weigh, const struct eng_move *move, const char *name)
{
    ASSERT(weigh->n < WEIGH_CHOICES_MAX && strlen(name) < WEIGH_NAME_MAX);
    weigh->moves[weigh->n] = *move;
    memcpy(weigh->names[weigh->n++], name, strlen(name) + 1);
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

static void list_draws(struct eng_weigh *weigh, const struct eng_view *view)
{
    static const struct {
        enum eng_move_type type;
        const char *name;
    } draws[] = {{ENG_DRAW_STOCK, "stock"}, {ENG_DRAW_DISCARD, "discard"}, {ENG_DROP, "drop"}};

    weigh->theme = WEIGH_DRAW;
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++) {
        struct eng_move move = plain(view, draws[i].type);
        if ((weigh->master.legal.types >> draws[i].type & 1) != 0)
            add(weigh, &move, draws[i].name);
    }
}

/* Natural cards, only one of two twins, because twins are worth the same. */
static void list_discards(struct eng_weigh *weigh, const struct eng_view *view)
{
    const struct eng_legal *legal = &weigh->master.legal;

    weigh->theme = WEIGH_DISCARD;
    for (int type = 0; type < ENG_PACK_CARDS; type++) {
        for (int i = 0; i < legal->n; i++) {
            const struct eng_move *move = &legal->moves[i];
            char name[ENG_CARD_NAME_MAX];
            if (move->type != ENG_DISCARD || move->n != 1 || eng_is_joker(move->cards[0]) ||
                move->cards[0] % ENG_PACK_CARDS != type)
                continue;
            int len = eng_card_name(name, (uint8_t)type);
            name[len - 1] = '\0'; /* without the pack number */
            struct eng_move found = discard_of(view, move->cards[0]);
            add(weigh, &found, name);
            break;
        }
    }
}

/* Do it now, or discard the best card instead. */
static void list_now_or_later(struct eng_weigh *weigh, const struct eng_view *view,
                              const struct eng_move *now)
{
    uint8_t throws[ENG_HAND_MAX];
    bool opens = now->type == ENG_MELD;

    if (eng_master_throws(view, throws) == 0)
        return;
    struct eng_move later = discard_of(view, throws[0]);
    weigh->theme = opens ? WEIGH_OPEN : WEIGH_DECLARE;
    add(weigh, now, opens ? "open" : "declare");
    add(weigh, &later, opens ? "wait" : "play_on");
}

bool eng_weigh_ask(struct eng_weigh *weigh, const struct eng_view *view)
{
    struct eng_move move;
    uint64_t dice = 0;

    ASSERT(view->viewer < view->players);
    weigh->n = 0;
    eng_weigh_again(weigh);
    if (view->viewer != view->to_move || !eng_master_may_choose(view))
        return false;
    eng_legal(view, &weigh->master.legal);
    if (view->phase == ENG_TO_DRAW) {
        list_draws(weigh, view);
    } else {
        eng_bot_move(view, ENG_BOT_MASTER, &dice, &move);
        bool opens = move.type == ENG_MELD && !view->opened[view->viewer];
        if (opens || move.type == ENG_DECLARE)
            list_now_or_later(weigh, view, &move);
        else if (move.type == ENG_DISCARD && move.n == 1 && !eng_is_joker(move.cards[0]))
            list_discards(weigh, view);
    }
    if (weigh->n < 2)
        return false;
    eng_master_set_view(&weigh->master, view);
    return true;
}

int eng_weigh_find(const struct eng_weigh *weigh, const struct eng_move *move)
{
    for (int i = 0; i < weigh->n; i++) {
        const struct eng_move *choice = &weigh->moves[i];
        bool twin = choice->type != ENG_DISCARD || weigh->theme != WEIGH_DISCARD ||
                    (move->n == 1 && choice->cards[0] % ENG_PACK_CARDS == move->cards[0] % ENG_PACK_CARDS);
        if (choice->type == move->type && twin)
            return i;
    }
    return -1;
}

/* ---- Results ---- */

void eng_weigh_again(struct eng_weigh *weigh)
{
    weigh->deals = 0;
    memset(weigh->sum, 0, sizeof weigh->sum);
    memset(weigh->product, 0, sizeof weigh->product);
}

void eng_weigh_deals(struct eng_weigh *weigh, const struct eng_view *view, uint32_t deals, uint64_t *rng)
{
    ASSERT(weigh->n >= 2 && weigh->deals + deals <= WEIGH_DEALS_MAX);
    for (uint32_t deal = 0; deal < deals; deal++) {
        int64_t worth[WEIGH_CHOICES_MAX];
        eng_master_imagine(&weigh->master, view, rng);
        uint64_t dice = eng_bot_dice(rng);
        for (int i = 0; i < weigh->n; i++) {
            worth[i] = eng_master_play_on(&weigh->master, view->viewer, &weigh->moves[i], dice);
            weigh->sum[i] += worth[i];
            for (int k = 0; k <= i; k++)
                weigh->product[i][k] += worth[i] * worth[k];
        }
        weigh->deals++;
    }
}

void eng_weigh_order(const struct eng_weigh *weigh, int order[WEIGH_CHOICES_MAX])
{
    for (int i = 0; i < weigh->n; i++) {
        int at = i;
        for (; at > 0 && weigh->sum[order[at - 1]] < weigh->sum[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

int64_t eng_weigh_worth(const struct eng_weigh *weigh, int choice)
{
    ASSERT(choice >= 0 && choice < weigh->n && weigh->deals > 0);
    return weigh->sum[choice] * UNIT / weigh->deals;
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

int64_t eng_weigh_error(const struct eng_weigh *weigh, int a, int b)
{
    int high = a > b ? a : b, low = a > b ? b : a;
    int64_t n = weigh->deals, gain = weigh->sum[a] - weigh->sum[b];

    ASSERT(low >= 0 && high < weigh->n && n > 1);
    int64_t squared = weigh->product[a][a] - 2 * weigh->product[high][low] + weigh->product[b][b];
    int64_t spread = squared - gain * gain / n;
    ASSERT(spread >= 0);
    return root(spread * UNIT / n * UNIT / (n - 1));
}

bool eng_weigh_decides(const struct eng_weigh *weigh, const int *order, int errors)
{
    for (int i = 1; i < weigh->n; i++) {
        int64_t gain = eng_weigh_worth(weigh, order[0]) - eng_weigh_worth(weigh, order[i]);
        if (gain <= 0 || gain <= errors * eng_weigh_error(weigh, order[0], order[i]))
            return false;
    }
    return weigh->n > 1;
}
