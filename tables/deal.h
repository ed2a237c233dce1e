/* A deal that many tables share, so that all players get the same cards for the same choices
 * (docs/daily-deal.md, docs/tournaments.md). These tables are dealt from the seed and number of the deal
 * instead of separate ones, accept no client seeds, and keep the server seeds secret until the database
 * reveals the deal. Pure, any thread. */
#ifndef RUMMYD_TABLES_DEAL_H
#define RUMMYD_TABLES_DEAL_H

#include <stdbool.h>
#include <stdint.h>

struct tab_deal {
    int64_t id; /* used instead of the table's number; 0: not a shared deal */
    uint8_t seed[32];
};

static inline bool tab_deal_is_shared(const struct tab_deal *deal)
{
    return deal->id != 0;
}

/* The number used for the deal's key, its record, and its bots' random state: that of the shared deal if
 * there is one, otherwise that of the table. */
uint64_t tab_deal_number(const struct tab_deal *deal, int64_t table_id);
/* The server seed of a hand, counted from 1; deal_hand_seed in db/functions computes the seed of the first
 * hand. */
void tab_deal_hand_seed(const struct tab_deal *deal, uint32_t hand_no, uint8_t seed[32]);

#endif
