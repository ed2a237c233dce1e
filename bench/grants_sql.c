/* Thousands of seats in seconds: the database's functions seat new players, including stakes, in one
 * statement. This file signs the tickets with the server's secret. See grants_sql.h. */
#include <assert.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/core/token.h"
#include "base/text.h"
#include "bench/grants_sql.h"

static_assert(API_TICKET_TEXT_MAX <= GRANT_TICKET_MAX, "a ticket fits");
enum { UUID_HEX = 2 * API_TICKET_ID_LEN + 1, NUMBER_MAX = 24, ROW_MAX = UUID_HEX + 2 * NUMBER_MAX + 16 };

/* Marks a table as playing until all players are seated, so that the server does not load it too early. A
 * full table accepts no more players. */
static const char sql_function[] =
    "CREATE OR REPLACE FUNCTION pg_temp.load_seats(p_tables int, p_seats int, p_room text, p_node text)\n"
    "RETURNS TABLE (table_id bigint, seat smallint, player_id bigint, ticket uuid) LANGUAGE plpgsql AS $$\n"
    "#variable_conflict use_column\n"
    "DECLARE\n"
    "    v_seed bytea; v_player bigint; v_taken record;\n"
    "BEGIN\n"
    "    INSERT INTO nodes (name, epoch) VALUES (p_node, 0) ON CONFLICT DO NOTHING;\n"
    "    FOR t IN 1..p_tables LOOP\n"
    "        v_seed := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));\n"
    "        FOR s IN 1..p_seats LOOP\n"
    "            v_player := do_create_player('guest', 'Load ' || t || ' ' || s, 'fox');\n"
    "            SELECT * INTO v_taken FROM do_take_seat(v_player, p_room, gen_random_uuid()::text, "
    "'\\x00',\n"
    "                gen_random_uuid(), v_seed, sha256(v_seed), p_node);\n"
    "            IF v_taken.code <> 'ok' THEN\n"
    "                RAISE EXCEPTION 'no seat: %', v_taken.code;\n"
    "            END IF;\n"
    "            table_id := v_taken.table_id; seat := v_taken.seat; player_id := v_player; ticket := "
    "v_taken.ticket;\n"
    "            RETURN NEXT;\n"
    "        END LOOP;\n"
    "        UPDATE tables SET state = 'playing' WHERE id = table_id;\n"
    "    END LOOP;\n"
    "END $$";

static const char sql_open[] =
    "WITH opened AS (UPDATE tables SET state = 'waiting', fill_at = CASE WHEN people_n = seats_n "
    "THEN now() + interval '1 hour' ELSE fill_at END WHERE node = $1 AND state = 'playing' AND started_at IS "
    "NULL "
    "RETURNING id) "
    "UPDATE tickets SET expires_at = now() + interval '1 hour' WHERE table_id IN (SELECT id FROM opened)";

/* Tables per transaction. Between transactions vacuum can clean up, so that the thousandth seat is found as
 * quickly as the first. */
enum { CHUNK_TABLES = 100 };

static PGconn *connect_to(const char *conninfo)
{
    PGconn *conn = PQconnectdb(conninfo);
    if (PQstatus(conn) == CONNECTION_OK)
        return conn;
    fprintf(stderr, "tableload: database: %s", PQerrorMessage(conn));
    PQfinish(conn);
    return NULL;
}

/* Reads the server's secret from the environment, as the server does. */
static bool read_secret(struct api_token_keys *keys)
{
    const char *secret = getenv("RUMMYD_JWT_SECRET");
    *keys = (struct api_token_keys){0};
    if (secret && api_token_keys_add(keys, "k1", secret))
        return true;
    fputs("tableload: RUMMYD_JWT_SECRET must hold the server's secret to sign tickets with\n", stderr);
    return false;
}

/* Signs a ticket; uuid has dashes, as the database prints it. */
static bool sign(const struct api_token_keys *keys, const char *uuid, char out[API_TICKET_TEXT_MAX])
{
    char hex[UUID_HEX];
    uint8_t id[API_TICKET_ID_LEN];
    size_t n = 0;
    for (; *uuid && n < UUID_HEX - 1; uuid++) {
        if (*uuid != '-')
            hex[n++] = *uuid;
    }
    if (text_unhex(id, sizeof(id), hex, n) != API_TICKET_ID_LEN)
        return false;
    api_ticket_write(keys, id, 0, API_SCOPES_ALL, out);
    return true;
}

/* Fills up to CHUNK_TABLES tables in one transaction. */
static bool seat_some(struct grants *g, PGconn *conn, const struct api_token_keys *keys, const char *room,
                      int tables, int seats)
{
    char tables_text[NUMBER_MAX], seats_text[NUMBER_MAX], ticket[API_TICKET_TEXT_MAX];
    const char *args[] = {tables_text, seats_text, room, g->node};
    snprintf(tables_text, sizeof(tables_text), "%d", tables);
    snprintf(seats_text, sizeof(seats_text), "%d", seats);
    PGresult *rows =
        PQexecParams(conn,
                     "SELECT table_id, seat, player_id, ticket "
                     "FROM pg_temp.load_seats($1::int, $2::int, $3::text, $4::text) ORDER BY 1, 2",
                     4, NULL, args, NULL, NULL, 0);
    bool ok = PQresultStatus(rows) == PGRES_TUPLES_OK;
    if (!ok)
        fprintf(stderr, "tableload: seats: %s", PQerrorMessage(conn));
    for (int i = 0; ok && i < PQntuples(rows); i++)
        ok = sign(keys, PQgetvalue(rows, i, 3), ticket) &&
             grants_add(g, strtoll(PQgetvalue(rows, i, 0), NULL, 10),
                        strtoll(PQgetvalue(rows, i, 2), NULL, 10),
                        (int)strtol(PQgetvalue(rows, i, 1), NULL, 10), ticket);
    PQclear(rows);
    return ok;
}

static bool open_tables(PGconn *conn, const char *node)
{
    PGresult *done = PQexecParams(conn, sql_open, 1, NULL, &node, NULL, NULL, 0);
    bool ok = PQresultStatus(done) == PGRES_COMMAND_OK;
    if (!ok)
        fprintf(stderr, "tableload: tables: %s", PQerrorMessage(conn));
    PQclear(done);
    return ok;
}

bool grants_by_sql(struct grants *g, const char *room, int tables, int seats)
{
    struct api_token_keys keys;
    g->source = GRANTS_SQL;
    PGconn *conn = read_secret(&keys) ? connect_to(g->db) : NULL;
    if (!conn)
        return false;
    PQclear(PQexec(conn, sql_function));
    bool ok = true;
    for (int at = 0; ok && at < tables; at += CHUNK_TABLES)
        ok = seat_some(g, conn, &keys, room, tables - at < CHUNK_TABLES ? tables - at : CHUNK_TABLES, seats);
    ok = ok && open_tables(conn, g->node);
    PQfinish(conn);
    return ok;
}

/* Inserts all tickets with one statement. Each column is an array, because an array of rows would need
 * quoting. */
static bool insert_tickets(PGconn *conn, char *columns[4])
{
    PGresult *done = PQexecParams(conn,
                                  "INSERT INTO tickets (id, table_id, player_id, seat, expires_at) "
                                  "SELECT id, table_id, player_id, seat, now() + interval '1 hour' "
                                  "FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::smallint[]) "
                                  "AS k (id, table_id, player_id, seat)",
                                  4, NULL, (const char *const *)columns, NULL, NULL, 0);
    bool ok = PQresultStatus(done) == PGRES_COMMAND_OK;
    if (!ok)
        fprintf(stderr, "tableload: tickets: %s", PQerrorMessage(conn));
    PQclear(done);
    return ok;
}

/* Appends to an unterminated array literal; the caller has sized it. */
static size_t append(char *array, size_t at, const char *value)
{
    size_t n = strlen(value);
    array[at] = at == 0 ? '{' : ',';
    memcpy(array + at + 1, value, n + 1);
    return at + 1 + n;
}

static bool renew_all(struct grants *g, const struct api_token_keys *keys, PGconn *conn, char *columns[4])
{
    size_t at[4] = {0};
    uint8_t id[API_TICKET_ID_LEN];
    char uuid[UUID_HEX], text[NUMBER_MAX];
    bool some = false;

    for (size_t i = 0; i < g->n; i++) {
        struct grant *k = &g->items[i];
        if (!k->stale)
            continue;
        randombytes_buf(id, sizeof(id));
        text_hex(uuid, id, sizeof(id));
        api_ticket_write(keys, id, 0, API_SCOPES_ALL, k->ticket);
        some = true;
        at[0] = append(columns[0], at[0], uuid);
        snprintf(text, sizeof(text), "%" PRId64, k->table_id);
        at[1] = append(columns[1], at[1], text);
        snprintf(text, sizeof(text), "%" PRId64, k->player_id);
        at[2] = append(columns[2], at[2], text);
        snprintf(text, sizeof(text), "%d", k->seat);
        at[3] = append(columns[3], at[3], text);
    }
    if (!some)
        return true;
    for (int c = 0; c < 4; c++)
        memcpy(columns[c] + at[c], "}", 2);
    return insert_tickets(conn, columns);
}

bool grants_renew_sql(struct grants *g)
{
    char *columns[4] = {NULL, NULL, NULL, NULL};
    struct api_token_keys keys;
    bool ok = read_secret(&keys);
    PGconn *conn = ok ? connect_to(g->db) : NULL;
    for (int c = 0; conn && c < 4; c++) {
        columns[c] = malloc(g->n * ROW_MAX + 4);
        ok = ok && columns[c];
    }
    ok = ok && conn && renew_all(g, &keys, conn, columns);
    for (size_t i = 0; ok && i < g->n; i++)
        g->items[i].stale = false;
    for (int c = 0; c < 4; c++)
        free(columns[c]);
    PQfinish(conn);
    return ok;
}
