/* The lists of revoked ids: sorted after any sequence of changes, independent, and bounded. */
#include "api/signin/revoked.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct api_revoked *revoked;

static void setup(void)
{
    revoked = api_revoked_new();
    cr_assert(revoked);
}

static void teardown(void)
{
    api_revoked_free(revoked);
}
TestSuite(revoked, .init = setup, .fini = teardown);

static bool has(int64_t id)
{
    return api_revoked_has(revoked, API_ENDED_SESSIONS, id);
}

static void add(int64_t id)
{
    api_revoked_add(revoked, API_ENDED_SESSIONS, id);
}

static uint64_t changes(void)
{
    return api_revoked_changes(revoked, API_ENDED_SESSIONS);
}

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

Test(revoked, entries_are_added_and_removed_in_any_order)
{
    for (int64_t i = 0; i < 100; i++)
        add((i * 37) % 100);
    for (int64_t i = 0; i < 100; i += 2)
        api_revoked_remove(revoked, API_ENDED_SESSIONS, i);
    for (int64_t i = -1; i <= 100; i++)
        cr_assert_eq(has(i), i > 0 && i % 2 == 1);
}

Test(revoked, players_and_sessions_are_kept_apart)
{
    api_revoked_add(revoked, API_BANNED_PLAYERS, 7);
    cr_assert(api_revoked_has(revoked, API_BANNED_PLAYERS, 7) && !has(7));
    cr_assert_eq(changes(), 0);
    api_revoked_remove(revoked, API_BANNED_PLAYERS, 7);
    cr_assert_not(api_revoked_has(revoked, API_BANNED_PLAYERS, 7));
}

Test(revoked, rows_replace_the_list_unless_it_has_changed_since)
{
    const char *const ids[] = {"3", "5"};
    PGresult *rows = rows_of(ids, 2);
    uint64_t seen = changes();
    add(4);
    api_revoked_replace(revoked, API_ENDED_SESSIONS, rows, seen);
    cr_assert(has(4) && !has(3), "they were queried before 4 ended");
    seen = changes();
    add(4);
    api_revoked_replace(revoked, API_ENDED_SESSIONS, rows, seen);
    cr_assert(has(4), "nor when it was announced again");
    api_revoked_replace(revoked, API_ENDED_SESSIONS, rows, changes());
    cr_assert(has(3) && has(5) && !has(4));
    PQclear(rows);
}

Test(revoked, identical_rows_do_not_count_as_a_change)
{
    const char *const ids[] = {"3", "5"}, *const others[] = {"3", "6"};
    PGresult *rows = rows_of(ids, 2), *more = rows_of(others, 2);
    api_revoked_replace(revoked, API_ENDED_SESSIONS, rows, changes());
    uint64_t told = changes();
    api_revoked_replace(revoked, API_ENDED_SESSIONS, rows, told);
    cr_assert_eq(changes(), told);
    api_revoked_replace(revoked, API_ENDED_SESSIONS, more, told);
    cr_assert_neq(changes(), told);
    PQclear(rows);
    PQclear(more);
}

Test(revoked, a_full_list_ignores_further_entries)
{
    for (int64_t i = 0; i < API_REVOKED_MAX; i++)
        add(i);
    uint64_t full = changes();
    add(API_REVOKED_MAX);
    cr_assert_not(has(API_REVOKED_MAX));
    cr_assert_eq(changes(), full, "so the rows can be applied");
    cr_assert(has(API_REVOKED_MAX - 1));
}
