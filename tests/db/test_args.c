/* Arguments: the server returns every kind unchanged, and an overflow is recorded. */
#include "db/args.h"
#include "tests/db/support.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(args_on_server, .fini = test_database_drop);

Test(args, memory_overflow_is_remembered)
{
    char mem[16];
    struct db_args args;
    db_args_init(&args, mem, sizeof mem);
    db_args_text(&args, "0123456789");
    cr_assert(db_args_ok(&args));
    db_args_text(&args, "0123456789");
    cr_assert_not(db_args_ok(&args));
    db_args_int(&args, 1);
    cr_assert_not(db_args_ok(&args));
    cr_assert_eq(args.n, 1);
}

Test(args, too_many_values_are_refused)
{
    char mem[256];
    struct db_args args;
    db_args_init(&args, mem, sizeof mem);
    for (int i = 0; i < DB_ARGS_MAX; i++)
        db_args_int(&args, i);
    cr_assert(db_args_ok(&args));
    db_args_null(&args);
    cr_assert_not(db_args_ok(&args));
}

Test(args, an_exact_fit_is_accepted)
{
    char mem[4];
    struct db_args args;
    db_args_init(&args, mem, sizeof mem);
    db_args_bytes(&args, "abcd", 4);
    cr_assert(db_args_ok(&args));
    db_args_bytes(&args, "", 0);
    cr_assert(db_args_ok(&args));
    db_args_bool(&args, true);
    cr_assert_not(db_args_ok(&args));
}

Test(args, arrays_that_do_not_fit_leave_no_value)
{
    char mem[64];
    struct db_args args;
    int64_t many[8] = {0};
    db_args_init(&args, mem, sizeof mem);
    db_args_i64_array(&args, many, 8);
    cr_assert_not(db_args_ok(&args));
    cr_assert_eq(args.n, 0);
}

Test(args_on_server, every_kind_round_trips)
{
    static const struct db_stmt stmt = {
        "kinds",
        "SELECT $1::bigint::text, $2::smallint::text, $3::text, $4::boolean::text, encode($5::bytea, 'hex'),"
        " $6::uuid::text, $7::text IS NULL, $8::bigint[]::text, $9::integer[]::text, $10::smallint[]::text,"
        " (SELECT string_agg(encode(b, 'hex'), ',') FROM unnest($11::bytea[]) b), $12::text[]::text,"
        " cardinality($13::bigint[]), $14::uuid[]::text",
        14};
    static const char *const expected[] = {
        "-9223372036854775808",
        "-7",
        "d'oh \xc3\xa9\\",
        "true",
        "00ff10",
        "00010203-0405-0607-0809-0a0b0c0d0e0f",
        "t",
        "{1,-2,9223372036854775807}",
        "{-2147483648,7}",
        "{-3,4}",
        "00,,6162",
        "{x,\"\",\"a b\"}",
        "0",
        "{00010203-0405-0607-0809-0a0b0c0d0e0f,00000000-0000-0000-0000-000000000000}"};
    char mem[1024];
    struct db_args args;
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    uint8_t uuid[16], uuids[2][16] = {{0}};
    for (uint8_t i = 0; i < 16; i++)
        uuid[i] = uuids[0][i] = i;
    db_args_init(&args, mem, sizeof mem);
    db_args_int(&args, INT64_MIN);
    db_args_int(&args, -7);
    db_args_text(&args, expected[2]);
    db_args_bool(&args, true);
    db_args_bytes(&args, "\x00\xff\x10", 3);
    db_args_uuid(&args, uuid);
    db_args_text(&args, NULL);
    db_args_i64_array(&args, (const int64_t[]){1, -2, INT64_MAX}, 3);
    db_args_i32_array(&args, (const int32_t[]){INT32_MIN, 7}, 2);
    db_args_i16_array(&args, (const int16_t[]){-3, 4}, 2);
    db_args_bytes_array(&args, (const struct db_slice[]){{"\0", 1}, {NULL, 0}, {"ab", 2}}, 3);
    db_args_text_array(&args, (const struct db_slice[]){{"x", 1}, {"", 0}, {"a b", 3}}, 3);
    db_args_i64_array(&args, NULL, 0);
    db_args_uuid_array(&args, (const uint8_t(*)[16])uuids, 2);
    cr_assert(db_args_ok(&args));
    PGresult *res = db_run(conn, &stmt, &args, &err);
    cr_assert(res, "%s", err.text);
    for (int i = 0; i < 14; i++)
        cr_expect_str_eq(PQgetvalue(res, 0, i), expected[i], "value %d", i);
    PQclear(res);
    db_close(conn);
}

Test(args_on_server, text_that_the_database_cannot_store_has_its_own_error)
{
    static const struct db_stmt stmt = {"text", "SELECT $1::text", 1};
    char mem[64];
    struct db_args args;
    struct db_error err;
    struct db_conn *conn = test_connect(test_database());
    db_args_init(&args, mem, sizeof mem);
    db_args_text(&args, "\xff\xfe");
    cr_assert_null(db_run(conn, &stmt, &args, &err));
    cr_assert_eq(err.outcome, DB_FAILED);
    cr_assert_str_eq(err.sqlstate, "22021");
    db_close(conn);
}
