/* Properties over sessions of random legal and illegal moves, for every variant and option (prove.h), and the
 * signature of the rules. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/bug.h"
#include "tests/engine/play.h"
#include "tests/engine/prove.h"

enum { SESSIONS = 300 };

/* The short form of `make prove`. */
Test(random, random_sessions_keep_every_invariant)
{
    struct prove_counts counts = {0};
    for (uint64_t number = 0; number < SESSIONS; number++)
        prove_session(number, &counts);
    cr_assert_eq(counts.sessions, SESSIONS);
    /* Sessions found by the long form: leaving and rejoining between two hands; only the discard just taken
     * is left. */
    static const uint64_t found[] = {1000092, 20004412, 2004999};
    for (size_t i = 0; i < ARRAY_LEN(found); i++)
        prove_session(found[i], &counts);
    cr_assert(counts.moves > 100000 && counts.refused > 10000 && counts.records > 50,
              "%llu moves, %llu refused, %llu records", (unsigned long long)counts.moves,
              (unsigned long long)counts.refused, (unsigned long long)counts.records);
}

Test(random, the_hash_depends_on_every_byte)
{
    struct eng_game g;
    struct eng_outcome out;
    play_deal(&g, eng_params_find("rummy51"), 4, 1, &out);
    uint64_t hash = eng_hash(&g);
    for (size_t i = 0; i < sizeof g; i++) {
        unsigned char *byte = (unsigned char *)&g + i;
        if (i == offsetof(struct eng_game, players))
            continue;
        *byte ^= 1;
        g.rare_hash = i < sizeof g.rare_hash ? g.rare_hash : eng_hash_rare(&g);
        cr_assert_neq(eng_hash(&g), hash, "byte %zu", i);
        *byte ^= 1;
        g.rare_hash = eng_hash_rare(&g);
    }
    cr_assert_eq(eng_hash(&g), hash);
}

/* `make signature` prints these. They remain the same unless the rules change; a rule change affects only
 * the signatures of its variants. */
Test(random, signatures_are_unchanged)
{
    static const struct {
        const char *variant;
        uint64_t signature;
    } pinned[] = {
#define SIGNATURE(variant, number) {variant, UINT64_C(number)},
#include "tests/engine/signatures.def"
#undef SIGNATURE
    };
    size_t n = 0;
    for (; eng_params_at(n) != NULL; n++) {
        const struct eng_params *row = eng_params_at(n);
        uint64_t signature = prove_signature(row);
        cr_assert_lt(n, ARRAY_LEN(pinned), "%s has no signature here", row->variant);
        cr_assert_str_eq(row->variant, pinned[n].variant);
        cr_assert_eq(signature, pinned[n].signature, "%s: %016llx", row->variant,
                     (unsigned long long)signature);
    }
    cr_assert_eq(n, ARRAY_LEN(pinned));
}
