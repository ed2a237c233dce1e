/* Requires the password again, and a second-factor code if set up, before credentials of an account change.
 * Each attempt counts like a login before the comparison, so that a stolen session cannot be used for
 * guessing. REST loops; passwords are compared on workers.
 *
 * A route that uses it sets .computes, its body begins with the members below, its statement is
 * api_reauth_stmt, and its `begin` calls api_reauth_bind. The next steps are api_reauth_begun,
 * api_reauth_compare on a worker, and a statement whose first arguments api_reauth_bind_proof binds. The
 * SQL function of that statement calls reauth_finish (db/functions/factors). */
#ifndef RUMMYD_API_REAUTH_H
#define RUMMYD_API_REAUTH_H

#include "api/core/request.h"
#include "api/signin/factor_code.h"
#include "api/signin/known_device.h"
#include "api/signin/password_rules.h"

enum {
    API_REAUTH_PASSWORD,
    API_REAUTH_DEVICE,
    API_REAUTH_CODE,
}; /* indices in request->body */

extern const struct db_stmt api_reauth_stmt;       /* it writes */
extern const struct db_stmt api_login_failed_stmt; /* do_login_failed, shared with login; it writes */
enum api_next api_reauth_bind(struct api_request *request);
/* Like api_reauth_bind, for a route without a code member, which players with a second factor cannot
 * use. */
enum api_next api_reauth_bind_password(struct api_request *request);
/* Copies the statement's result. false: the request is rejected. */
bool api_reauth_begun(struct api_request *request, const PGresult *rows);
/* Worker job: sets request->password_ok. */
void api_reauth_compare(struct api_request *request);
/* Ends the request because the password is wrong. */
enum api_next api_reauth_wrong(struct api_request *request);
/* Binds four arguments: the attempt, the player, and the code. */
void api_reauth_bind_proof(struct api_request *request);

/* For routes that guests may use, too; players with a password must enter it. The body begins with the same
 * members, the statement is api_reauth_account_stmt, and `begin` calls api_bind_player. The reply calls
 * api_reauth_account, which continues with `then`. The next statement's first arguments are those of
 * api_reauth_bind_account: four as above (without a password, all NULL except the player), and the session.
 * Its SQL function calls reauth_account (db/functions/factors). */
extern const struct db_stmt api_reauth_account_stmt;
/* Whether the player has a password, from the result of that statement. */
bool api_reauth_has_password(const PGresult *rows);
enum api_next api_reauth_account(struct api_request *request, const PGresult *rows,
                                 enum api_next (*then)(struct api_request *, const PGresult *));
void api_reauth_bind_account(struct api_request *request);

#endif
