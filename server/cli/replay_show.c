/* See replay.h: renders the table as text, only from views. */
#include <string.h>

#include "base/bug.h"
#include "engine/core/game.h"
#include "server/cli/replay.h"

enum { PIECE_MAX = 2048, PILE_SHOWN = 12, BAR = 24 };

/* The current drawing. */
struct scene {
    const struct srv_replay *replay;
    const struct eng_record *record;
    const struct srv_replay_style *style;
    struct srv_replay_place place;
    struct srv_replay_at at;
    struct eng_view view; /* the viewer's view, or a spectator's if all hands are visible */
    struct buf *out;
};

static void open_scene(struct scene *s, const struct srv_replay *replay, struct srv_replay_place place,
                       const struct srv_replay_style *style, struct buf *out)
{
    *s = (struct scene){.replay = replay,
                        .record = &replay->book->hands[place.hand].record,
                        .style = style,
                        .place = place,
                        .out = out};
    srv_replay_seek(replay, place, &s->at);
    bool seated = style->viewer < s->record->players;
    eng_view(&s->at.game, seated ? style->viewer : ENG_SPECTATOR, &s->view);
}

/* ---- Wrapped lines ---- */

/* Width in terminal columns: skips escape sequences and continuation bytes. */
static int width_of(const char *text, size_t len)
{
    int width = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\x1b') {
            while (i < len && text[i] != 'm')
                i++;
        } else {
            width += ((unsigned char)text[i] & 0xc0) != 0x80;
        }
    }
    return width;
}

struct line {
    struct scene *scene;
    int indent, at; /* at: columns used; 0: the line is empty */
};

/* Adds a piece, on a new line if it does not fit on the current one. */
static void put(struct line *l, const char *gap, const struct buf *piece)
{
    struct buf *out = l->scene->out;
    int width = width_of(piece->data, piece->len), space = width_of(gap, strlen(gap));

    ASSERT(l->indent >= 0 && l->indent < REPLAY_WIDTH_MIN);
    if (l->at > 0 && l->at + space + width > l->scene->style->width) {
        buf_str(out, "\n");
        l->at = 0;
    }
    if (l->at == 0) {
        buf_fmt(out, "%*s", l->indent, "");
        l->at = l->indent;
    } else {
        buf_str(out, gap);
        l->at += space;
    }
    buf_put(out, piece->data, piece->len);
    l->at += width;
}

static void end_line(struct line *l)
{
    if (l->at > 0)
        buf_str(l->scene->out, "\n");
    l->at = 0;
}

static void put_text(struct line *l, const char *gap, const char *text)
{
    char memory[PIECE_MAX];
    struct buf piece = buf_on(memory, sizeof memory);
    buf_str(&piece, text);
    put(l, gap, &piece);
}

/* Wraps the text word by word. */
static void put_words(struct line *l, const struct buf *text)
{
    size_t at = 0;

    while (at < text->len) {
        const char *space = memchr(text->data + at, ' ', text->len - at);
        size_t len = space ? (size_t)(space - text->data) - at : text->len - at;
        struct buf word = {.data = text->data + at, .len = len, .cap = len};
        put(l, " ", &word);
        at += len + 1;
    }
}

/* ---- Sorting cards as players hold them ---- */

static int order_of(uint8_t card)
{
    return eng_is_joker(card) ? 1000 + card : (card % ENG_PACK_CARDS) * 2 + card / ENG_PACK_CARDS;
}

static void put_hand(struct scene *s, const uint8_t *held, int n)
{
    struct line l = {.scene = s, .indent = 6};
    uint8_t cards[ENG_HAND_MAX];

    ASSERT(n <= ENG_HAND_MAX);
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && order_of(cards[at - 1]) > order_of(held[i]); at--)
            cards[at] = cards[at - 1];
        cards[at] = held[i];
    }
    for (int i = 0; i < n; i++) {
        char memory[64];
        struct buf piece = buf_on(memory, sizeof memory);
        bool drawn = cards[i] == s->view.drawn_card && s->view.drew;
        buf_str(&piece, drawn ? "<" : "");
        srv_replay_card(s->style, &s->at.game, cards[i], &piece);
        buf_str(&piece, drawn ? ">" : "");
        put(&l, " ", &piece);
    }
    end_line(&l);
}

/* ---- Parts of the table ---- */

static void put_heading(struct scene *s)
{
    const struct eng_record *r = s->record;
    const struct srv_replay_hand *hand = &s->replay->hands[s->place.hand];
    char memory[PIECE_MAX];
    struct buf b = buf_on(memory, sizeof memory - 1);
    struct line l = {.scene = s};

    buf_fmt(&b, "%s, table %llu, hand %u", r->params.variant, (unsigned long long)r->table_id, r->hand_no);
    put(&l, "", &b);
    b = buf_on(memory, sizeof memory - 1);
    buf_fmt(&b, "turn %u of %u", s->at.turn, hand->turns);
    put(&l, "  ", &b);
    b = buf_on(memory, sizeof memory - 1);
    buf_fmt(&b, "move %u of %u", s->place.step, hand->steps);
    put(&l, "  ", &b);
    b = buf_on(memory, sizeof memory - 1);
    int filled = hand->steps == 0 ? BAR : (int)((uint64_t)s->place.step * BAR / hand->steps);
    for (int i = 0; i < BAR; i++)
        buf_str(&b, i < filled ? (s->style->utf8 ? "━" : "=") : (s->style->utf8 ? "╌" : "-"));
    put(&l, "  ", &b);
    end_line(&l);
    buf_str(s->out, "view: ");
    if (s->style->viewer < r->players)
        srv_replay_name(s->style, r, s->style->viewer, s->out);
    else
        buf_str(s->out, s->style->viewer == REPLAY_OPEN ? "all hands" : "spectator");
    buf_str(s->out, "\n\n");
}

static void put_piles(struct scene *s)
{
    const struct eng_view *v = &s->view;
    struct line l = {.scene = s};
    char memory[PIECE_MAX];
    struct buf b = buf_on(memory, sizeof memory - 1);
    int from = v->discard_n > PILE_SHOWN ? v->discard_n - PILE_SHOWN : 0;

    buf_fmt(&b, "stock %u", v->stock_n);
    put(&l, "", &b);
    if (v->wild_card != ENG_NO_CARD) {
        b = buf_on(memory, sizeof memory - 1);
        buf_str(&b, "wild ");
        srv_replay_card(s->style, &s->at.game, v->wild_card, &b);
        put(&l, "   ", &b);
    }
    b = buf_on(memory, sizeof memory - 1);
    buf_fmt(&b, "pile %u", v->discard_n);
    buf_str(&b, v->discard_n == 0 ? "" : from > 0 ? ": .. " : ": ");
    if (v->discard_n > 1)
        srv_replay_cards(s->style, &s->at.game, v->discard + from, v->discard_n - 1 - from, &b);
    if (v->discard_n > 0) {
        buf_str(&b, v->discard_n > 1 ? " [" : "[");
        srv_replay_card(s->style, &s->at.game, v->discard[v->discard_n - 1], &b);
        buf_str(&b, "]");
    }
    l.indent = 3;
    buf_str(s->out, l.at > 0 ? "  " : "");
    l.at += l.at > 0 ? 2 : 0;
    put_words(&l, &b);
    end_line(&l);
    buf_str(s->out, "\n");
}

static void put_seat_line(struct scene *s, uint8_t seat)
{
    const struct eng_view *v = &s->view;
    const struct eng_record_seat *who = &s->record->seats[seat];
    bool played = v->phase == ENG_TO_DRAW || v->phase == ENG_TO_PLAY;
    bool moves = played && v->to_move == seat;
    char memory[PIECE_MAX];
    struct buf b = buf_on(memory, sizeof memory - 1);
    struct line l = {.scene = s};

    buf_str(&b, !moves ? "   " : s->style->utf8 ? " ▸ " : " > ");
    buf_fmt(&b, "%u ", seat);
    buf_str(&b, s->style->color && moves ? "\x1b[1m" : "");
    srv_replay_name(s->style, s->record, seat, &b);
    buf_str(&b, s->style->color && moves ? "\x1b[22m" : "");
    put(&l, "", &b);
    l.indent = 6;
    static const char *const kinds[] = {"", "easy bot", "medium bot", "strong bot", "master bot"};
    if (who->bot > 0 && who->bot < ARRAY_LEN(kinds))
        put_text(&l, ", ", kinds[who->bot]);
    if (who->program)
        put_text(&l, ", ", "bot account");
    b = buf_on(memory, sizeof memory - 1);
    buf_fmt(&b, "total %d", v->points[seat]);
    put(&l, ", ", &b);
    const struct {
        bool is;
        const char *word;
    } marks[] = {
        {v->opened[seat], "opened"},
        {v->must_open && moves, "must open"},
        {v->dropped[seat], "dropped"},
        {v->wrong[seat], "declared wrongly"},
        {v->sat_out[seat], "not in this hand"},
        {v->eliminated[seat], "out"},
        {v->declarer == seat, "declared"},
        {v->to_group[seat], "grouping cards"},
        {v->left[seat], "left"},
        {v->away[seat] && !v->left[seat], "away"},
        {moves && v->phase == ENG_TO_DRAW, "to draw"},
        {moves && v->phase == ENG_TO_PLAY, "to play"},
    };
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (marks[i].is)
            put_text(&l, ", ", marks[i].word);
    end_line(&l);
}

static void put_grouping(struct scene *s, const struct eng_view_grouping *g)
{
    char memory[PIECE_MAX];
    struct buf b = buf_on(memory, sizeof memory);
    struct line l = {.scene = s, .indent = 6};

    srv_replay_groups(s->style, &s->at.game, g->cards, g->n, g->lens, g->groups, &b);
    put_words(&l, &b);
    end_line(&l);
}

static void put_melds(struct scene *s, uint8_t seat)
{
    struct line l = {.scene = s, .indent = 6};

    for (int i = 0; i < s->view.melds_n; i++) {
        const struct eng_view_meld *meld = &s->view.melds[i];
        char memory[PIECE_MAX];
        struct buf b = buf_on(memory, sizeof memory - 1);
        if (meld->owner != seat)
            continue;
        buf_fmt(&b, "%sm%u ", meld->staged ? "(" : "", meld->id);
        srv_replay_cards(s->style, &s->at.game, meld->cards, meld->n, &b);
        buf_str(&b, meld->staged ? ")" : "");
        put(&l, "  ", &b);
    }
    end_line(&l);
}

static void put_seat(struct scene *s, uint8_t seat)
{
    struct eng_view own;

    put_seat_line(s, seat);
    bool open = s->style->viewer == REPLAY_OPEN || s->style->viewer == seat;
    if (open)
        eng_view(&s->at.game, seat, &own);
    const struct eng_view_grouping *grouping = open ? &own.grouping[seat] : &s->view.grouping[seat];
    if (grouping->n > 0) {
        put_grouping(s, grouping);
    } else if (open) {
        s->view.drawn_card = own.drew && seat == own.to_move ? own.drawn_card : s->view.drawn_card;
        put_hand(s, own.hand, own.hand_n);
    } else {
        buf_fmt(s->out, "      %u card%s\n", s->view.cards_n[seat], s->view.cards_n[seat] == 1 ? "" : "s");
    }
    put_melds(s, seat);
}

/* The sentences of a step: one per line, or all on one line. */
static void put_events(struct scene *s, bool in_lines)
{
    bool first = true;

    for (int i = 0; i < s->at.out.events_n; i++) {
        char memory[PIECE_MAX];
        struct buf b = buf_on(memory, sizeof memory - 1);
        struct line l = {.scene = s};
        if (!srv_replay_event(s->style, s->record, &s->at.game, &s->at.out.events[i], &b))
            continue;
        if (in_lines) {
            put_words(&l, &b);
            end_line(&l);
        } else {
            buf_str(s->out, first ? "" : "; ");
            buf_put(s->out, b.data, b.len);
        }
        first = false;
    }
    if (s->place.step == 0)
        buf_str(s->out, in_lines ? "the cards are dealt\n" : "the cards are dealt");
}

void srv_replay_table(const struct srv_replay *replay, struct srv_replay_place place,
                      const struct srv_replay_style *style, struct buf *out)
{
    struct scene s;
    const struct srv_replay_hand *hand = &replay->hands[place.hand];

    ASSERT(style->width >= REPLAY_WIDTH_MIN);
    open_scene(&s, replay, place, style, out);
    put_heading(&s);
    put_piles(&s);
    for (uint8_t seat = 0; seat < s.record->players; seat++)
        put_seat(&s, seat);
    buf_str(out, "\n");
    put_events(&s, true);
    if (place.step == hand->steps && hand->verdict.code != ENG_VERDICT_OK) {
        char memory[PIECE_MAX];
        struct buf b = buf_on(memory, sizeof memory);
        struct line l = {.scene = &s};
        srv_replay_verdict(&hand->verdict, &b);
        put_words(&l, &b);
        end_line(&l);
    }
}

void srv_replay_line(const struct srv_replay *replay, struct srv_replay_place place,
                     const struct srv_replay_style *style, struct buf *out)
{
    struct scene s;

    open_scene(&s, replay, place, style, out);
    buf_fmt(out, "%4u  turn %u: ", place.step, s.at.turn);
    put_events(&s, false);
    buf_str(out, "\n");
}
