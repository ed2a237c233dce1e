/* Bytes as moves: the first eight deal a hand of some variant with some options; the rest are either
 * journal rows of moves or select purposeful moves. After every move the game's invariants hold; a refusal
 * changes nothing. */
#include <stdint.h>
#include <string.h>

#include "base/bug.h"
#include "tests/engine/play.h"
#include "tests/engine/prove.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void apply(struct eng_game *g, const struct eng_move *m)
{
    struct eng_outcome out;
    struct eng_game before = *g;
    if (eng_apply(g, m, &out) != ENG_OK)
        ASSERT(memcmp(&before, g, sizeof before) == 0);
    eng_check(g);
    struct eng_view view;
    eng_view(g, g->to_move, &view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct eng_game g;
    struct eng_outcome out;
    uint64_t number = 0, rng;
    if (size < sizeof number)
        return 0;
    memcpy(&number, data, sizeof number);
    rng = number;
    int players;
    const struct eng_params row = prove_row(number, &players);
    play_deal(&g, &row, players, number, &out);
    for (size_t at = sizeof number; at < size;) {
        struct eng_move m;
        uint8_t kind = data[at++];
        size_t len = 5 + (kind & 15U);
        if (kind >= 128 && len <= size - at && eng_move_decode(&m, data + at, len)) {
            at += len;
        } else {
            rng ^= kind;
            play_propose(&g, &rng, &m);
        }
        apply(&g, &m);
    }
    return 0;
}
