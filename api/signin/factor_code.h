/* A second-factor code in a body, compared with the secret in a row. REST loops. */
#ifndef RUMMYD_API_FACTOR_CODE_H
#define RUMMYD_API_FACTOR_CODE_H

#include "api/core/request.h"
#include "api/signin/totp.h"

/* The purpose for which an account's secret is sealed. */
#define API_FACTOR_BOUND_MAX 32
void api_factor_bound(int64_t player_id, char out[API_FACTOR_BOUND_MAX]);

/* Finds the step of the secret (the row's columns `sealed` and `kid`) that matches the code, and stores it in
 * request->factor_step; 0: no match, or the columns are NULL. request->player_id: the owner. */
void api_factor_compare(struct api_request *request, const PGresult *rows, const struct api_spec_value *code);
/* Binds two arguments for factor_take (db/functions/factors): that step or NULL, and the hash of a recovery
 * code or NULL. */
void api_factor_bind(struct api_request *request, const struct api_spec_value *code);

#endif
