/* Second-factor codes: the vectors of RFC 6238, the window, user input, and secrets at rest. */
#include "api/core/token.h"
#include "api/signin/totp.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

static const uint8_t secret[] = {"12345678901234567890"}; /* of RFC 6238, appendix B */

static void setup(void)
{
    cr_assert(sodium_init() >= 0);
}
TestSuite(totp, .init = setup);

/* The last six of its eight digits. */
static const struct {
    int64_t at_s;
    const char *code;
} vectors[] = {{59, "287082"},         {1111111109, "081804"}, {1111111111, "050471"},
               {1234567890, "005924"}, {2000000000, "279037"}, {20000000000, "353130"}};
enum { VECTORS_N = sizeof(vectors) / sizeof(vectors[0]) };

Test(totp, the_vectors_of_the_rfc_match)
{
    for (int i = 0; i < VECTORS_N; i++) {
        char code[API_TOTP_DIGITS + 1];
        api_totp_code(secret, vectors[i].at_s / API_TOTP_STEP_S, code);
        cr_expect_str_eq(code, vectors[i].code);
    }
}

Test(totp, a_code_is_valid_one_step_before_and_after_its_own)
{
    for (int i = 1; i < VECTORS_N; i++) {
        int64_t step = vectors[i].at_s / API_TOTP_STEP_S;
        for (int64_t off = -3; off <= 3; off++) {
            int64_t first = (step + off) * API_TOTP_STEP_S, last = first + API_TOTP_STEP_S - 1;
            int64_t found = off >= -1 && off <= 1 ? step : 0;
            cr_expect_eq(api_totp_step_of(secret, vectors[i].code, first), found, "%d %d", i, (int)off);
            cr_expect_eq(api_totp_step_of(secret, vectors[i].code, last), found, "%d %d", i, (int)off);
        }
    }
}

Test(totp, anything_else_is_refused)
{
    static const char *const wrong[] = {"", "28708", "2870820", "287083", "287082 ", "abcdef", "A"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        cr_expect_eq(api_totp_step_of(secret, wrong[i], 89), 0, "%s", wrong[i]);
    cr_expect_eq(api_totp_step_of(secret, "287082", 89), 1);
}

Test(totp, the_secret_is_shown_as_base32_and_as_a_uri)
{
    char text[API_TOTP_TEXT_MAX], uri[API_TOTP_URI_MAX];
    api_totp_text(secret, text);
    cr_expect_str_eq(text, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    api_totp_uri(text, "mia+1@example.org", uri);
    cr_expect_str_eq(uri, "otpauth://totp/Rummy:mia%2B1%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                          "&issuer=Rummy&algorithm=SHA1&digits=6&period=30");
    char longest[255];
    memset(longest, '+', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    api_totp_uri(text, longest, uri);
    cr_expect_str_eq(uri + strlen(uri) - strlen("&period=30"), "&period=30");
}

Test(totp, codes_are_read_with_separators_and_in_any_case)
{
    static const struct {
        const char *typed, *read;
    } cases[] = {
        {"287082", "287082"},
        {" 287 082 ", "287082"},
        {"287-082", "287082"},
        {"MFRG-GZDF-MZTW-Q2LK-NRWW-23TP", "MFRGGZDFMZTWQ2LKNRWW23TP"},
        {"mfrggzdfmztwq2lknrww23tp", "MFRGGZDFMZTWQ2LKNRWW23TP"},
        {"mfrg gzdf mztw q2lk nrww 23tp", "MFRGGZDFMZTWQ2LKNRWW23TP"},
        {"28708", NULL},
        {"2870820", NULL},
        {"28708a", NULL},
        {"", NULL},
        {"------", NULL},
        {"MFRG-GZDF-MZTW-Q2LK-NRWW-23T", NULL},
        {"MFRG-GZDF-MZTW-Q2LK-NRWW-23TPA", NULL},
        {"MFRG-GZDF-MZTW-Q2LK-NRWW-23T1", NULL},
        {"\xc3\xbc"
         "28708",
         NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char read[API_RECOVERY_CHARS + 1];
        cr_expect_eq(api_factor_read(cases[i].typed, read), cases[i].read != NULL, "%s", cases[i].typed);
        cr_expect_eq(api_valid_factor_code(cases[i].typed), cases[i].read != NULL);
        if (cases[i].read)
            cr_expect_str_eq(read, cases[i].read);
    }
}

Test(totp, recovery_codes_are_read_in_the_hashed_form)
{
    char one[API_RECOVERY_TEXT_MAX], other[API_RECOVERY_TEXT_MAX], read[API_RECOVERY_CHARS + 1];
    uint8_t hash[32], again[32];
    api_recovery_make(other, hash);
    api_recovery_make(one, hash);
    cr_expect_str_neq(one, other);
    cr_assert(api_factor_read(one, read));
    api_token_hash(read, again);
    cr_expect_arr_eq(hash, again, sizeof(hash));
}

/* --- secrets at rest --- */

static struct api_token_keys keys_of(const char *first, const char *second)
{
    struct api_token_keys keys = {.n = 0};
    char text[64];
    (void)snprintf(text, sizeof(text), "the token secret that is called %s", first);
    cr_assert(api_token_keys_add(&keys, first, text));
    (void)snprintf(text, sizeof(text), "the token secret that is called %s", second ? second : "");
    if (second)
        cr_assert(api_token_keys_add(&keys, second, text));
    return keys;
}

Test(totp, a_sealed_secret_opens_only_for_its_owner_and_key)
{
    struct api_token_keys first = keys_of("k1", NULL), both = keys_of("k2", "k1"),
                          later = keys_of("k2", NULL);
    uint8_t sealed[API_TOTP_SECRET_LEN + API_TOKEN_SEAL_MORE], other[sizeof(sealed)],
        out[API_TOTP_SECRET_LEN];
    api_token_seal(&first, "totp 1", secret, API_TOTP_SECRET_LEN, sealed);
    api_token_seal(&first, "totp 1", secret, API_TOTP_SECRET_LEN, other);
    cr_expect_arr_neq(sealed, other, sizeof(sealed));
    cr_expect_null(memmem(sealed, sizeof(sealed), secret, 4));
    cr_expect(api_token_unseal(&first, "k1", "totp 1", sealed, sizeof(sealed), out));
    cr_expect_arr_eq(out, secret, sizeof(out));
    memset(out, 0, sizeof(out));
    cr_expect(api_token_unseal(&both, "k1", "totp 1", sealed, sizeof(sealed), out),
              "the one before opens it");
    cr_expect_arr_eq(out, secret, sizeof(out));
    cr_expect_not(api_token_unseal(&both, "k2", "totp 1", sealed, sizeof(sealed), out));
    cr_expect_not(api_token_unseal(&later, "k1", "totp 1", sealed, sizeof(sealed), out));
    cr_expect_not(api_token_unseal(&first, "k1", "totp 2", sealed, sizeof(sealed), out));
    for (size_t i = 0; i < sizeof(sealed); i++) {
        sealed[i] ^= 1;
        cr_expect_not(api_token_unseal(&first, "k1", "totp 1", sealed, sizeof(sealed), out), "%zu", i);
        cr_expect_not(api_token_unseal(&first, "k1", "totp 1", sealed, i, out), "%zu", i);
        sealed[i] ^= 1;
    }
}
