/* Tables of two: a minimum-cost matching. The cost of a pair has three levels: how often the two have met,
 * the difference of their scores, and a random lot per pair, which makes all matchings distinct. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "server/draw/draw.h"
#include "server/draw/matching.h"

_Static_assert((int)SRV_DRAW_PIECE_MAX <= (int)SRV_MATCH_MAX, "a piece is matched at once");

enum { LOT_BYTES = 6 };

/* For 384 pairs, lots sum to less than 2^57, differences of 30 rounds to less than 2^21. */
#define DIFFERENCE ((srv_cost)1 << 60)
#define REPEAT ((srv_cost)1 << 84)
_Static_assert((SRV_DRAW_PIECE_MAX / 2) * (int64_t)SRV_DRAW_SCORE_MAX < (int64_t)1 << 24,
               "no difference of scores counts like a repeat");

static void put32(uint8_t *to, int32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)((uint32_t)number >> (24 - 8 * i));
}

/* The first bytes of the SHA-256 of the key and both numbers, the smaller one first. */
static srv_cost lot_of(const struct srv_draw *draw, int32_t a, int32_t b)
{
    uint8_t text[sizeof(draw->key) + 8], hash[crypto_hash_sha256_BYTES];
    memcpy(text, draw->key, sizeof(draw->key));
    put32(text + sizeof(draw->key), a < b ? a : b);
    put32(text + sizeof(draw->key) + 4, a < b ? b : a);
    crypto_hash_sha256(hash, text, sizeof(text));
    srv_cost lot = 0;
    for (int i = 0; i < LOT_BYTES; i++)
        lot = lot << 8 | hash[i];
    return lot;
}

static void set_costs(const struct srv_draw *draw, const int32_t *who, int n, srv_cost *costs, int32_t *at)
{
    for (int i = 0; i < n; i++) {
        at[who[i]] = i;
        for (int j = 0; j < i; j++) {
            const srv_cost cost = lot_of(draw, draw->entry[who[i]], draw->entry[who[j]]) +
                                  DIFFERENCE * abs(draw->score[who[i]] - draw->score[who[j]]);
            costs[i * n + j] = costs[j * n + i] = cost;
        }
    }
    for (int i = 0; i < n; i++)
        for (int32_t m = draw->met_at[who[i]]; m < draw->met_at[who[i] + 1]; m++) {
            const int32_t j = at[draw->met[m]];
            if (j >= 0)
                costs[i * n + j] += REPEAT;
        }
    for (int i = 0; i < n; i++)
        at[who[i]] = -1;
}

static bool match_piece(const struct srv_draw *draw, const int32_t *who, int n, int32_t *pairs,
                        int64_t *repeats, int32_t *at)
{
    srv_cost *costs = calloc((size_t)n * (size_t)n, sizeof(*costs));
    int mate[SRV_DRAW_PIECE_MAX];
    bool ok = costs != NULL;
    if (ok) {
        set_costs(draw, who, n, costs, at);
        ok = srv_match(n, costs, mate);
    }
    for (int i = 0; ok && i < n; i++) {
        if (mate[i] < i)
            continue;
        *pairs++ = who[i];
        *pairs++ = who[mate[i]];
        *repeats += (int64_t)(costs[i * n + mate[i]] / REPEAT);
    }
    free(costs);
    return ok;
}

/* The number of entrants with equal scores needed on each side of a cut. With that many, a matching across
 * the cut is never better, because each entrant has an equal partner on their own side
 * (docs/tournaments.md). */
static int margin_of(const struct srv_draw *draw)
{
    int most = 0;
    for (int i = 0; i < draw->n; i++) {
        const int met = draw->met_at[i + 1] - draw->met_at[i];
        most = met > most ? met : most;
    }
    return 6 * most + 2;
}

static int piece_of(const struct srv_draw *draw, const int32_t *who, int n, int margin)
{
    if (n <= SRV_DRAW_PIECE_MAX)
        return n;
    for (int cut = SRV_DRAW_PIECE; cut <= 2 * SRV_DRAW_PIECE; cut += 2)
        if (cut >= margin && cut + margin <= n &&
            draw->score[who[cut - margin]] == draw->score[who[cut + margin - 1]])
            return cut;
    return 2 * SRV_DRAW_PIECE;
}

bool srv_draw_pairs(const struct srv_draw *draw, const int32_t *who, int n, int32_t *pairs, int64_t *repeats)
{
    ASSERT(n % 2 == 0);
    *repeats = 0;
    int32_t *at = malloc(sizeof(*at) * (size_t)draw->n);
    bool ok = at != NULL;
    for (int i = 0; ok && i < draw->n; i++)
        at[i] = -1;
    const int margin = margin_of(draw);
    for (int piece; ok && n > 0; who += piece, pairs += piece, n -= piece) {
        piece = piece_of(draw, who, n, margin);
        ok = match_piece(draw, who, piece, pairs, repeats, at);
    }
    free(at);
    return ok;
}
