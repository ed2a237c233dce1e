/* Export: the engine's enum names, so that JavaScript need not hard-code their numbers. */
#include "base/bug.h"
#include "wasm/edge.h"
#include "wire/game.h"
#include "wire/values.h"

/* Move numbers by command name; `draw` stands for two of them. */
static void put_moves(void)
{
    json_key(&wasm_out, "moves");
    json_open(&wasm_out, '{');
    json_kv_num(&wasm_out, "draw_discard", ENG_DRAW_DISCARD);
    for (int type = 1; type < ENG_MOVE_TYPE_END; type++)
        if (type != ENG_DRAW_DISCARD)
            json_kv_num(&wasm_out, wire_move_name((uint8_t)type), type);
    json_close(&wasm_out, '}');
}

static void put_variants(void)
{
    const struct eng_params *row;
    json_key(&wasm_out, "variants");
    json_open(&wasm_out, '[');
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++) {
        json_open(&wasm_out, '{');
        json_kv_text(&wasm_out, "variant", row->variant);
        wire_params(&wasm_out, row);
        json_close(&wasm_out, '}');
    }
    json_close(&wasm_out, ']');
}

static void put_cards(void)
{
    uint8_t cards[ENG_CARD_MAX];
    for (int card = 0; card < ENG_CARD_MAX; card++)
        cards[card] = (uint8_t)card;
    wire_cards(&wasm_out, "cards", cards, ENG_CARD_MAX);
}

static void put_levels(void)
{
    json_key(&wasm_out, "levels");
    json_open(&wasm_out, '{');
    for (int level = ENG_BOT_EASY; level < ENG_BOT_LEVELS; level++)
        json_kv_num(&wasm_out, eng_bot_level_name((enum eng_bot_level)level), level);
    json_close(&wasm_out, '}');
}

WASM_EXPORT("words") uint32_t wasm_words(void)
{
    wasm_begin();
    put_moves();
    put_levels();
    put_cards();
    put_variants();
    json_kv_num(&wasm_out, "move_bytes", sizeof(struct eng_move));
    json_kv_num(&wasm_out, "move_cards_max", ENG_MOVE_CARDS_MAX);
    json_kv_num(&wasm_out, "groups_max", ENG_GROUPS_MAX);
    json_kv_num(&wasm_out, "none", ENG_NO_MELD);
    json_kv_num(&wasm_out, "spectator", ENG_SPECTATOR);
    json_kv_num(&wasm_out, "everybody", WASM_EVERYBODY);
    return wasm_end();
}
