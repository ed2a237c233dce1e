/* Moves in the form of the commands that make them; see game.h. */
#include "base/bug.h"
#include "wire/frames.h"
#include "wire/game.h"
#include "wire/values.h"

const char *wire_move_name(uint8_t type)
{
    static const uint8_t commands[ENG_MOVE_TYPE_END] = {
        [ENG_DRAW_STOCK] = WIRE_COMMAND_DRAW,
        [ENG_DRAW_DISCARD] = WIRE_COMMAND_DRAW,
        [ENG_CANCEL_DRAW] = WIRE_COMMAND_CANCEL_DRAW,
        [ENG_MELD] = WIRE_COMMAND_MELD,
        [ENG_TAKE_BACK] = WIRE_COMMAND_TAKE_BACK,
        [ENG_LAY_OFF] = WIRE_COMMAND_LAY_OFF,
        [ENG_SWAP] = WIRE_COMMAND_SWAP,
        [ENG_DISCARD] = WIRE_COMMAND_DISCARD,
        [ENG_LEAVE] = WIRE_COMMAND_LEAVE,
        [ENG_RETURN] = WIRE_COMMAND_RETURN,
        [ENG_FLIP] = WIRE_COMMAND_FLIP,
        [ENG_DECLARE] = WIRE_COMMAND_DECLARE,
        [ENG_GROUP] = WIRE_COMMAND_GROUP,
        [ENG_DROP] = WIRE_COMMAND_DROP,
        [ENG_REJOIN] = WIRE_COMMAND_REJOIN,
    };
    ASSERT(type > 0 && type < ENG_MOVE_TYPE_END);
    if (type == ENG_TIME_OUT)
        return "time_out";
    return type == ENG_CLOSE ? "close" : wire_command_specs[commands[type]].name;
}

/* Omits ungrouped cards, as in the commands. */
static void put_groups(struct buf *out, const struct eng_move *move)
{
    int at = 0;
    json_key(out, "groups");
    json_open(out, '[');
    for (int i = 0; i < move->groups && i < ENG_GROUPS_MAX; i++) {
        json_open(out, '[');
        for (int k = 0; k < move->lens[i]; k++)
            wire_card(out, move->cards[at++]);
        json_close(out, ']');
    }
    json_close(out, ']');
    ASSERT(at <= move->n);
    if (move->type == ENG_DECLARE && move->n > 0) {
        json_key(out, "finish");
        wire_card(out, move->cards[move->n - 1]);
    }
}

void wire_move(struct buf *out, const struct eng_move *move)
{
    json_open(out, '{');
    json_kv_text(out, "t", wire_move_name(move->type));
    json_key(out, "d");
    json_open(out, '{');
    switch (move->type) {
    case ENG_DRAW_STOCK:
    case ENG_DRAW_DISCARD:
        json_kv_text(out, "from", move->type == ENG_DRAW_STOCK ? "stock" : "discard");
        break;
    case ENG_MELD:
    case ENG_DISCARD:
        wire_cards(out, "cards", move->cards, move->n);
        break;
    case ENG_TAKE_BACK:
        if (move->meld != ENG_NO_MELD)
            json_kv_num(out, "meld", move->meld);
        break;
    case ENG_LAY_OFF:
    case ENG_SWAP:
        json_key(out, "card");
        wire_card(out, move->cards[0]);
        json_kv_num(out, "meld", move->meld);
        if (move->type == ENG_SWAP && move->n > 1) {
            json_key(out, "joker");
            wire_card(out, move->cards[1]);
        }
        if (move->type == ENG_LAY_OFF && wire_end(move->end))
            json_kv_text(out, "end", wire_end(move->end));
        break;
    case ENG_DECLARE:
        put_groups(out, move);
        break;
    case ENG_GROUP:
        put_groups(out, move);
        if (move->end != 0)
            json_kv_bool(out, "done", true);
        break;
    default:
        break;
    }
    json_close(out, '}');
    json_close(out, '}');
}

void wire_legal(struct buf *out, const struct eng_view *view, bool hints)
{
    struct eng_legal legal;
    struct eng_hints good = {0};
    ASSERT(view->viewer < view->players);
    eng_legal(view, &legal);
    ASSERT(legal.seat == view->viewer && legal.n <= ENG_LEGAL_MAX);
    if (hints)
        eng_hints(view, &good);
    json_key(out, "types");
    json_open(out, '[');
    const uint32_t draws = 1u << ENG_DRAW_STOCK | 1u << ENG_DRAW_DISCARD;
    if (legal.types & draws)
        json_text(out, wire_command_specs[WIRE_COMMAND_DRAW].name);
    for (int type = ENG_CANCEL_DRAW; type < ENG_MOVE_TYPE_END; type++)
        if (legal.types >> type & 1)
            json_text(out, wire_move_name((uint8_t)type));
    json_close(out, ']');
    json_key(out, "moves");
    json_open(out, '[');
    for (int i = 0; i < good.n; i++) {
        good.moves[i].end = ENG_END_NONE; /* the player decides if a grouping is final */
        wire_move(out, &good.moves[i]);
    }
    for (int i = 0; i < legal.n; i++)
        if (legal.moves[i].type != ENG_MELD) /* there are too many melds to list all of them */
            wire_move(out, &legal.moves[i]);
    json_close(out, ']');
}
