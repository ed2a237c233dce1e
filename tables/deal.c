/* Shared deals; see deal.h. */
#include "tables/deal.h"

#include <sodium.h>
#include <string.h>

#include "base/bug.h"

static const char hand_label[] = "rummy-deal-seed-1";

uint64_t tab_deal_number(const struct tab_deal *deal, int64_t table_id)
{
    ASSERT(deal->id >= 0 && table_id > 0);
    return (uint64_t)(tab_deal_is_shared(deal) ? deal->id : table_id);
}

void tab_deal_hand_seed(const struct tab_deal *deal, uint32_t hand_no, uint8_t seed[32])
{
    const uint8_t be[4] = {(uint8_t)(hand_no >> 24), (uint8_t)(hand_no >> 16), (uint8_t)(hand_no >> 8),
                           (uint8_t)hand_no};
    crypto_hash_sha256_state state;
    ASSERT(tab_deal_is_shared(deal) && hand_no > 0);
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const uint8_t *)hand_label, strlen(hand_label));
    crypto_hash_sha256_update(&state, deal->seed, sizeof(deal->seed));
    crypto_hash_sha256_update(&state, be, sizeof(be));
    crypto_hash_sha256_final(&state, seed);
}
