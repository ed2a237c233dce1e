/* Spec-driven decoding: the contract defines the permitted and required members in the `d` of each
 * command. */
#include "server/ws/frame_in.h"

#include <string.h>

#include "base/bug.h"
#include "base/text.h"

/* The action of each command; wire_command_specs defines the members of its data. */
static const struct {
    uint8_t kind; /* enum tab_command_kind */
    uint8_t move; /* enum eng_move_type of TAB_DO_MOVE */
} does[WIRE_COMMANDS_N] = {
    [WIRE_COMMAND_DRAW] = {TAB_DO_MOVE, ENG_DRAW_STOCK},
    [WIRE_COMMAND_CANCEL_DRAW] = {TAB_DO_MOVE, ENG_CANCEL_DRAW},
    [WIRE_COMMAND_MELD] = {TAB_DO_MOVE, ENG_MELD},
    [WIRE_COMMAND_TAKE_BACK] = {TAB_DO_MOVE, ENG_TAKE_BACK},
    [WIRE_COMMAND_LAY_OFF] = {TAB_DO_MOVE, ENG_LAY_OFF},
    [WIRE_COMMAND_SWAP] = {TAB_DO_MOVE, ENG_SWAP},
    [WIRE_COMMAND_DISCARD] = {TAB_DO_MOVE, ENG_DISCARD},
    [WIRE_COMMAND_FLIP] = {TAB_DO_MOVE, ENG_FLIP},
    [WIRE_COMMAND_DECLARE] = {TAB_DO_MOVE, ENG_DECLARE},
    [WIRE_COMMAND_GROUP] = {TAB_DO_MOVE, ENG_GROUP},
    [WIRE_COMMAND_DROP] = {TAB_DO_MOVE, ENG_DROP},
    [WIRE_COMMAND_REJOIN] = {TAB_DO_MOVE, ENG_REJOIN},
    [WIRE_COMMAND_READY] = {TAB_DO_READY, 0},
    [WIRE_COMMAND_LEAVE] = {TAB_DO_LEAVE, 0},
    [WIRE_COMMAND_RETURN] = {TAB_DO_RETURN, 0},
    [WIRE_COMMAND_SEED] = {TAB_DO_SEED, 0},
    [WIRE_COMMAND_LEGAL] = {TAB_DO_LEGAL, 0},
    [WIRE_COMMAND_CHAT] = {TAB_DO_CHAT, 0},
    [WIRE_COMMAND_EMOTE] = {TAB_DO_EMOTE, 0},
    [WIRE_COMMAND_PING] = {0, 0}, /* the socket answers it */
};

/* ---- Members of d ---- */
static bool is_text(const struct jread_node *value)
{
    return value->kind == JREAD_STRING;
}

static enum api_code read_card(const struct jread_node *value, uint8_t *card)
{
    char name[ENG_CARD_NAME_MAX];
    if (!is_text(value))
        return API_WRONG_TYPE;
    size_t len = jread_text(value, name, sizeof(name));
    *card = len < sizeof(name) ? eng_card_parse(name, len) : (uint8_t)ENG_NO_CARD;
    return *card == ENG_NO_CARD ? API_BAD_FORMAT : API_OK;
}

static enum api_code read_cards(const struct jread_node *value, struct eng_move *move)
{
    if (value->kind != JREAD_ARRAY)
        return API_WRONG_TYPE;
    if (value->n < 1 || value->n > ENG_MOVE_CARDS_MAX)
        return API_BAD_LENGTH;
    uint8_t n = 0;
    for (const struct jread_node *at = jread_first(value); at < jread_end(value); at = jread_next(at)) {
        enum api_code code = read_card(at, &move->cards[n++]);
        if (code != API_OK)
            return code;
    }
    move->n = n;
    return API_OK;
}

static enum api_code read_group(const struct jread_node *group, struct eng_move *move)
{
    if (group->kind != JREAD_ARRAY)
        return API_WRONG_TYPE;
    if (group->n < 1 || move->n + group->n > ENG_MOVE_CARDS_MAX - 1)
        return API_BAD_LENGTH;
    for (const struct jread_node *at = jread_first(group); at < jread_end(group); at = jread_next(at)) {
        enum api_code code = read_card(at, &move->cards[move->n++]);
        if (code != API_OK)
            return code;
    }
    ASSERT(move->n < ENG_MOVE_CARDS_MAX); /* one slot is for the finishing card */
    if (move->groups < ENG_GROUPS_MAX)
        move->lens[move->groups] = (uint8_t)group->n;
    move->groups++;
    return API_OK;
}

/* Reads groups of cards one after another. The rules check the number of groups of a declaration. */
static enum api_code read_groups(const struct jread_node *value, struct eng_move *move)
{
    if (value->kind != JREAD_ARRAY)
        return API_WRONG_TYPE;
    if (value->n > ENG_MOVE_CARDS_MAX - 1)
        return API_BAD_LENGTH;
    for (const struct jread_node *at = jread_first(value); at < jread_end(value); at = jread_next(at)) {
        enum api_code code = read_group(at, move);
        if (code != API_OK)
            return code;
    }
    return API_OK;
}

static enum api_code read_flag(const struct jread_node *value, bool *flag)
{
    *flag = value->kind == JREAD_TRUE;
    return *flag || value->kind == JREAD_FALSE ? API_OK : API_WRONG_TYPE;
}

static enum api_code read_choice(const struct jread_node *value, const char *first, const char *second,
                                 int *choice)
{
    if (!is_text(value))
        return API_WRONG_TYPE;
    bool is_first = jread_is(value, first);
    if (!is_first && !jread_is(value, second))
        return API_BAD_FORMAT;
    *choice = is_first ? 0 : 1;
    return API_OK;
}

static enum api_code read_seed(const struct jread_node *value, struct eng_client_seed *seed)
{
    char hex[2 * sizeof(seed->bytes) + 1];
    if (!is_text(value))
        return API_WRONG_TYPE;
    size_t hex_n = jread_text(value, hex, sizeof(hex));
    int len = hex_n < sizeof(hex) ? text_unhex(seed->bytes, sizeof(seed->bytes), hex, hex_n) : -1;
    if (len < 16)
        return API_BAD_SEED;
    seed->len = (uint8_t)len;
    return API_OK;
}

static enum api_code read_int(const struct jread_node *value, int64_t max, int64_t *number)
{
    if (value->kind != JREAD_INT)
        return API_WRONG_TYPE;
    ASSERT(max > 0);
    *number = value->number;
    return *number >= 0 && *number <= max ? API_OK : API_OUT_OF_RANGE;
}

static enum api_code read_joker(const struct jread_node *value, struct eng_move *move)
{
    move->n = 2;
    return read_card(value, &move->cards[1]);
}

static enum api_code read_member(struct tab_command *command, int member, const struct jread_node *value)
{
    struct eng_move *move = &command->move;
    int choice = 0;
    bool done = false;
    int64_t number = 0;
    enum api_code code;
    switch (member) {
    case WIRE_MEMBER_FROM:
        code = read_choice(value, "stock", "discard", &choice);
        move->type = choice == 0 ? ENG_DRAW_STOCK : ENG_DRAW_DISCARD;
        return code;
    case WIRE_MEMBER_CARDS:
        return read_cards(value, move);
    case WIRE_MEMBER_CARD:
        move->n = move->n > 1 ? move->n : 1;
        return read_card(value, &move->cards[0]);
    case WIRE_MEMBER_JOKER:
        return read_joker(value, move);
    case WIRE_MEMBER_MELD:
        code = read_int(value, ENG_MELD_MAX - 1, &number);
        move->meld = (uint8_t)number;
        return code;
    case WIRE_MEMBER_END:
        code = read_choice(value, "low", "high", &choice);
        move->end = choice == 0 ? ENG_END_LOW : ENG_END_HIGH;
        return code;
    case WIRE_MEMBER_SEED:
        return read_seed(value, &command->seed);
    case WIRE_MEMBER_HINTS:
        return read_flag(value, &command->hints);
    case WIRE_MEMBER_GROUPS:
        return read_groups(value, move);
    case WIRE_MEMBER_FINISH: /* last slot, no matter where the member occurs */
        return read_card(value, &move->cards[ENG_MOVE_CARDS_MAX - 1]);
    case WIRE_MEMBER_DONE:
        code = read_flag(value, &done);
        move->end = done;
        return code;
    default:
        BUG("a member without a reader");
    }
}

/* -1: no such member. */
static int member_named(const struct jread_node *name)
{
    for (int i = 0; i < WIRE_MEMBERS_N; i++)
        if (jread_is(name, wire_member_names[i]))
            return i;
    return -1;
}

static enum api_code read_data(struct tab_command *command, const struct wire_command_spec *spec,
                               const struct jread_node *d)
{
    unsigned seen = 0;
    if (!d)
        return spec->needs ? API_MISSING_MEMBER : API_OK;
    if (d->kind != JREAD_OBJECT)
        return API_WRONG_TYPE;
    for (const struct jread_node *name = jread_first(d); name < jread_end(d); name = jread_next(name + 1)) {
        int member = member_named(name);
        if (member < 0 || !((spec->needs | spec->may) >> member & 1))
            return API_UNKNOWN_MEMBER;
        enum api_code code = read_member(command, member, name + 1);
        if (code != API_OK)
            return code;
        seen |= 1u << member;
    }
    if (!(spec->needs & WIRE_HAS(FINISH)) && command->move.groups > ENG_GROUPS_MAX)
        return API_BAD_LENGTH;
    return (spec->needs & ~seen) ? API_MISSING_MEMBER : API_OK;
}

/* ---- The frame ---- */
static enum api_code read_id(struct srv_frame *frame, const struct jread_node *id)
{
    char text[TAB_COMMAND_ID_MAX];
    if (!id)
        return API_MISSING_MEMBER;
    if (!is_text(id))
        return API_WRONG_TYPE;
    size_t len = jread_text(id, text, sizeof(text));
    if (len < 1 || len >= TAB_COMMAND_ID_MAX)
        return API_BAD_LENGTH;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        bool fine = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                    c == '-';
        if (!fine)
            return API_BAD_FORMAT;
    }
    memcpy(frame->command.id, text, len + 1);
    frame->has_id = true;
    return API_OK;
}

struct envelope {
    const struct jread_node *t, *id, *base, *d; /* NULL: missing */
    bool unknown;
};

static struct envelope open_envelope(const struct jread_node *root)
{
    struct envelope e = {0};
    for (const struct jread_node *at = jread_first(root); at < jread_end(root); at = jread_next(at + 1)) {
        if (jread_is(at, "t"))
            e.t = at + 1;
        else if (jread_is(at, "id"))
            e.id = at + 1;
        else if (jread_is(at, "base"))
            e.base = at + 1;
        else if (jread_is(at, "d"))
            e.d = at + 1;
        else
            e.unknown = true;
    }
    return e;
}

static enum api_code read_envelope(const struct envelope *e, struct srv_frame *frame,
                                   enum wire_command_name *command)
{
    enum api_code code = read_id(frame, e->id);
    if (code != API_OK)
        return code;
    if (e->unknown)
        return API_UNKNOWN_MEMBER;
    if (!e->t)
        return API_MISSING_MEMBER;
    if (!is_text(e->t))
        return API_WRONG_TYPE;
    int i = 0;
    while (i < WIRE_COMMANDS_N && !jread_is(e->t, wire_command_specs[i].name))
        i++;
    if (i == WIRE_COMMANDS_N)
        return API_UNKNOWN_TYPE;
    *command = (enum wire_command_name)i;
    if (!e->base)
        return API_OK;
    int64_t number = 0;
    code = read_int(e->base, UINT32_MAX, &number);
    frame->command.has_base = code == API_OK;
    frame->command.base = (uint32_t)number;
    return code;
}

static enum api_code read_tree(struct jread *tree, const char *text, size_t len)
{
    switch (jread(tree, text, len)) {
    case JREAD_OK:
        return tree->nodes[0].kind == JREAD_OBJECT ? API_OK : API_BAD_JSON;
    case JREAD_DUPLICATE:
        return API_DUPLICATE_MEMBER;
    case JREAD_TOO_MANY: /* more values than any command has */
        return API_BAD_LENGTH;
    case JREAD_BAD:
        break;
    }
    return API_BAD_JSON;
}

enum api_code srv_frame_read(struct srv_frame *frame, const char *text, size_t len)
{
    struct jread tree;
    *frame = (struct srv_frame){.command.move.meld = ENG_NO_MELD};
    if (len > SRV_FRAME_IN_MAX)
        return API_FRAME_TOO_BIG;
    if (!text_utf8_ok(text, len))
        return API_BAD_UTF8;
    enum api_code code = read_tree(&tree, text, len);
    if (code != API_OK)
        return code;
    const struct envelope envelope = open_envelope(&tree.nodes[0]);
    enum wire_command_name command = WIRE_COMMAND_PING;
    code = read_envelope(&envelope, frame, &command);
    if (code != API_OK)
        return code;
    ASSERT(command < WIRE_COMMANDS_N && frame->has_id);
    frame->is_ping = command == WIRE_COMMAND_PING;
    frame->command.kind = does[command].kind;
    frame->command.move.type = does[command].move;
    if (command == WIRE_COMMAND_CHAT || command == WIRE_COMMAND_EMOTE)
        return srv_frame_chat(frame, envelope.d);
    code = read_data(&frame->command, &wire_command_specs[command], envelope.d);
    struct eng_move *move = &frame->command.move;
    if (code == API_OK && move->type == ENG_DECLARE)
        move->cards[move->n++] = move->cards[ENG_MOVE_CARDS_MAX - 1];
    return code;
}
