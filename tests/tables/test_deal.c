/* Shared deals: the seeds from which they are dealt. */
#include "tables/deal.h"

#include <criterion/criterion.h>

#include "base/text.h"

static struct tab_deal shared(void)
{
    struct tab_deal deal = {.id = 31};
    for (int i = 0; i < 32; i++)
        deal.seed[i] = (uint8_t)i;
    return deal;
}

Test(deal, its_number_replaces_the_table_id_if_shared)
{
    const struct tab_deal own = {0}, deal = shared();
    cr_assert(!tab_deal_is_shared(&own) && tab_deal_is_shared(&deal));
    cr_assert_eq(tab_deal_number(&own, 917), 917);
    cr_assert_eq(tab_deal_number(&deal, 917), 31);
}

/* As specified in docs/daily-deal.md and deal_hand_seed: SHA-256("rummy-deal-seed-1" | 00..1f | hand). */
Test(deal, hands_have_the_documented_seeds)
{
    const struct tab_deal deal = shared();
    static const struct {
        uint32_t hand;
        const char *hex;
    } known[] = {
        {1, "e58d99d88c006ff12724b36898231cd00ec833e02477ddfcfbbc069c2b713411"},
        {258, "56f8b402d4bc1f8c685507e06a2a5b84d6da3c9158379c2c32d2b9752982d8d3"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        uint8_t seed[32];
        char hex[65];
        tab_deal_hand_seed(&deal, known[i].hand, seed);
        text_hex(hex, seed, sizeof(seed));
        cr_assert_str_eq(hex, known[i].hex);
    }
}
