/* The record of a lost table, and the ledger proof. REST loops; the proof runs on a worker. */
#include "api/admin/admin.h"
#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- GET /v1/admin/tables/{table}/lost-record --- */

static const struct db_stmt do_lost_record = {"do_admin_lost_record",
                                              "SELECT code, body FROM do_admin_lost_record($1, $2)", 2};

static enum api_next reply_lost_record(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    int64_t table;
    if (!api_param_id(request, 0, &table))
        return API_DONE;
    api_reply_file(request, "lost-table-%" PRId64 ".txt", table);
    return api_row_reply_text(request, rows, "body");
}

/* --- GET /v1/admin/ledger/proof --- */

#define PROOF_LINES_MAX 100 /* problems shown */

static const struct db_stmt do_proof = {"do_admin_proof", "SELECT code FROM do_admin_proof($1)", 1};

/* Freed with the request as one block; the reply frees `said`, which is on the heap. */
struct proof {
    int problems; /* -1: the proof failed */
    char *said;
    size_t len;
};

static void prove(struct api_request *request)
{
    struct proof *proof = request->own;
    FILE *out = open_memstream(&proof->said, &proof->len);
    proof->problems = out ? request->env->ports.prove_ledger(request->env->ports.ctx, out) : -1;
    if (out && fclose(out) != 0)
        proof->problems = -1;
}

static enum api_next reply_proof(struct api_request *request, const PGresult *none)
{
    (void)none;
    struct proof *proof = request->own;
    if (proof->problems < 0) {
        free(proof->said);
        return api_refuse(request, API_UNAVAILABLE);
    }
    struct buf *out = api_reply_open(request, 200);
    json_kv_bool(out, "clean", proof->problems == 0);
    json_kv_num(out, "problems", proof->problems);
    json_key(out, "said");
    json_open(out, '[');
    char *rest = NULL;
    char *line = strtok_r(proof->said, "\n", &rest);
    for (int i = 0; line && i < PROOF_LINES_MAX; i++, line = strtok_r(NULL, "\n", &rest))
        json_text(out, line);
    json_close(out, ']');
    json_close(out, '}');
    free(proof->said);
    return API_DONE;
}

static enum api_next begin_proof(struct api_request *request, const PGresult *rows)
{
    const char *code = api_row_get(rows, 0, "code");
    if (strcmp(code, "ok") != 0)
        return api_refuse_sql(request, code);
    request->own = calloc(1, sizeof(struct proof));
    if (!request->own)
        return api_refuse(request, API_BUSY);
    request->work = prove;
    request->then = reply_proof;
    return API_FETCH;
}

API_OPERATION(getLostRecord) = {
    .stmt = &do_lost_record, .writes = true, .begin = api_admin_bind_id, .reply = reply_lost_record};
API_OPERATION(proveLedger) = {
    .stmt = &do_proof, .writes = true, .begin = api_admin_bind_key, .reply = begin_proof};
