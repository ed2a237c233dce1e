/* Creates a game before its first deal, hashes a whole game, and returns the few public facts that need no
 * view. Called by the hub, the journal (which stores the hash after each move), recovery, and records. */
#include "engine/core/game.h"

#include <string.h>

#include "base/bug.h"

void eng_init(struct eng_game *g, const struct eng_params *params, int players)
{
    ASSERT(eng_params_ok(params, players));
    memset(g, 0, sizeof *g);
    g->params = *params;
    g->players = (uint8_t)players;
    g->phase = ENG_TO_DEAL;
    g->winner = ENG_NO_SEAT;
    g->drawn = ENG_NO_CARD;
    g->wild_card = g->open_card = ENG_NO_CARD;
    g->declarer = ENG_NO_SEAT;
    memset(g->freed_meld, ENG_NO_MELD, sizeof g->freed_meld);
    for (int seat = 0; seat < players; seat++)
        g->points[seat] = params->start_points * params->session_hands;
    g->rare_hash = eng_hash_rare(g);
}

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

/* Hashes whole words in four lanes, so that the multiplications overlap. */
static uint64_t hash_words(const void *words, size_t n)
{
    enum { LANES = 4 };
    uint64_t lane[LANES] = {1, 2, 3, 4}, word;
    const char *at = words;
    for (size_t i = 0; i < n; i++, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        lane[i % LANES] = mix(lane[i % LANES], word);
    }
    uint64_t h = 0;
    for (int i = 0; i < LANES; i++)
        h = mix(h, lane[i]);
    return h;
}

uint64_t eng_hash_rare(const struct eng_game *g)
{
    enum { FROM = offsetof(struct eng_game, key), WORDS = (sizeof *g - FROM) / sizeof(uint64_t) };
    static_assert((sizeof *g - FROM) % sizeof(uint64_t) == 0, "whole words");
    return hash_words((const char *)g + FROM, WORDS);
}

/* Covers the whole game, because rare_hash is one of the words. */
uint64_t eng_hash(const struct eng_game *g)
{
    enum { WORDS = offsetof(struct eng_game, key) / sizeof(uint64_t) };
    static_assert(offsetof(struct eng_game, key) % sizeof(uint64_t) == 0, "whole words");
    ASSERT(g->players >= 2);
    return hash_words(g, WORDS);
}

uint32_t eng_version(const struct eng_game *g)
{
    ASSERT(g->players >= 2);
    return g->v;
}

enum eng_phase eng_phase(const struct eng_game *g)
{
    ASSERT(g->phase <= ENG_TO_GROUP);
    return (enum eng_phase)g->phase;
}

uint8_t eng_seat_to_move(const struct eng_game *g)
{
    ASSERT(g->to_move < g->players);
    return g->phase == ENG_TO_DRAW || g->phase == ENG_TO_PLAY ? g->to_move : ENG_NO_SEAT;
}

bool eng_seat_is_away(const struct eng_game *g, uint8_t seat)
{
    ASSERT(seat < g->players);
    ASSERT((g->left & ~g->away) == 0);
    return eng_seat_bit(g->away, seat);
}

bool eng_seat_to_group(const struct eng_game *g, uint8_t seat)
{
    ASSERT(seat < g->players);
    if (g->phase != ENG_TO_GROUP || seat == g->declarer)
        return false;
    return !eng_seat_bit(g->sat_out | g->dropped | g->wrong | g->grouped | g->away, seat);
}

bool eng_seat_is_out(const struct eng_game *g, uint8_t seat)
{
    ASSERT(seat < g->players && g->hand_no >= g->out_at[seat]);
    return g->out_at[seat] != 0;
}

uint8_t eng_taken_discard(const struct eng_game *g)
{
    ASSERT(g->drew <= 1 + ENG_DISCARD_PILE);
    return g->drew == 1 + ENG_DISCARD_PILE ? g->drawn : ENG_NO_CARD;
}

bool eng_has_staged(const struct eng_game *g)
{
    ASSERT(g->staged_sum == 0 || !eng_seat_bit(g->opened, g->to_move));
    return g->staged_sum > 0;
}
