/* Asks for the password again, and for a second-factor code if set up, before credentials of an account
 * change. Both are counted like a login before they are compared, so a stolen session cannot be used to guess
 * them. REST loops; passwords are compared on workers.
 *
 * A route that needs it is .computes, its body begins with these members, its statement is
 * api_reauth_stmt and begins with api_reauth_bind. Then follow: api_reauth_begun, api_reauth_compare on a
 * worker, and a statement whose first arguments api_reauth_bind_proof binds; its function calls reauth_finish
 * (db/functions/factors). */
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
}; /* places in request->body */

extern const struct db_stmt api_reauth_stmt;       /* it writes */
extern const struct db_stmt api_login_failed_stmt; /* do_login_failed, shared with login; it writes */
enum api_next api_reauth_bind(struct api_request *request);
/* The same for a route without a code member, which players with a second factor cannot use. */
enum api_next api_reauth_bind_password(struct api_request *request);
/* Copies the statement's result. false: the request is rejected. */
bool api_reauth_begun(struct api_request *request, const PGresult *rows);
/* Worker job: sets request->password_ok. */
void api_reauth_compare(struct api_request *request);
/* Ends the request: the password is wrong. */
enum api_next api_reauth_wrong(struct api_request *request);
/* Binds the attempt, the player, and the code: four arguments. */
void api_reauth_bind_proof(struct api_request *request);

/* The same for routes that guests may use, too: players with a password must enter it. The body begins with
 * the same members, the statement is api_reauth_account_stmt and begins with api_bind_player; its reply calls
 * api_reauth_account, which continues with `then`, for the statement whose first arguments
 * api_reauth_bind_account binds: four as above (without a password all NULL except the player), and the
 * session; its function calls reauth_account (db/functions/factors). */
extern const struct db_stmt api_reauth_account_stmt;
/* For the result of that statement. */
bool api_reauth_has_password(const PGresult *rows);
enum api_next api_reauth_account(struct api_request *request, const PGresult *rows,
                                 enum api_next (*then)(struct api_request *, const PGresult *));
void api_reauth_bind_account(struct api_request *request);

#endif
