/* Exports: solver results. */
#include <string.h>

#include "base/bug.h"
#include "engine/play/legal.h"
#include "engine/solver/arrange.h"
#include "wasm/edge.h"
#include "wire/game.h"
#include "wire/values.h"

static void put_cards(const uint8_t *cards, int n)
{
    json_open(&wasm_out, '[');
    for (int i = 0; i < n; i++)
        wire_card(&wasm_out, cards[i]);
    json_close(&wasm_out, ']');
}

/* ---- Arranging a hand ---- */

static uint32_t arrange_declare(const struct eng_params *params, uint8_t wild_card, const uint8_t *cards,
                                int n)
{
    struct eng_arrangement found;
    struct eng_wild wild = eng_wild_of(params, wild_card);
    if (n > ENG_GROUPING_CARDS)
        eng_arrange_finish(&wild, cards, n, &found);
    else
        eng_arrange(&wild, cards, n, &found);
    bool all = n >= ENG_GROUPING_CARDS && found.level == ARRANGE_TWO_SEQUENCES && found.loose == 0;
    int at = 0;
    wasm_begin();
    json_key(&wasm_out, "groups");
    json_open(&wasm_out, '[');
    for (int i = 0; i < found.groups; i++) {
        put_cards(found.cards + at, found.lens[i]);
        at += found.lens[i];
    }
    json_close(&wasm_out, ']');
    ASSERT(at <= found.n);
    wire_cards(&wasm_out, "rest", found.cards + at, found.n - at);
    json_key(&wasm_out, "finish");
    wire_card(&wasm_out, n > ENG_GROUPING_CARDS ? found.finish : ENG_NO_CARD);
    json_kv_num(&wasm_out, "points", found.points);
    json_kv_num(&wasm_out, "worth", 0);
    json_kv_bool(&wasm_out, "complete", all && at == found.n);
    return wasm_end();
}

/* Least deadwood. */
static uint32_t arrange_melds(const struct eng_params *params, const uint8_t *cards, int n)
{
    struct eng_solver_rules rules;
    struct eng_solver_goal goal;
    struct eng_solver_result found;
    struct eng_cards left = {{0, 0}};
    eng_solver_rules_of(&rules, params, ENG_RUN_MAX);
    eng_solver_goal_points(&goal, params);
    eng_solver_best(&rules, &goal, cards, n, &found);
    for (int i = 0; i < found.left_n; i++)
        eng_cards_add(&left, found.left[i]);
    wasm_begin();
    json_key(&wasm_out, "groups");
    json_open(&wasm_out, '[');
    for (int i = 0; i < found.groups_n; i++)
        put_cards(found.groups[i].cards, found.groups[i].n);
    json_close(&wasm_out, ']');
    wire_cards(&wasm_out, "rest", found.left, found.left_n);
    json_key(&wasm_out, "finish");
    json_nil(&wasm_out);
    json_kv_num(&wasm_out, "points", eng_cards_points(params, &left));
    json_kv_num(&wasm_out, "worth", found.worth);
    json_kv_bool(&wasm_out, "complete", found.left_n == 0);
    return wasm_end();
}

/* Input: parameters, a NUL, the card turned up or `-`, and the cards of a hand. Output: `groups`, ungrouped
 * cards (`rest`), their `points`; the `worth` of the groups in variants with melds; the card to `finish`
 * with if a hand of 14 is declared; `complete`: whether all cards are in groups, which in the declare
 * family must be a valid declaration. */
WASM_EXPORT("arrange") uint32_t wasm_arrange(uint32_t len)
{
    char word[8];
    uint8_t cards[ENG_HAND_MAX], wild = ENG_NO_CARD;
    struct eng_params params;
    const char *in = wasm_input(len), *end = in ? memchr(in, '\0', len) : NULL;
    if (!in)
        return (uint32_t)wasm_out.len;
    struct wasm_line row = wasm_line_of(in, end ? (size_t)(end - in) : 0);
    const char *wrong = wasm_read_params(&row, &params);
    if (wrong || !eng_params_ok(&params, params.players_min))
        return wasm_fail(wrong ? wrong : "bad_params", "The parameters are unknown or invalid.");
    struct wasm_line hand = wasm_line_of(end + 1, len - (size_t)(end + 1 - in));
    bool good = wasm_word(&hand, word, sizeof word);
    if (good && strcmp(word, "-") != 0) {
        wild = eng_card_parse(word, strlen(word));
        good = wild != ENG_NO_CARD;
    }
    int n = good ? wasm_read_cards(&hand, cards, ENG_HAND_MAX) : -1;
    bool declare = params.family == ENG_FAMILY_DECLARE;
    if (n < 1 || (declare && n > ENG_GROUPING_CARDS + 1))
        return wasm_fail("bad_cards", "These cards are not a hand.");
    return declare ? arrange_declare(&params, wild, cards, n) : arrange_melds(&params, cards, n);
}

/* ---- Openings ---- */

static void put_melds(const struct eng_solver_result *found)
{
    json_key(&wasm_out, "melds");
    json_open(&wasm_out, '[');
    for (int i = 0; i < found->groups_n; i++) {
        const struct eng_solver_group *group = &found->groups[i];
        json_open(&wasm_out, '{');
        json_kv_text(&wasm_out, "kind", wire_kind(group->kind));
        wire_cards(&wasm_out, "cards", group->cards, group->n);
        json_kv_num(&wasm_out, "worth", group->worth);
        json_close(&wasm_out, '}');
    }
    json_close(&wasm_out, ']');
}

/* For the seat to move, in families with melds. Output: `melds` that can be laid one after another now,
 * their `worth`, the staged worth, and the minimum; `opens`: whether the seat opens with them. */
WASM_EXPORT("opening") uint32_t wasm_opening(uint32_t game, uint32_t seat)
{
    bool opens = false;
    struct eng_view view;
    struct eng_legal_scene scene;
    struct eng_solver_result found = {0};
    struct wasm_game *g = wasm_game_at(game);
    if (!g)
        return (uint32_t)wasm_out.len;
    if (seat >= g->game.players)
        return wasm_fail("no_such_seat", "The game has no such seat.");
    eng_view(&g->game, (uint8_t)seat, &view);
    bool asked = g->game.params.family == ENG_FAMILY_MELD && eng_legal_scene_of(&scene, &view, false) &&
                 view.phase == ENG_TO_PLAY;
    if (!asked || !eng_legal_melds(&scene, &opens, &found))
        found = (struct eng_solver_result){0};
    wasm_begin();
    json_kv_bool(&wasm_out, "opens", opens);
    put_melds(&found);
    json_kv_num(&wasm_out, "worth", found.worth);
    json_kv_num(&wasm_out, "staged_sum", view.staged_sum);
    json_kv_num(&wasm_out, "opening_min", view.opening_min);
    return wasm_end();
}
