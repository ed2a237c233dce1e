/* Frames that reply to a command of one seat; see wire.h. */
#include "base/bug.h"
#include "base/clock.h"
#include "tables/wire_pieces.h"

void tab_wire_ack(struct buf *out, const char *id, uint32_t v)
{
    ASSERT(id[0] != '\0');
    tab_wire_open_frame(out, TAB_FRAME_ACK);
    json_kv_text(out, "id", id);
    json_kv_num(out, "v", v);
    json_close(out, '}');
}

void tab_wire_nack(struct buf *out, const char *id, const char *code, const char *text, const uint8_t *cards,
                   int n)
{
    ASSERT(code[0] != '\0' && text[0] != '\0');
    tab_wire_open_frame(out, TAB_FRAME_NACK);
    json_kv_text(out, "id", id);
    json_kv_text(out, "code", code);
    tab_wire_cards(out, "cards", cards, n);
    json_kv_text(out, "text", text);
    json_close(out, '}');
}

void tab_wire_pong(struct buf *out, const char *id, int64_t unix_ms)
{
    char now[25];
    clock_rfc3339(now, unix_ms);
    tab_wire_open_frame(out, TAB_FRAME_PONG);
    json_kv_text(out, "id", id);
    json_key(out, "d");
    json_open(out, '{');
    json_kv_text(out, "now", now);
    tab_wire_close_state(out);
}

/* The name of the command that makes such a move; NULL: there is none. */
static const char *command_of(uint8_t type)
{
    static const uint8_t commands[ENG_MOVE_TYPE_END] = {
        [ENG_DRAW_STOCK] = TAB_COMMAND_DRAW,
        [ENG_DRAW_DISCARD] = TAB_COMMAND_DRAW,
        [ENG_CANCEL_DRAW] = TAB_COMMAND_CANCEL_DRAW,
        [ENG_MELD] = TAB_COMMAND_MELD,
        [ENG_TAKE_BACK] = TAB_COMMAND_TAKE_BACK,
        [ENG_LAY_OFF] = TAB_COMMAND_LAY_OFF,
        [ENG_SWAP] = TAB_COMMAND_SWAP,
        [ENG_DISCARD] = TAB_COMMAND_DISCARD,
        [ENG_FLIP] = TAB_COMMAND_FLIP,
        [ENG_DECLARE] = TAB_COMMAND_DECLARE,
        [ENG_GROUP] = TAB_COMMAND_GROUP,
        [ENG_DROP] = TAB_COMMAND_DROP,
        [ENG_REJOIN] = TAB_COMMAND_REJOIN,
    };
    bool none = type == 0 || type >= ENG_MOVE_TYPE_END || eng_move_is_system(type);
    return none ? NULL : tab_command_specs[commands[type]].name;
}

/* As the commands name them: what is in no group is not told. */
static void put_groups(struct buf *out, const struct eng_move *move)
{
    int at = 0;
    json_key(out, "groups");
    json_open(out, '[');
    for (int i = 0; i < move->groups; i++) {
        json_open(out, '[');
        for (int k = 0; k < move->lens[i]; k++)
            tab_wire_card(out, move->cards[at++]);
        json_close(out, ']');
    }
    json_close(out, ']');
    ASSERT(at <= move->n);
    if (move->type == ENG_DECLARE && move->n > 0) {
        json_key(out, "finish");
        tab_wire_card(out, move->cards[move->n - 1]);
    }
}

static void put_move(struct buf *out, const struct eng_move *move)
{
    ASSERT(command_of(move->type) != NULL);
    json_open(out, '{');
    json_kv_text(out, "t", command_of(move->type));
    json_key(out, "d");
    json_open(out, '{');
    switch (move->type) {
    case ENG_DRAW_STOCK:
    case ENG_DRAW_DISCARD:
        json_kv_text(out, "from", move->type == ENG_DRAW_STOCK ? "stock" : "discard");
        break;
    case ENG_MELD:
    case ENG_DISCARD:
        tab_wire_cards(out, "cards", move->cards, move->n);
        break;
    case ENG_TAKE_BACK:
        if (move->meld != ENG_NO_MELD)
            json_kv_num(out, "meld", move->meld);
        break;
    case ENG_LAY_OFF:
    case ENG_SWAP:
        json_key(out, "card");
        tab_wire_card(out, move->cards[0]);
        json_kv_num(out, "meld", move->meld);
        if (move->type == ENG_SWAP && move->n > 1) {
            json_key(out, "joker");
            tab_wire_card(out, move->cards[1]);
        }
        if (move->type == ENG_LAY_OFF && tab_wire_end(move->end))
            json_kv_text(out, "end", tab_wire_end(move->end));
        break;
    case ENG_DECLARE:
    case ENG_GROUP:
        put_groups(out, move);
        break;
    default:
        break;
    }
    tab_wire_close_state(out);
}

void tab_wire_legal(struct buf *out, const char *id, const struct eng_view *view, bool hints)
{
    struct eng_legal legal;
    struct eng_hints good = {0};
    ASSERT(view->viewer < view->players);
    eng_legal(view, &legal);
    ASSERT(legal.seat == view->viewer && legal.n <= ENG_LEGAL_MAX);
    if (hints)
        eng_hints(view, &good);
    tab_wire_open_frame(out, TAB_FRAME_LEGAL);
    json_kv_text(out, "id", id);
    json_kv_num(out, "v", view->v);
    json_key(out, "d");
    json_open(out, '{');
    json_key(out, "types");
    json_open(out, '[');
    const uint32_t draws = 1u << ENG_DRAW_STOCK | 1u << ENG_DRAW_DISCARD;
    if (legal.types & draws)
        json_text(out, tab_command_specs[TAB_COMMAND_DRAW].name);
    for (int type = ENG_CANCEL_DRAW; type < ENG_MOVE_TYPE_END; type++)
        if (legal.types >> type & 1 && command_of((uint8_t)type))
            json_text(out, command_of((uint8_t)type));
    json_close(out, ']');
    json_key(out, "moves");
    json_open(out, '[');
    for (int i = 0; i < good.n; i++)
        put_move(out, &good.moves[i]);
    for (int i = 0; i < legal.n; i++)
        if (legal.moves[i].type != ENG_MELD) /* of melds there are too many to tell all */
            put_move(out, &legal.moves[i]);
    json_close(out, ']');
    tab_wire_close_state(out);
}
