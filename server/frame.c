/* Decoding by specification: each command names the members its `d` has and must have. */
#include "server/frame_in.h"

#include <string.h>

#include "base/bug.h"
#include "base/text.h"

enum {
    F_FROM = 1,
    F_CARDS = 2,
    F_CARD = 4,
    F_MELD = 8,
    F_END = 16,
    F_JOKER = 32,
    F_SEED = 64,
    F_HINTS = 128,
    F_GROUPS = 256,
    F_FINISH = 512,
    F_DONE = 1024,
};

static const struct spec {
    const char *name;
    bool is_ping;
    uint8_t kind; /* enum tab_command_kind */
    uint8_t move; /* enum eng_move_type of TAB_DO_MOVE */
    unsigned needs, may;
} specs[] = {
    {"draw", false, TAB_DO_MOVE, ENG_DRAW_STOCK, F_FROM, 0},
    {"cancel_draw", false, TAB_DO_MOVE, ENG_CANCEL_DRAW, 0, 0},
    {"meld", false, TAB_DO_MOVE, ENG_MELD, F_CARDS, 0},
    {"take_back", false, TAB_DO_MOVE, ENG_TAKE_BACK, 0, F_MELD},
    {"lay_off", false, TAB_DO_MOVE, ENG_LAY_OFF, F_CARD | F_MELD, F_END},
    {"swap", false, TAB_DO_MOVE, ENG_SWAP, F_CARD | F_MELD, F_JOKER},
    {"discard", false, TAB_DO_MOVE, ENG_DISCARD, F_CARDS, 0},
    {"flip", false, TAB_DO_MOVE, ENG_FLIP, 0, 0},
    {"declare", false, TAB_DO_MOVE, ENG_DECLARE, F_GROUPS | F_FINISH, 0},
    {"group", false, TAB_DO_MOVE, ENG_GROUP, F_GROUPS, F_DONE},
    {"drop", false, TAB_DO_MOVE, ENG_DROP, 0, 0},
    {"rejoin", false, TAB_DO_MOVE, ENG_REJOIN, 0, 0},
    {"ready", false, TAB_DO_READY, 0, 0, 0},
    {"leave", false, TAB_DO_LEAVE, 0, 0, 0},
    {"return", false, TAB_DO_RETURN, 0, 0, 0},
    {"seed", false, TAB_DO_SEED, 0, F_SEED, 0},
    {"legal", false, TAB_DO_LEGAL, 0, 0, F_HINTS},
    {"chat", false, TAB_DO_CHAT, 0, 0, 0},
    {"emote", false, TAB_DO_EMOTE, 0, 0, 0},
    {"ping", true, 0, 0, 0, 0},
};

const char *const srv_frame_names[] = {"draw",    "cancel_draw", "meld",  "take_back", "lay_off", "swap",
                                       "discard", "flip",        "leave", "return",    "seed",    "legal",
                                       "chat",    "emote",       "ping",  "declare",   "group",   "drop",
                                       "rejoin",  "ready",       NULL};

/* ---- Members of d ---- */
static enum api_code read_card(const json_t *value, uint8_t *card)
{
    if (!json_is_string(value))
        return API_WRONG_TYPE;
    *card = eng_card_parse(json_string_value(value), json_string_length(value));
    return *card == ENG_NO_CARD ? API_BAD_FORMAT : API_OK;
}

static enum api_code read_cards(const json_t *value, struct eng_move *move)
{
    if (!json_is_array(value))
        return API_WRONG_TYPE;
    size_t n = json_array_size(value);
    if (n < 1 || n > ENG_MOVE_CARDS_MAX)
        return API_BAD_LENGTH;
    for (size_t i = 0; i < n; i++) {
        enum api_code code = read_card(json_array_get(value, i), &move->cards[i]);
        if (code != API_OK)
            return code;
    }
    move->n = (uint8_t)n;
    return API_OK;
}

/* Cards in groups, one group after the other. */
static enum api_code read_groups(const json_t *value, struct eng_move *move)
{
    if (!json_is_array(value))
        return API_WRONG_TYPE;
    if (json_array_size(value) > ENG_GROUPS_MAX)
        return API_BAD_LENGTH;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *group = json_array_get(value, i);
        size_t n = json_array_size(group);
        if (!json_is_array(group))
            return API_WRONG_TYPE;
        if (n < 1 || move->n + n > ENG_MOVE_CARDS_MAX - 1)
            return API_BAD_LENGTH;
        for (size_t k = 0; k < n; k++) {
            enum api_code code = read_card(json_array_get(group, k), &move->cards[move->n++]);
            if (code != API_OK)
                return code;
        }
        move->lens[move->groups++] = (uint8_t)n;
    }
    return API_OK;
}

static enum api_code read_flag(const json_t *value, bool *flag)
{
    *flag = json_is_true(value);
    return json_is_boolean(value) ? API_OK : API_WRONG_TYPE;
}

static enum api_code read_choice(const json_t *value, const char *first, const char *second, int *choice)
{
    if (!json_is_string(value))
        return API_WRONG_TYPE;
    bool is_first = strcmp(json_string_value(value), first) == 0;
    if (!is_first && strcmp(json_string_value(value), second) != 0)
        return API_BAD_FORMAT;
    *choice = is_first ? 0 : 1;
    return API_OK;
}

static enum api_code read_seed(const json_t *value, struct eng_client_seed *seed)
{
    if (!json_is_string(value))
        return API_WRONG_TYPE;
    int len =
        text_unhex(seed->bytes, sizeof(seed->bytes), json_string_value(value), json_string_length(value));
    if (len < 16)
        return API_BAD_SEED;
    seed->len = (uint8_t)len;
    return API_OK;
}

static enum api_code read_int(const json_t *value, int64_t max, int64_t *number)
{
    if (!json_is_integer(value))
        return API_WRONG_TYPE;
    *number = json_integer_value(value);
    return *number >= 0 && *number <= max ? API_OK : API_OUT_OF_RANGE;
}

static enum api_code read_joker(const json_t *value, struct eng_move *move)
{
    move->n = 2;
    return read_card(value, &move->cards[1]);
}

static enum api_code read_member(struct tab_command *command, unsigned field, const json_t *value)
{
    struct eng_move *move = &command->move;
    int choice = 0;
    bool done = false;
    int64_t number = 0;
    enum api_code code;
    switch (field) {
    case F_FROM:
        code = read_choice(value, "stock", "discard", &choice);
        move->type = choice == 0 ? ENG_DRAW_STOCK : ENG_DRAW_DISCARD;
        return code;
    case F_CARDS:
        return read_cards(value, move);
    case F_CARD:
        move->n = move->n > 1 ? move->n : 1;
        return read_card(value, &move->cards[0]);
    case F_JOKER:
        return read_joker(value, move);
    case F_MELD:
        code = read_int(value, ENG_MELD_MAX - 1, &number);
        move->meld = (uint8_t)number;
        return code;
    case F_END:
        code = read_choice(value, "low", "high", &choice);
        move->end = choice == 0 ? ENG_END_LOW : ENG_END_HIGH;
        return code;
    case F_SEED:
        return read_seed(value, &command->seed);
    case F_HINTS:
        return read_flag(value, &command->hints);
    case F_GROUPS:
        return read_groups(value, move);
    case F_FINISH: /* its place is behind the groups, wherever the member stood */
        return read_card(value, &move->cards[ENG_MOVE_CARDS_MAX - 1]);
    case F_DONE:
        code = read_flag(value, &done);
        move->end = done;
        return code;
    default:
        BUG("a member without a reader");
    }
}

static unsigned field_named(const char *name)
{
    static const char *const names[] = {"from", "cards", "card",   "meld",   "end", "joker",
                                        "seed", "hints", "groups", "finish", "done"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(names[i], name) == 0)
            return 1u << i;
    return 0;
}

static enum api_code read_data(struct tab_command *command, const struct spec *spec, json_t *d)
{
    unsigned seen = 0;
    const char *key;
    json_t *value;
    if (d && !json_is_object(d))
        return API_WRONG_TYPE;
    json_object_foreach(d, key, value)
    {
        unsigned field = field_named(key);
        if (field == 0 || !(field & (spec->needs | spec->may)))
            return API_UNKNOWN_MEMBER;
        enum api_code code = read_member(command, field, value);
        if (code != API_OK)
            return code;
        seen |= field;
    }
    return (spec->needs & ~seen) ? API_MISSING_MEMBER : API_OK;
}

/* ---- The frame ---- */
static enum api_code read_id(struct srv_frame *frame, const json_t *id)
{
    if (!id)
        return API_MISSING_MEMBER;
    if (!json_is_string(id))
        return API_WRONG_TYPE;
    const char *text = json_string_value(id);
    size_t len = json_string_length(id);
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

static enum api_code read_envelope(json_t *root, struct srv_frame *frame, const struct spec **spec,
                                   json_t **d)
{
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value)
    {
        if (strcmp(key, "t") != 0 && strcmp(key, "id") != 0 && strcmp(key, "base") != 0 &&
            strcmp(key, "d") != 0)
            return API_UNKNOWN_MEMBER;
    }
    const json_t *type = json_object_get(root, "t"), *base = json_object_get(root, "base");
    if (!type)
        return API_MISSING_MEMBER;
    if (!json_is_string(type))
        return API_WRONG_TYPE;
    for (size_t i = 0; i < ARRAY_LEN(specs); i++)
        if (strcmp(specs[i].name, json_string_value(type)) == 0)
            *spec = &specs[i];
    if (!*spec)
        return API_UNKNOWN_TYPE;
    if (base) {
        int64_t number = 0;
        enum api_code code = read_int(base, UINT32_MAX, &number);
        if (code != API_OK)
            return code;
        frame->command.has_base = true;
        frame->command.base = (uint32_t)number;
    }
    *d = json_object_get(root, "d");
    return API_OK;
}

static void json_drop(json_t **value)
{
    json_decref(*value);
}

enum api_code srv_frame_read(struct srv_frame *frame, const char *text, size_t len)
{
    *frame = (struct srv_frame){.command.move.meld = ENG_NO_MELD};
    if (len > SRV_FRAME_IN_MAX)
        return API_FRAME_TOO_BIG;
    if (!text_utf8_ok(text, len))
        return API_BAD_UTF8;
    json_error_t error;
    __attribute__((cleanup(json_drop))) json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return json_error_code(&error) == json_error_duplicate_key ? API_DUPLICATE_MEMBER : API_BAD_JSON;
    if (!json_is_object(root))
        return API_BAD_JSON;
    const struct spec *spec = NULL;
    json_t *d = NULL;
    enum api_code code = read_id(frame, json_object_get(root, "id"));
    if (code == API_OK)
        code = read_envelope(root, frame, &spec, &d);
    if (code != API_OK)
        return code;
    frame->is_ping = spec->is_ping;
    frame->command.kind = spec->kind;
    frame->command.move.type = spec->move;
    if (spec->kind == TAB_DO_CHAT || spec->kind == TAB_DO_EMOTE)
        return srv_frame_said(frame, d);
    code = read_data(&frame->command, spec, d);
    struct eng_move *move = &frame->command.move;
    if (code == API_OK && move->type == ENG_DECLARE)
        move->cards[move->n++] = move->cards[ENG_MOVE_CARDS_MAX - 1];
    return code;
}
