/* The list of the banned: sorted whatever comes and goes, and who is in it and who was told of are two
 * things. */
#include "api/bans.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct api_bans *bans;

static void setup(void)
{
    bans = api_bans_new();
    cr_assert(bans);
}

static void teardown(void)
{
    api_bans_free(bans);
}
TestSuite(bans, .init = setup, .fini = teardown);

static PGresult *rows_of(const char *const *ids, int n)
{
    PGresAttDesc id = {.name = (char[]){"id"}, .typid = 20, .typlen = 8};
    PGresult *rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    cr_assert(rows && PQsetResultAttrs(rows, 1, &id));
    for (int i = 0; i < n; i++) {
        char text[24];
        int len = snprintf(text, sizeof(text), "%s", ids[i]);
        cr_assert(PQsetvalue(rows, i, 0, text, len));
    }
    return rows;
}

Test(bans, come_and_go_in_any_order)
{
    for (int64_t i = 0; i < 100; i++)
        api_bans_add(bans, (i * 37) % 100, true);
    for (int64_t i = 0; i < 100; i += 2)
        api_bans_remove(bans, i);
    for (int64_t i = -1; i <= 100; i++)
        cr_assert_eq(api_bans_have(bans, i), i > 0 && i % 2 == 1);
}

Test(bans, one_the_tables_know_nothing_of_is_refused_all_the_same)
{
    api_bans_add(bans, 7, false);
    cr_assert(api_bans_have(bans, 7));
    cr_assert_not(api_bans_told(bans, 7));
    api_bans_add(bans, 7, true);
    cr_assert(api_bans_told(bans, 7));
    api_bans_add(bans, 7, false);
    cr_assert(api_bans_told(bans, 7), "what was told stays told");
    api_bans_remove(bans, 7);
    cr_assert_not(api_bans_have(bans, 7) || api_bans_told(bans, 7));
}

Test(bans, rows_take_the_place_of_the_list_unless_it_has_changed_since)
{
    const char *const ids[] = {"3", "5"};
    PGresult *rows = rows_of(ids, 2);
    uint64_t seen = api_bans_changes(bans);
    api_bans_add(bans, 4, true);
    api_bans_replace(bans, rows, seen);
    cr_assert(api_bans_have(bans, 4) && !api_bans_have(bans, 3), "they were asked for before 4 was banned");
    api_bans_replace(bans, rows, api_bans_changes(bans));
    cr_assert(api_bans_have(bans, 3) && api_bans_told(bans, 5) && !api_bans_have(bans, 4));
    PQclear(rows);
}

Test(bans, a_full_list_takes_no_more)
{
    for (int64_t i = 0; i < API_BANS_MAX; i++)
        api_bans_add(bans, i, true);
    uint64_t changes = api_bans_changes(bans);
    api_bans_add(bans, API_BANS_MAX, true);
    cr_assert_not(api_bans_have(bans, API_BANS_MAX));
    cr_assert_eq(api_bans_changes(bans), changes, "so the rows may be taken");
    cr_assert(api_bans_have(bans, API_BANS_MAX - 1));
}
