/* A table modeled from its viewers' frames; see model.h. */
#include "bench/model.h"

#include <stdio.h>
#include <string.h>

enum { FLAWS_PRINTED_MAX = 5, PRINTED_MAX = 300, PACK_N = 108, KNOWN_N = 8, KNOWN_TEXT_MAX = 192 };

uint64_t flaw_counts[FLAW_END];

const char *flaw_name(enum flaw flaw)
{
    static const char *const names[FLAW_END] = {
        [FLAW_BAD_FRAME] = "bad_frame", [FLAW_GAP] = "gap",   [FLAW_REPEAT] = "repeat",
        [FLAW_DIFFERS] = "differs",     [FLAW_LEAK] = "leak", [FLAW_CARDS] = "cards",
        [FLAW_ACK_EARLY] = "ack_early", [FLAW_LOST] = "lost", [FLAW_NACK] = "nack",
    };
    return names[flaw];
}

void flaw_note(enum flaw flaw, int64_t table_id, int seat, struct span text)
{
    if (flaw_counts[flaw]++ >= FLAWS_PRINTED_MAX)
        return;
    fprintf(stderr, "tableload: %s at table %lld seat %d: %.*s\n", flaw_name(flaw), (long long)table_id, seat,
            (int)(text.n > PRINTED_MAX ? PRINTED_MAX : text.n), text.at);
}

static bool parse(struct frame *f, const char *text, size_t len)
{
    struct span key, value, whole = span_of(text, len);
    /* Parsing the members one by one up to the closing brace validates the whole text. */
    whole.kind = len >= 2 && text[0] == '{' && text[len - 1] == '}' ? '{' : 0;
    struct scan s = scan_into(whole);

    *f = (struct frame){.v = -1, .seat = -1, .whole = span_of(text, len)};
    while (scan_member(&s, &key, &value)) {
        if (span_is(key, "t"))
            f->type = value;
        else if (span_is(key, "v"))
            f->v = span_int(value, -1);
        else if (span_is(key, "seat"))
            f->seat = span_int(value, -1);
        else if (span_is(key, "d"))
            f->data = value;
        else if (span_is(key, "id"))
            f->id = value;
        else if (span_is(key, "code"))
            f->code = value;
    }
    return !s.bad && f->type.kind == '"' && (f->data.kind == 0 || f->data.kind == '{');
}

/* Four viewers mostly receive the same bytes one after another, so recently parsed valid texts are
 * cached. */
static struct known {
    size_t n; /* 0: nothing */
    char text[KNOWN_TEXT_MAX];
    struct frame frame; /* points into text */
} known[KNOWN_N];

bool frame_read(struct frame *f, const char *text, size_t len)
{
    static size_t oldest;
    if (len == 0 || len > KNOWN_TEXT_MAX)
        return parse(f, text, len);
    for (size_t i = 0; i < KNOWN_N; i++) {
        if (known[i].n == len && memcmp(known[i].text, text, len) == 0) {
            *f = known[i].frame;
            return true;
        }
    }
    struct known *k = &known[oldest];
    oldest = (oldest + 1) % KNOWN_N;
    memcpy(k->text, text, len);
    bool good = parse(&k->frame, k->text, len);
    k->n = good ? len : 0;
    *f = k->frame;
    return good;
}

static void set_put(struct card_set *s, unsigned card)
{
    s->bits[card >> 6] |= 1ULL << (card & 63);
}

static void set_remove(struct card_set *s, unsigned card)
{
    s->bits[card >> 6] &= ~(1ULL << (card & 63));
}

static uint8_t card_of(struct span s)
{
    return s.kind == '"' ? eng_card_parse(s.at, s.n) : (uint8_t)ENG_NO_CARD;
}

/* Reads the cards of an array; returns their number, or -1 if one is not a card or there are too many. */
static int cards_of(struct span array, uint8_t *out, int max)
{
    struct scan s = scan_into(array);
    struct span item;
    int n = 0;
    if (array.kind != '[')
        return 0;
    while (scan_element(&s, &item)) {
        uint8_t card = card_of(item);
        if (card == ENG_NO_CARD || n == max)
            return -1;
        out[n++] = card;
    }
    return s.bad ? -1 : n;
}

/* Hashes eight bytes at a time, which is good enough to distinguish two texts of one event. Never 0. */
static uint32_t hash_of(const char *text, size_t len)
{
    uint64_t hash = len, word;
    for (; len > 0; text += sizeof(word)) {
        size_t n = len < sizeof(word) ? len : sizeof(word);
        word = 0;
        memcpy(&word, text, n);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
        len -= n;
    }
    return (uint32_t)(hash >> 32) | 1U;
}

void model_connected(struct model_seat *s, uint32_t from_v)
{
    s->told = from_v;
}

static void hand_take(struct model_table *t, struct model_seat *s, uint8_t card, const struct frame *f)
{
    if (card == ENG_NO_CARD || set_has(&s->hand, card))
        flaw_note(FLAW_CARDS, t->id, s->seat, f->whole);
    else
        set_put(&s->hand, card);
}

static void hand_give(struct model_table *t, struct model_seat *s, uint8_t card, const struct frame *f)
{
    if (card == ENG_NO_CARD || !set_has(&s->hand, card))
        flaw_note(FLAW_CARDS, t->id, s->seat, f->whole);
    else
        set_remove(&s->hand, card);
}

/* Applies the event to the viewer's own hand. */
static void apply_own(struct model_table *t, struct model_seat *s, const struct frame *f)
{
    uint8_t cards[ENG_CARD_MAX];
    uint8_t card = card_of(scan_find(f->data, "card"));
    int n = cards_of(scan_find(f->data, "cards"), cards, ENG_CARD_MAX);

    if (span_is(f->type, "drew")) {
        hand_take(t, s, card, f);
        s->drawn = card;
    } else if (span_is(f->type, "discarded") || span_is(f->type, "melded")) {
        for (int i = 0; i < n; i++)
            hand_give(t, s, cards[i], f);
    } else if (span_is(f->type, "dealt")) {
        s->hand = (struct card_set){0};
        for (int i = 0; i < n; i++)
            hand_take(t, s, cards[i], f);
        s->synced = n > 0;
    } else if (span_is(f->type, "taken_back")) {
        for (int i = 0; i < n; i++)
            hand_take(t, s, cards[i], f);
    } else if (span_is(f->type, "laid_off") || span_is(f->type, "draw_cancelled")) {
        hand_give(t, s, card, f);
    } else if (span_is(f->type, "swapped")) {
        hand_give(t, s, card, f);
        hand_take(t, s, card_of(scan_find(f->data, "joker")), f);
    } else if (span_is(f->type, "swap_undone")) {
        hand_take(t, s, card, f);
        hand_give(t, s, card_of(scan_find(f->data, "joker")), f);
    }
}

static void pile_push(struct model_table *t, uint8_t card, const struct frame *f)
{
    if (card == ENG_NO_CARD || t->pile_n == ENG_CARD_MAX) {
        flaw_note(FLAW_CARDS, t->id, -1, f->whole);
        return;
    }
    t->pile[t->pile_n++] = card;
}

static void apply_drew(struct model_table *t, const struct frame *f)
{
    t->phase = MODEL_TO_PLAY;
    if (span_is(scan_find(f->data, "from"), "stock")) {
        t->stock_n--;
        return;
    }
    uint8_t card = card_of(scan_find(f->data, "card"));
    if (t->whole && (t->pile_n == 0 || t->pile[t->pile_n - 1] != card))
        flaw_note(FLAW_CARDS, t->id, (int)f->seat, f->whole);
    else if (t->pile_n > 0)
        t->pile_n--;
}

static void apply_melds(struct model_table *t, const struct frame *f)
{
    uint8_t cards[ENG_CARD_MAX];
    uint8_t card = card_of(scan_find(f->data, "card")), joker = card_of(scan_find(f->data, "joker"));
    int n = cards_of(scan_find(f->data, "cards"), cards, ENG_CARD_MAX);

    if (span_is(f->type, "melded")) {
        for (int i = 0; i < n; i++)
            set_put(&t->melds, cards[i]);
    } else if (span_is(f->type, "taken_back")) {
        for (int i = 0; i < n; i++)
            set_remove(&t->melds, cards[i]);
    } else if (span_is(f->type, "laid_off") && card != ENG_NO_CARD) {
        set_put(&t->melds, card);
    } else if (span_is(f->type, "swapped") && card != ENG_NO_CARD && joker != ENG_NO_CARD) {
        set_put(&t->melds, card);
        set_remove(&t->melds, joker);
    } else if (span_is(f->type, "swap_undone") && card != ENG_NO_CARD && joker != ENG_NO_CARD) {
        set_remove(&t->melds, card);
        set_put(&t->melds, joker);
    }
}

static void apply_dealt(struct model_table *t, const struct frame *f)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = cards_of(scan_find(f->data, "cards"), cards, ENG_CARD_MAX);
    if (t->phase == MODEL_WAITING || t->phase == MODEL_OVER) {
        t->stock_n = PACK_N;
        t->pack_n = PACK_N;
        t->pile_n = 0;
        t->melds = (struct card_set){0};
        t->whole = true;
        t->phase = MODEL_BETWEEN;
    }
    t->stock_n = (int16_t)(t->stock_n - (n > 0 ? n : (int)span_int(scan_find(f->data, "n"), 0)));
}

/* Applies the part of the event that all viewers receive. */
static void apply_public(struct model_table *t, const struct frame *f)
{
    uint8_t cards[ENG_CARD_MAX];

    if (span_is(f->type, "drew")) {
        apply_drew(t, f);
    } else if (span_is(f->type, "discarded")) {
        int n = cards_of(scan_find(f->data, "cards"), cards, ENG_CARD_MAX);
        for (int i = 0; i < n; i++)
            pile_push(t, cards[i], f);
        t->phase = MODEL_BETWEEN;
    } else if (span_is(f->type, "turn")) {
        t->to_move = (uint8_t)f->seat;
        t->phase = span_is(scan_find(f->data, "phase"), "play") ? MODEL_TO_PLAY : MODEL_TO_DRAW;
        for (int i = 0; i < t->seats_n; i++)
            t->seats[i].drawn = ENG_NO_CARD;
    } else if (span_is(f->type, "dealt")) {
        apply_dealt(t, f);
    } else if (span_is(f->type, "reshuffled")) {
        t->stock_n = (int16_t)span_int(scan_find(f->data, "stock_n"), -1);
        if (t->pile_n > 1)
            t->pile[0] = t->pile[t->pile_n - 1], t->pile_n = 1;
    } else if (span_is(f->type, "draw_cancelled")) {
        pile_push(t, card_of(scan_find(f->data, "card")), f);
        t->phase = MODEL_TO_DRAW;
    } else if (span_is(f->type, "hand_ended") || span_is(f->type, "session_ended")) {
        t->phase = MODEL_OVER;
    } else {
        apply_melds(t, f);
    }
}

/* Whether only one viewer's frame may have the event's cards. */
static bool is_private(const struct frame *f)
{
    return span_is(f->type, "dealt") ||
           (span_is(f->type, "drew") && span_is(scan_find(f->data, "from"), "stock"));
}

/* All viewers of the same part of a version must receive the same text, and again after a reconnect. */
static void compare_texts(struct model_table *t, struct model_seat *s, const struct frame *f)
{
    uint32_t hash = hash_of(f->whole.at, f->whole.n), v = (uint32_t)f->v;

    if (s->texts && v < MODEL_V_MAX) {
        if (s->texts[v] != 0 && s->texts[v] != hash)
            flaw_note(FLAW_DIFFERS, t->id, s->seat, f->whole);
        s->texts[v] = hash;
    }
    if (is_private(f)) {
        if (f->seat == s->seat)
            return;
        if (scan_find(f->data, "card").kind || scan_find(f->data, "cards").kind)
            flaw_note(FLAW_LEAK, t->id, s->seat, f->whole);
    }
    if (t->recent[v % MODEL_RECENT].v == v && t->recent[v % MODEL_RECENT].hash != hash)
        flaw_note(FLAW_DIFFERS, t->id, s->seat, f->whole);
    t->recent[v % MODEL_RECENT].v = v;
    t->recent[v % MODEL_RECENT].hash = hash;
}

void model_event(struct model_table *t, struct model_seat *s, const struct frame *f)
{
    uint32_t v = (uint32_t)f->v;

    compare_texts(t, s, f);
    if (v <= s->told) {
        flaw_note(FLAW_REPEAT, t->id, s->seat, f->whole);
        return;
    }
    if (v != s->told + 1)
        flaw_note(FLAW_GAP, t->id, s->seat, f->whole);
    s->told = v;
    if (v <= s->v)
        return; /* already received on an earlier connection */
    s->v = v;
    if (v > t->v) {
        t->v = v;
        apply_public(t, f);
    }
    if (f->seat == s->seat)
        apply_own(t, s, f);
}

void model_caught_up(const struct model_table *t, struct model_seat *s)
{
    char text[96];
    if (s->told >= s->v)
        return;
    int len = snprintf(text, sizeof(text), "notified up to v %u before, only up to v %u now", s->v, s->told);
    flaw_note(FLAW_LOST, t->id, s->seat, span_of(text, (size_t)len));
    s->v = s->told;
}

static uint8_t phase_of(struct span phase)
{
    if (span_is(phase, "draw"))
        return MODEL_TO_DRAW;
    if (span_is(phase, "play"))
        return MODEL_TO_PLAY;
    if (span_is(phase, "waiting"))
        return MODEL_WAITING;
    return MODEL_OVER;
}

static void snapshot_public(struct model_table *t, const struct frame *f)
{
    struct span meld, melds = scan_find(f->data, "melds");
    struct scan each = scan_into(melds);
    uint8_t cards[ENG_CARD_MAX];
    int n = cards_of(scan_find(f->data, "discard"), t->pile, ENG_CARD_MAX);

    t->v = (uint32_t)f->v;
    t->phase = phase_of(scan_find(f->data, "phase"));
    t->to_move = (uint8_t)span_int(scan_find(f->data, "to_move"), ENG_NO_SEAT);
    t->stock_n = (int16_t)span_int(scan_find(f->data, "stock_n"), -1);
    t->pile_n = (uint16_t)(n > 0 ? n : 0);
    t->pack_n = PACK_N;
    t->melds = (struct card_set){0};
    while (melds.kind == '[' && scan_element(&each, &meld)) {
        int laid = cards_of(scan_find(meld, "cards"), cards, ENG_CARD_MAX);
        for (int i = 0; i < laid; i++)
            set_put(&t->melds, cards[i]);
    }
    t->whole = t->phase == MODEL_TO_DRAW || t->phase == MODEL_TO_PLAY;
}

void model_snapshot(struct model_table *t, struct model_seat *s, const struct frame *f)
{
    uint8_t cards[ENG_CARD_MAX];
    struct card_set hand = {0};
    uint32_t v = (uint32_t)f->v;
    int n = cards_of(scan_find(f->data, "hand"), cards, ENG_CARD_MAX);

    if (n < 0)
        flaw_note(FLAW_BAD_FRAME, t->id, s->seat, f->whole);
    if (s->synced && v < s->v)
        flaw_note(FLAW_LOST, t->id, s->seat, f->whole);
    for (int i = 0; i < n; i++)
        set_put(&hand, cards[i]);
    if (s->synced && v == s->v && memcmp(&hand, &s->hand, sizeof(hand)) != 0)
        flaw_note(FLAW_DIFFERS, t->id, s->seat, f->whole);
    if (!t->whole || v > t->v)
        snapshot_public(t, f);
    else if (v == t->v && span_int(scan_find(f->data, "stock_n"), -1) != t->stock_n)
        flaw_note(FLAW_DIFFERS, t->id, s->seat, f->whole);
    s->v = s->told = v;
    s->synced = true;
    s->hand = hand;
    struct span turn = scan_find(f->data, "turn");
    s->drawn = (uint8_t)ENG_NO_CARD;
    if (turn.kind == '{' && t->to_move == s->seat)
        s->drawn = card_of(scan_find(turn, "drawn"));
}

void model_check_cards(const struct model_table *t)
{
    struct card_set all = t->melds;
    int n = set_count(&t->melds) + t->pile_n + t->stock_n;

    if (!t->whole || t->phase == MODEL_OVER || t->phase == MODEL_WAITING)
        return;
    for (int i = 0; i < t->pile_n; i++)
        set_put(&all, t->pile[i]);
    for (int i = 0; i < t->seats_n; i++) {
        if (!t->seats[i].ours || !t->seats[i].synced || t->seats[i].v != t->v)
            return;
        n += set_count(&t->seats[i].hand);
        all.bits[0] |= t->seats[i].hand.bits[0];
        all.bits[1] |= t->seats[i].hand.bits[1];
    }
    if (n != t->pack_n || set_count(&all) != n - t->stock_n) {
        char text[96];
        int len = snprintf(text, sizeof(text), "v %u: %d cards of %d, %d of them seen once", t->v, n,
                           t->pack_n, set_count(&all));
        flaw_note(FLAW_CARDS, t->id, -1, span_of(text, (size_t)len));
    }
}

uint8_t model_discard(const struct model_seat *s, uint8_t above)
{
    if (above == ENG_NO_CARD && s->drawn < ENG_JOKER_FIRST && set_has(&s->hand, s->drawn))
        return s->drawn;
    for (unsigned card = above == ENG_NO_CARD ? 0 : above + 1U; card < ENG_JOKER_FIRST; card++) {
        if (set_has(&s->hand, card))
            return (uint8_t)card;
    }
    return (uint8_t)ENG_NO_CARD;
}
