/* Amounts as decimal strings: exact, or rejected. */
#include "pay/amount.h"

#include <criterion/criterion.h>
#include <stddef.h>

Test(amount, amounts_are_written)
{
    static const struct {
        int64_t minor;
        const char *currency;
        int decimals_max;
        const char *text; /* NULL: the amount cannot be written */
    } all[] = {
        {499, "eur", 2, "4.99"},
        {5, "usd", 2, "0.05"},
        {100, "gbp", 2, "1.00"},
        {1000, "jpy", 2, "1000"},
        {199000, "huf", 0, "1990"},
        {199050, "huf", 0, NULL},
        {199001, "huf", 0, NULL},
        {1500, "kwd", 3, "1.500"},
        {1500, "kwd", 2, "1.50"},
        {1501, "kwd", 2, NULL},
        {0, "eur", 2, NULL},
        {-5, "eur", 2, NULL},
        {499, "euro", 2, NULL},
        {499, "", 2, NULL},
        {100000000, "eur", 2, "1000000.00"},
        {INT64_MAX, "jpy", 2, "9223372036854775807"},
        {INT64_MAX, "eur", 2, "92233720368547758.07"},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        char text[PAY_AMOUNT_MAX] = "";
        bool written = pay_amount_write(all[i].minor, all[i].currency, all[i].decimals_max, text);
        cr_assert_eq(written, all[i].text != NULL, "%zu", i);
        if (written)
            cr_assert_str_eq(text, all[i].text);
    }
}

Test(amount, amounts_are_read)
{
    static const struct {
        const char *text, *currency;
        int64_t minor; /* -1: not an amount */
    } all[] = {
        {"4.99", "eur", 499},
        {"4.9", "eur", 490},
        {"5", "eur", 500},
        {"0.05", "usd", 5},
        {"1990", "huf", 199000},
        {"1990.00", "huf", 199000},
        {"1000", "jpy", 1000},
        {"1000.00", "jpy", 1000},
        {"4.990", "eur", 499},
        {"1.5", "kwd", 1500},
        {"007", "eur", 700},
        {"4.999", "eur", -1},
        {"1000.01", "jpy", -1},
        {"", "eur", -1},
        {".", "eur", -1},
        {".99", "eur", -1},
        {"4.", "eur", -1},
        {"4.9.9", "eur", -1},
        {"-4.99", "eur", -1},
        {"+4.99", "eur", -1},
        {" 4.99", "eur", -1},
        {"4,99", "eur", -1},
        {"1e3", "eur", -1},
        {"0x10", "eur", -1},
        {"4.99", "", -1},
        {"4.99", "euro", -1},
        {"92233720368547758.07", "eur", -1},
        {"92233720368547758.10", "eur", -1},
        {"99999999999999999999", "jpy", -1},
        {"922337203685477580", "eur", -1},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        int64_t minor = -1;
        bool read = pay_amount_read(all[i].text, all[i].currency, &minor);
        cr_assert_eq(read, all[i].minor >= 0, "%s %s", all[i].text, all[i].currency);
        cr_assert_eq(minor, all[i].minor, "%s %s", all[i].text, all[i].currency);
    }
}

/* A written amount parses to the same amount. */
Test(amount, amounts_round_trip)
{
    static const char *const currencies[] = {"eur", "jpy", "kwd", "huf", "isk"};
    uint64_t state = 1;
    for (int i = 0; i < 200000; i++) {
        char text[PAY_AMOUNT_MAX];
        int64_t minor, again;
        state = state * 6364136223846793005U + 1442695040888963407U;
        minor = (int64_t)(state >> (1 + i % 63));
        const char *currency = currencies[i % 5];
        if (minor == 0)
            continue;
        cr_assert(pay_amount_write(minor, currency, 3, text));
        if (minor > INT64_MAX - 10) /* the parser rejects amounts this close to the limit */
            continue;
        cr_assert(pay_amount_read(text, currency, &again), "%s", text);
        cr_assert_eq(again, minor);
    }
}
