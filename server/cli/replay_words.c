/* See replay.h: describes cards, names, and events as the viewer may see them. */
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/core/game.h"
#include "engine/core/grouping.h"
#include "server/cli/replay.h"

static bool is_wild(const struct eng_game *g, uint8_t card)
{
    struct eng_wild wild = {.card = g->wild_card, .exact = g->params.wild_scope == ENG_WILD_EXACT};
    return g->params.family == ENG_FAMILY_DECLARE && g->wild_card != ENG_NO_CARD && !eng_is_joker(card) &&
           eng_is_wild(&wild, card);
}

/* Suits in the engine's order: clubs, spades, hearts, diamonds. */
static const char *const signs[ENG_SUITS] = {"♣", "♠", "♥", "♦"};

void srv_replay_card(const struct srv_replay_style *style, const struct eng_game *g, uint8_t card,
                     struct buf *out)
{
    char name[ENG_CARD_NAME_MAX];
    int len = eng_card_name(name, card);
    bool joker = eng_is_joker(card), red = !joker && eng_suit(card) >= 2;

    ASSERT(len >= 2);
    if (style->color && (joker || red))
        buf_str(out, joker ? "\x1b[35m" : "\x1b[31m");
    buf_put(out, name, 1);
    if (!joker && style->utf8)
        buf_str(out, signs[eng_suit(card)]);
    else if (!joker)
        buf_put(out, name + 1, 1);
    if (style->copies)
        buf_put(out, name + len - 1, 1);
    if (is_wild(g, card))
        buf_str(out, "*");
    if (style->color && (joker || red))
        buf_str(out, "\x1b[39m");
}

void srv_replay_cards(const struct srv_replay_style *style, const struct eng_game *g, const uint8_t *cards,
                      int n, struct buf *out)
{
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_str(out, " ");
        srv_replay_card(style, g, cards[i], out);
    }
}

void srv_replay_groups(const struct srv_replay_style *style, const struct eng_game *g, const uint8_t *cards,
                       int n, const uint8_t *lens, int groups, struct buf *out)
{
    int at = 0;

    ASSERT(groups <= ENG_GROUPS_MAX);
    for (int i = 0; i < groups && at + lens[i] <= n; at += lens[i++]) {
        buf_str(out, i > 0 ? " [" : "[");
        srv_replay_cards(style, g, cards + at, lens[i], out);
        buf_str(out, "]");
    }
    if (at > 0 && at < n)
        buf_str(out, " ");
    srv_replay_cards(style, g, cards + at, n - at, out);
}

void srv_replay_name(const struct srv_replay_style *style, const struct eng_record *record, uint8_t seat,
                     struct buf *out)
{
    const char *name = seat < record->players ? record->seats[seat].name : "";
    size_t len = strlen(name);

    if (len == 0) {
        buf_fmt(out, seat < record->players ? "seat %u" : "no one", seat);
        return;
    }
    for (size_t i = 0, bytes; i < len; i += bytes) {
        bytes = text_utf8_char(name + i, len - i);
        bytes = bytes == 0 ? 1 : bytes;
        /* Terminals interpret U+0080 to U+009F like escape sequences. */
        bool control = bytes == 2 && name[i] == '\xc2' && (unsigned char)name[i + 1] < 0xa0;
        if (bytes == 1 || (style->utf8 && !control))
            buf_put(out, name + i, bytes);
        else
            buf_str(out, "?");
    }
}

/* ---- Events ---- */

/* Context of the description: the viewer, the game, and the output. */
struct telling {
    const struct srv_replay_style *style;
    const struct eng_record *record;
    const struct eng_game *game;
    struct buf *out;
};

static void cards(const struct telling *t, const struct eng_event *e, int from, int n)
{
    ASSERT(from >= 0 && from + n <= ENG_EVENT_CARDS_MAX);
    srv_replay_cards(t->style, t->game, e->cards + from, n, t->out);
}

static void drew(const struct telling *t, const struct eng_event *e)
{
    buf_str(t->out, e->drew.pile == ENG_STOCK ? "draws from the stock" : "takes ");
    if (e->drew.pile == ENG_STOCK && e->n > 0)
        buf_str(t->out, ": ");
    cards(t, e, 0, e->n);
    if (e->drew.must_open)
        buf_str(t->out, " and must open");
}

static void ended(const struct telling *t, const struct eng_event *e)
{
    static const char *const how[] = {
        [ENG_ENDED_OUT] = "goes out",
        [ENG_ENDED_NO_CARDS] = "wins: no cards are left to draw",
        [ENG_ENDED_STALLED] = "wins: the hand stalled",
        [ENG_ENDED_LAST] = "wins as the last seat in",
    };
    uint8_t ending = e->hand_ended.ending;
    if (ending == ENG_ENDED_OUT && t->game->params.family == ENG_FAMILY_DECLARE) {
        buf_str(t->out, "wins by declaring");
        return;
    }
    buf_str(t->out, ending < ARRAY_LEN(how) && how[ending] != NULL ? how[ending] : "wins");
    if (e->hand_ended.rummy)
        buf_str(t->out, " in one turn: Rummy");
}

static void scored(const struct telling *t, const struct eng_event *e)
{
    static const char *const flags[] = {
        NULL, "won", NULL, "left", "dropped", "wrong declaration", "out", "not in this hand"};

    buf_fmt(t->out, "scores %d, place %u", e->scored.points, e->scored.place);
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        if (flags[i] != NULL && (e->scored.flags >> i & 1) != 0)
            buf_fmt(t->out, ", %s", flags[i]);
    if (e->n == 0)
        return;
    buf_str(t->out, ", with ");
    srv_replay_groups(t->style, t->game, e->cards, e->n, e->lens, e->groups, t->out);
}

static void session_ended(const struct telling *t, const struct eng_event *e)
{
    bool first = true;

    buf_str(t->out, e->session_ended.winners == 0 ? "the session is over without a winner"
                                                  : "the session is won by ");
    for (uint8_t seat = 0; seat < t->record->players; seat++) {
        if ((e->session_ended.winners >> seat & 1) == 0)
            continue;
        buf_str(t->out, first ? "" : " and ");
        srv_replay_name(t->style, t->record, seat, t->out);
        first = false;
    }
}

/* Events of a turn: the seat's actions. */
static bool turn_event(const struct telling *t, const struct eng_event *e)
{
    struct buf *b = t->out;

    switch (e->type) {
    case ENG_EV_DREW:
        drew(t, e);
        return true;
    case ENG_EV_DRAW_CANCELLED:
        buf_str(b, "puts back ");
        cards(t, e, 0, e->n);
        return true;
    case ENG_EV_MELDED:
        buf_fmt(b, "%s m%u ", e->melded.staged ? "stages" : "lays", e->meld);
        cards(t, e, 0, e->n);
        buf_fmt(b, " (%d)", e->melded.worth);
        return true;
    case ENG_EV_TAKEN_BACK:
        buf_fmt(b, "takes back m%u ", e->meld);
        cards(t, e, 0, e->n);
        return true;
    case ENG_EV_OPENED:
        buf_str(b, "opens");
        if (e->opened.sum > 0)
            buf_fmt(b, " with %d", e->opened.sum);
        return true;
    case ENG_EV_LAID_OFF:
        buf_str(b, "lays off ");
        cards(t, e, 0, e->n);
        buf_fmt(b, " on m%u", e->meld);
        return true;
    case ENG_EV_SWAPPED:
    case ENG_EV_SWAP_UNDONE:
        buf_str(b, e->type == ENG_EV_SWAPPED ? "puts " : "takes ");
        cards(t, e, 0, 1);
        buf_fmt(b, e->type == ENG_EV_SWAPPED ? " into m%u for " : " back from m%u for ", e->meld);
        cards(t, e, 1, 1);
        return true;
    case ENG_EV_DISCARDED:
        buf_str(b, e->discarded.buried ? "buries and discards " : "discards ");
        cards(t, e, 0, e->n);
        return true;
    default:
        return false;
    }
}

/* Moves of the declare family. */
static bool declare_event(const struct telling *t, const struct eng_event *e)
{
    struct buf *b = t->out;

    switch (e->type) {
    case ENG_EV_DROPPED:
        buf_fmt(b, "drops for %d", e->dropped.points);
        return true;
    case ENG_EV_DECLARED:
        buf_fmt(b, "declares%s ", e->declared.refusal == ENG_OK ? "" : " wrongly");
        ASSERT(e->n > 0); /* the last card goes to the finish slot */
        srv_replay_groups(t->style, t->game, e->cards, e->n - 1, e->lens, e->groups, b);
        buf_str(b, ", finishing with ");
        cards(t, e, e->n - 1, 1);
        if (e->declared.refusal > ENG_OK && e->declared.refusal < ENG_REFUSAL_END)
            buf_fmt(b, " (%s) for %d", eng_refusal_name((enum eng_refusal)e->declared.refusal),
                    e->declared.points);
        return true;
    case ENG_EV_GROUPED:
        buf_str(b, e->grouped.for_good ? "confirms the groups" : "groups");
        buf_str(b, e->n > 0 ? " " : "");
        srv_replay_groups(t->style, t->game, e->cards, e->n, e->lens, e->groups, b);
        return true;
    case ENG_EV_REJOINED:
        buf_fmt(b, "rejoins with %d", e->rejoined.total);
        return true;
    case ENG_EV_ELIMINATED:
        buf_fmt(b, "is out with %d", e->eliminated.total);
        return true;
    default:
        return false;
    }
}

/* Events of the table rather than of a player's move. */
static bool table_event(const struct telling *t, const struct eng_event *e)
{
    struct buf *b = t->out;

    switch (e->type) {
    case ENG_EV_RESHUFFLED:
        buf_fmt(b, "shuffles the discard pile into a stock of %d cards", e->renewed.stock_n);
        return true;
    case ENG_EV_FLIPPED:
        buf_fmt(b, "turns the discard pile over into a stock of %d cards; ", e->renewed.stock_n);
        cards(t, e, 0, e->n);
        buf_str(b, " begins the new pile");
        return true;
    case ENG_EV_TIMED_OUT:
        buf_fmt(b, "runs out of time (%d in a row)", e->timed_out.in_a_row);
        return true;
    case ENG_EV_AWAY:
        buf_str(b, "is away: a bot plays");
        return true;
    case ENG_EV_RETURNED:
        buf_str(b, "returns");
        return true;
    case ENG_EV_LEFT:
        buf_str(b, "leaves");
        return true;
    case ENG_EV_HAND_ENDED:
        ended(t, e);
        return true;
    case ENG_EV_SCORED:
        scored(t, e);
        return true;
    default:
        return false;
    }
}

bool srv_replay_event(const struct srv_replay_style *style, const struct eng_record *record,
                      const struct eng_game *game, const struct eng_event *event, struct buf *out)
{
    struct eng_event seen = *event;
    struct telling t = {.style = style, .record = record, .game = game, .out = out};

    if (style->viewer != REPLAY_OPEN)
        eng_event_view(event, style->viewer, &seen);
    if (event->type == ENG_EV_SESSION_ENDED) {
        session_ended(&t, &seen);
        return true;
    }
    if (event->type == ENG_EV_DEALT || event->type == ENG_EV_TURN || event->type == ENG_EV_WILD)
        return false;
    srv_replay_name(style, record, seen.seat, out);
    buf_str(out, " ");
    return turn_event(&t, &seen) || declare_event(&t, &seen) || table_event(&t, &seen);
}

void srv_replay_verdict(const struct eng_verdict *v, struct buf *out)
{
    ASSERT(v->code != ENG_VERDICT_OK && v->text != NULL);
    buf_fmt(out, "the record is invalid from here (%s", eng_verdict_name(v->code));
    if (v->turn > 0)
        buf_fmt(out, ", turn %u", v->turn);
    if (v->seat != ENG_NO_SEAT)
        buf_fmt(out, ", seat %u", v->seat);
    if (v->code == ENG_VERDICT_ILLEGAL_MOVE)
        buf_fmt(out, ", %s", eng_refusal_name(v->refusal));
    buf_str(out, "): ");
    eng_verdict_format(v, out);
}
