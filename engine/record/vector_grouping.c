/* Vectors that only judge a grouping: a wild card, groups, and the expected judgment (docs/records.md,
 * "Groupings"). Input is untrusted. */
#include "engine/record/vector_grouping.h"

#include <string.h>

#include "base/bug.h"
#include "engine/core/grouping.h"
#include "engine/record/vector_text.h"
#include "engine/solver/arrange.h"

enum { POINTS_CAP = 80, LOOSE_HAND_MAX = ENG_HAND_MAX };

struct judged {
    struct eng_lex *lex;
    struct eng_vector *vector;
    size_t at; /* start of the line */
    struct eng_wild wild;
    bool grouped; /* a grouping was given */
    struct eng_grouping grouping;
    uint8_t hand_n; /* cards to be arranged */
    uint8_t hand[LOOSE_HAND_MAX];
};

static void fail(struct judged *j, const char *what, const char *stated, const char *real)
{
    eng_vector_fail(j->lex, j->vector, j->at, what, stated, real);
}

static void compare_points(struct judged *j, const char *what, int64_t stated, int real)
{
    char a[24], b[24];
    struct buf text_a = buf_on(a, sizeof a - 1), text_b = buf_on(b, sizeof b - 1);

    if (stated == real)
        return;
    buf_int(&text_a, stated);
    buf_int(&text_b, real);
    a[text_a.len] = b[text_b.len] = '\0';
    fail(j, what, a, b);
}

/* ---- Cards ---- */

/* Reads a card, which must not have been listed before. */
static bool read_card(struct eng_lex *lex, struct eng_cards *named, uint8_t *card)
{
    size_t at = lex->at;

    if (!eng_lex_card(lex, card))
        return false;
    if (eng_cards_has(named, *card)) {
        lex->at = at;
        return eng_lex_fail(lex, "each card only once");
    }
    eng_cards_add(named, *card);
    return true;
}

/* "2H1 3H1 4H1 | 5C1 6C1 QD1 / 2D1": groups, then ungrouped cards. */
static bool read_grouping(struct eng_lex *lex, struct eng_grouping *g)
{
    struct eng_cards named = {{0}};
    bool loose = eng_lex_try(lex, "/ ");

    *g = (struct eng_grouping){.groups = !loose};
    for (;;) {
        if (g->n == ENG_GROUPING_CARDS)
            return eng_lex_fail(lex, "at most 13 cards");
        if (!read_card(lex, &named, &g->cards[g->n]))
            return false;
        g->n++;
        if (!loose)
            g->lens[g->groups - 1]++;
        if (!eng_lex_try(lex, " "))
            return true;
        if (!loose && eng_lex_try(lex, "/ ")) {
            loose = true;
        } else if (!loose && eng_lex_try(lex, "| ")) {
            if (g->groups == ENG_GROUPING_GROUPS)
                return eng_lex_fail(lex, "at most four groups");
            g->groups++;
        }
    }
}

static bool read_hand(struct eng_lex *lex, struct judged *j)
{
    struct eng_cards named = {{0}};

    j->hand_n = 0;
    do {
        if (j->hand_n == LOOSE_HAND_MAX)
            return eng_lex_fail(lex, "at most 15 cards");
        if (!read_card(lex, &named, &j->hand[j->hand_n]))
            return false;
        j->hand_n++;
    } while (eng_lex_try(lex, " "));
    return true;
}

/* ---- Lines ---- */

/* "wild QD1 exact spoils": the card turned up, or none. */
static bool wild_line(struct judged *j)
{
    j->wild = (struct eng_wild){.card = ENG_NO_CARD, .natural_pure = true};
    if (!eng_lex_word(j->lex, "wild "))
        return false;
    if (!eng_lex_try(j->lex, "none") && !eng_lex_card(j->lex, &j->wild.card))
        return false;
    j->wild.exact = eng_lex_try(j->lex, " exact");
    j->wild.natural_pure = !eng_lex_try(j->lex, " spoils");
    return eng_lex_word(j->lex, "\n");
}

/* "group set 5C1 5D1 X1": how the group is interpreted. */
static bool group_line(struct judged *j)
{
    static const char *const kinds[] = {"none", "set", "sequence", "pure"};
    int kind = eng_lex_one_of(j->lex, kinds, ARRAY_LEN(kinds), "none, set, sequence, or pure");

    if (kind < 0 || !eng_lex_word(j->lex, " ") || !read_hand(j->lex, j))
        return false;
    enum eng_group_kind real = eng_group_judge(&j->wild, j->hand, j->hand_n);
    if ((int)real != kind)
        fail(j, "the kind of the group", kinds[kind], kinds[real]);
    j->hand_n = 0;
    return true;
}

/* "wrong set_repeats_suit [TS1 TS2]"; "valid" has no code. */
static bool verdict_line(struct judged *j, bool valid)
{
    uint8_t cards[ENG_CARD_MAX];
    char stated[CARDS_TEXT_MAX], real[CARDS_TEXT_MAX];
    struct eng_blame blame;
    int n = 0, code = valid ? ENG_OK : eng_vector_refusal_named(j->lex);

    if (code < 0)
        return false;
    bool blamed = !valid && eng_lex_try(j->lex, " [");
    if (blamed && (!eng_lex_cards(j->lex, cards, ENG_CARD_MAX, &n) || !eng_lex_word(j->lex, "]")))
        return false;
    enum eng_refusal found = eng_grouping_check(&j->wild, &j->grouping, &blame);
    if ((int)found != code) {
        fail(j, "the verdict", valid ? "valid" : eng_refusal_name((enum eng_refusal)code),
             found == ENG_OK ? "valid" : eng_refusal_name(found));
        return true;
    }
    eng_vector_cards_text(stated, cards, n);
    eng_vector_cards_text(real, blame.cards, blame.n);
    if (blamed && strcmp(stated, real) != 0)
        fail(j, "the cards at fault", stated, real);
    return true;
}

/* "best 35" or "best 0 KD1": the fewest points possible for the hand, without the finishing card if there
 * is one. */
static bool best_line(struct judged *j)
{
    struct eng_arrangement best;
    uint8_t finish = ENG_NO_CARD;
    char stated[ENG_CARD_NAME_MAX], real[ENG_CARD_NAME_MAX];
    int64_t points = 0;
    size_t at;

    if (!eng_lex_number(j->lex, 0, POINTS_CAP, &points, "the points"))
        return false;
    bool finishes = eng_lex_try(j->lex, " ");
    at = j->lex->at;
    if (finishes && !eng_lex_card(j->lex, &finish))
        return false;
    bool held = false;
    for (int i = 0; i < j->hand_n; i++)
        held |= j->hand[i] == finish;
    if (finishes && !held) {
        j->lex->at = at;
        return eng_lex_fail(j->lex, "a card of the hand");
    }
    if (finishes)
        eng_arrange_finish(&j->wild, j->hand, j->hand_n, &best);
    else
        eng_arrange(&j->wild, j->hand, j->hand_n, &best);
    compare_points(j, "the fewest points", points, best.points < POINTS_CAP ? best.points : POINTS_CAP);
    if (finish == best.finish)
        return true;
    (void)eng_card_name(stated, finish);
    (void)eng_card_name(real, best.finish);
    fail(j, "the finishing card", stated, real);
    return true;
}

static bool points_line(struct judged *j)
{
    int64_t points = 0;

    if (!eng_lex_number(j->lex, 0, POINTS_CAP, &points, "the points"))
        return false;
    compare_points(j, "the points", points, eng_grouping_points(&j->wild, &j->grouping, POINTS_CAP));
    return true;
}

static bool line(struct judged *j)
{
    struct eng_lex *lex = j->lex;

    if (eng_lex_try(lex, "group "))
        return group_line(j);
    if (eng_lex_try(lex, "grouping ")) {
        j->grouped = true;
        return read_grouping(lex, &j->grouping);
    }
    if (eng_lex_try(lex, "hand "))
        return read_hand(lex, j);
    if (j->hand_n > 0 && eng_lex_try(lex, "best "))
        return best_line(j);
    if (!j->grouped)
        return eng_lex_fail(lex, "group, grouping, hand, or best after a hand");
    if (eng_lex_try(lex, "valid"))
        return verdict_line(j, true);
    if (eng_lex_try(lex, "wrong "))
        return verdict_line(j, false);
    if (eng_lex_try(lex, "points "))
        return points_line(j);
    return eng_lex_fail(lex, "group, grouping, hand, valid, wrong, points, or best after a hand");
}

bool eng_vector_grouping_run(struct eng_lex *lex, struct eng_vector *vector)
{
    struct judged j = {.lex = lex, .vector = vector};

    if (!wild_line(&j))
        return false;
    do {
        j.at = lex->at;
        if (!line(&j) || !eng_lex_word(lex, "\n"))
            return false;
        eng_lex_skip_comments(lex);
    } while (!eng_lex_at_end(lex) && !eng_lex_next_is(lex, '\n'));
    return true;
}
