/* See table.h. */
#include "tests/engine/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "engine/play/setup.h"
#include "engine/play/setup_check.h"

/* ---- Cards by name, without the copy number ---- */

/* The card with that name in the set: the exact one, either copy, or any joker. */
static uint8_t named_in(const struct eng_cards *set, const char *name, size_t len)
{
    uint8_t exact = eng_card_parse(name, len);
    if (exact != ENG_NO_CARD)
        return exact;
    char full[4] = {name[0], len > 1 ? name[1] : '1', '1', '\0'};
    for (int copy = 0; copy < (name[0] == 'X' ? ENG_JOKER_MAX : 2); copy++) {
        full[len] = (char)('1' + copy);
        uint8_t card = eng_card_parse(full, len + 1);
        cr_assert_neq(card, ENG_NO_CARD, "no card: %s", name);
        if (eng_cards_has(set, card))
            return card;
    }
    full[len] = '1';
    return eng_card_parse(full, len + 1);
}

static const char *next_word(const char *at, size_t *len)
{
    at += strspn(at, " ");
    *len = strcspn(at, " ,");
    return at;
}

/* Removes the named cards from the rest of the pack. */
static int claim_cards(struct eng_cards *left, const char *text, uint8_t *cards)
{
    int n = 0;
    size_t len;
    for (const char *at = text == NULL ? "" : text; *(at = next_word(at, &len)) != '\0'; at += len) {
        uint8_t card = named_in(left, at, len);
        cr_assert(eng_cards_has(left, card), "used twice: %s", at);
        eng_cards_remove(left, card);
        cards[n++] = card;
    }
    return n;
}

static void fill_hand(struct eng_cards *left, struct eng_cards *hand, int size)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = eng_cards_list(left, cards);
    for (int i = 0, taken = 0; i < n && taken < size; i++) {
        if (eng_is_joker(cards[i]))
            continue;
        eng_cards_remove(left, cards[i]);
        eng_cards_add(hand, cards[i]);
        taken++;
    }
}

static uint8_t seat_mask(const char *seats)
{
    uint8_t mask = 0;
    for (const char *at = seats == NULL ? "" : seats; *at != '\0'; at++)
        if (*at != ' ')
            mask |= (uint8_t)(1 << (*at - '0'));
    return mask;
}

/* Parses "5H 6H 7H | 9C 9D 9S" from the cards of a hand; stops at any other word, and returns its
 * position. */
static const char *read_groups(const char *at, struct eng_cards hand, uint8_t *cards, uint8_t *n,
                               uint8_t *lens, uint8_t *groups)
{
    size_t len;
    for (at = next_word(at, &len); len > 0; at = next_word(at + len, &len)) {
        if (*at == '|' || *at == '-')
            continue;
        if (*at >= 'a' || *at == '@')
            return at;
        bool first = *groups == 0 || at[-1] != ' ' || at[-2] == '|';
        uint8_t card = named_in(&hand, at, len);
        if (eng_cards_has(&hand, card))
            eng_cards_remove(&hand, card);
        *groups = (uint8_t)(*groups + first);
        cr_assert_leq(*groups, ENG_GROUPS_MAX);
        lens[*groups - 1]++;
        cards[(*n)++] = card;
    }
    return at;
}

/* The part that is specific to the declare family. */
static void set_up_declare(struct eng_setup *setup, const struct position *p, int players,
                           struct eng_cards *left)
{
    setup->has_wild = true;
    cr_assert_eq(claim_cards(left, p->wild == NULL ? "TC" : p->wild, &setup->wild), 1);
    setup->open_lies = p->open_lies;
    setup->picked = seat_mask(p->picked);
    setup->wrong = seat_mask(p->wrong);
    setup->done = seat_mask(p->done);
    setup->left = seat_mask(p->left);
    setup->away = seat_mask(p->away);
    setup->hand_no = (uint8_t)p->hand_no;
    setup->declarer = (uint8_t)p->declarer;
    if (p->shown)
        setup->phase = ENG_TO_GROUP;
    for (int seat = 0; seat < players; seat++) {
        setup->lost[seat] = (uint8_t)p->lost[seat];
        setup->missed[seat] = (uint8_t)p->missed[seat];
        setup->out_at[seat] = (uint8_t)p->out_at[seat];
        struct eng_setup_groups *to = &setup->groups[seat];
        if (p->groups[seat] != NULL)
            read_groups(p->groups[seat], setup->hand[seat], to->cards, &to->n, to->lens, &to->groups);
    }
}

void table_place(struct table *t, const struct position *p)
{
    static const uint8_t key[ENG_KEY_BYTES] = {1};
    const struct eng_params *params = p->params != NULL ? p->params : eng_params_find("rummy51");
    struct eng_setup setup = {.to_move = (uint8_t)p->to_move,
                              .phase = p->play ? ENG_TO_PLAY : ENG_TO_DRAW,
                              .rest_to_discard = p->rest_to_discard};
    int players = p->players == 0 ? 4 : p->players;
    struct eng_cards left = eng_cards_pack(params->packs, params->jokers);
    bool turns = p->round_1;
    for (int seat = 0; seat < players; seat++)
        turns |= p->turns[seat] != 0;
    for (int seat = 0; seat < players; seat++) {
        uint8_t cards[ENG_CARD_MAX];
        int n = claim_cards(&left, p->hands[seat], cards);
        for (int i = 0; i < n; i++)
            eng_cards_add(&setup.hand[seat], cards[i]);
        setup.turns[seat] = (uint16_t)(turns ? p->turns[seat] : 1);
    }
    for (; setup.melds_n < ENG_MELD_MAX && p->melds[setup.melds_n] != NULL; setup.melds_n++) {
        struct eng_setup_meld *meld = &setup.melds[setup.melds_n];
        meld->owner = (uint8_t)(p->melds[setup.melds_n][0] - '0');
        meld->n = (uint8_t)claim_cards(&left, p->melds[setup.melds_n] + 1, meld->cards);
        setup.opened |= (uint8_t)(1 << meld->owner);
    }
    for (const char *o = p->opened == NULL ? "" : p->opened; *o != '\0'; o++)
        if (*o != ' ')
            setup.opened |= (uint8_t)(1 << (*o - '0'));
    setup.discard_n = (uint8_t)claim_cards(&left, p->discard, setup.discard);
    setup.stock_n = (uint8_t)claim_cards(&left, p->stock, setup.stock);
    bool declare = params->family == ENG_FAMILY_DECLARE;
    if (declare)
        set_up_declare(&setup, p, players, &left);
    for (int seat = 0; seat < players; seat++)
        if (p->hands[seat] == NULL && !eng_seat_bit(eng_setup_sat_out(&setup, players), (uint8_t)seat))
            fill_hand(&left, &setup.hand[seat],
                      !declare ? 5 : 13 + (seat == setup.to_move && setup.phase == ENG_TO_PLAY));
    struct eng_setup_fault fault;
    cr_assert(eng_setup_place(&t->g, params, players, key, &setup, &fault), "position: %s", fault.text);
    for (int seat = 0; seat < players && p->totals != NULL; seat++)
        t->g.points[seat] = p->totals[seat];
    memset(&t->out, 0, sizeof t->out);
}

/* ---- Moves in words ---- */

static const struct {
    const char *word;
    enum eng_move_type type;
} words[] = {
    {"stock", ENG_DRAW_STOCK}, {"take", ENG_DRAW_DISCARD}, {"cancel", ENG_CANCEL_DRAW},
    {"meld", ENG_MELD},        {"back", ENG_TAKE_BACK},    {"lay", ENG_LAY_OFF},
    {"swap", ENG_SWAP},        {"throw", ENG_DISCARD},     {"time-out", ENG_TIME_OUT},
    {"leave", ENG_LEAVE},      {"return", ENG_RETURN},     {"flip", ENG_FLIP},
    {"declare", ENG_DECLARE},  {"group", ENG_GROUP},       {"drop", ENG_DROP},
    {"rejoin", ENG_REJOIN},    {"close", ENG_CLOSE},
};

/* The groups, then "finish KD" or "done". */
static void read_move_groups(struct eng_move *m, const char *at, struct eng_cards hand)
{
    size_t len;
    at = read_groups(at, hand, m->cards, &m->n, m->lens, &m->groups);
    m->end = m->type == ENG_GROUP && strncmp(at, "done", 4) == 0;
    if (strncmp(at, "finish", 6) != 0)
        return;
    at = next_word(at + 6, &len);
    for (int i = 0; i < m->n; i++)
        if (eng_cards_has(&hand, m->cards[i]))
            eng_cards_remove(&hand, m->cards[i]);
    m->cards[m->n++] = named_in(&hand, at, len);
}

static struct eng_move read_move(const struct table *t, const char *text)
{
    size_t len;
    const char *at = next_word(text, &len);
    struct eng_move m = {.seat = t->g.to_move, .meld = ENG_NO_MELD};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strlen(words[i].word) == len && strncmp(words[i].word, at, len) == 0)
            m.type = (uint8_t)words[i].type;
    cr_assert_neq(m.type, 0, "no move: %s", text);
    const char *seat = memchr(at, '@', strcspn(at, ","));
    if (seat != NULL)
        m.seat = (uint8_t)(seat[1] - '0');
    struct eng_cards hand = t->g.hand[m.seat];
    if (eng_move_has_groups(m.type)) {
        read_move_groups(&m, at + len, hand);
        return m;
    }
    for (at = next_word(at + len, &len); len > 0; at = next_word(at + len, &len)) {
        if (at[0] == 'm') {
            m.meld = (uint8_t)atoi(at + 1);
        } else if (len == 3 && strncmp(at, "low", len) == 0) {
            m.end = ENG_END_LOW;
        } else if (len == 4 && strncmp(at, "high", len) == 0) {
            m.end = ENG_END_HIGH;
        } else if (at[0] == '@') {
            continue;
        } else {
            uint8_t card = named_in(&hand, at, len);
            if (eng_cards_has(&hand, card))
                eng_cards_remove(&hand, card);
            m.cards[m.n++] = card;
        }
    }
    return m;
}

enum eng_refusal table_try(struct table *t, const char *move)
{
    struct eng_move m = read_move(t, move);
    enum eng_refusal code = eng_apply(&t->g, &m, &t->out);
    eng_check(&t->g);
    return code;
}

void table_do(struct table *t, const char *moves)
{
    for (const char *at = moves; at != NULL; at = strchr(at, ',') == NULL ? NULL : strchr(at, ',') + 1) {
        enum eng_refusal code = table_try(t, at);
        cr_assert_eq(code, ENG_OK, "refused (%s %s): %s", eng_refusal_name(code), table_blamed(t), at);
    }
}

void table_refuse(struct table *t, const char *move, enum eng_refusal code)
{
    struct eng_game before = t->g;
    enum eng_refusal got = table_try(t, move);
    cr_assert_eq(got, code, "%s: %s, not %s", move, eng_refusal_name(got), eng_refusal_name(code));
    cr_assert_eq(t->out.events_n, 0);
    cr_assert_eq(memcmp(&before, &t->g, sizeof before), 0, "%s changed the game", move);
}

/* ---- Inspection ---- */

static const char *list(const uint8_t *cards, int n)
{
    static char text[4][ENG_CARD_MAX * 4 + 1];
    static int which;
    char *out = text[which++ % 4];
    out[0] = '\0';
    for (int i = 0; i < n; i++) {
        char name[ENG_CARD_NAME_MAX];
        eng_card_name(name, cards[i]);
        strcat(out, i > 0 ? " " : "");
        strcat(out, name);
    }
    return out;
}

const char *table_blamed(const struct table *t)
{
    return list(t->out.refused, t->out.refused_n);
}

const struct eng_event *table_event(const struct table *t, enum eng_event_type type)
{
    for (int i = 0; i < t->out.events_n; i++)
        if (t->out.events[i].type == type)
            return &t->out.events[i];
    return NULL;
}

const char *table_hand(const struct table *t, int seat)
{
    uint8_t cards[ENG_CARD_MAX];
    return list(cards, eng_cards_list(&t->g.hand[seat], cards));
}

const char *table_discard(const struct table *t)
{
    return list(t->g.discard, t->g.discard_n);
}

const char *table_meld(const struct table *t, int id)
{
    return list(t->g.melds[id].cards, t->g.melds[id].n);
}
