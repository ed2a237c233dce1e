/* What the endpoints of operators share: binding the API key, and what a repeat of an action is known by.
 * REST loops. */
#ifndef RUMMYD_API_ADMIN_H
#define RUMMYD_API_ADMIN_H

#include "api/route.h"

/* Members of a route. Every one of them writes: each request leaves a line in the log. */
#define API_ADMIN .role = API_KEY, .rate = API_RATE_WRITE, .writes = true
/* Members of a route that does something to one thing, once: POST, repeatable by its Idempotency-Key. */
#define API_ADMIN_ACTION .method = "POST", API_ADMIN, .idempotent = true

/* The lists of rooms, packs, achievements, prize tables: which one, the second argument says. */
extern const struct db_stmt api_admin_data_stmt;

/* Bodies with one member: why an operator does it; what they have to say of it. */
extern const struct api_spec api_admin_reason_spec;
extern const struct api_spec api_admin_note_spec;

/* Each may be the `begin` of a route, or be followed by more arguments unless it returns API_DONE (refused).
 * - The API key's hash. */
enum api_next api_admin_bind_key(struct api_request *request);
/* - The key's hash and the first path parameter as an id. */
enum api_next api_admin_bind_id(struct api_request *request);
/* - The key's hash and where in a list (api/json_reply.h) the page asked for begins. */
enum api_next api_admin_bind_page(struct api_request *request);
/* - The key's hash, `q` as it was sent and without case and width (NULL: not given), and where in the list
 *   the page asked for begins. */
enum api_next api_admin_bind_search(struct api_request *request);
/* - The key's hash, the Idempotency-Key and the hash of the request, which is what admin_begin (SQL) wants of
 *   an action; then the first path parameter as an id. */
enum api_next api_admin_bind_action_on(struct api_request *request);
/* - The same, then every member of the body. */
enum api_next api_admin_bind_action(struct api_request *request);
/* - The key, the name in the path (none: the code when it is no name), and every member of the body. */
enum api_next api_admin_bind_change(struct api_request *request, enum api_code none);
/* Every member of the body in its order; NULL for what is left out. */
void api_admin_bind_body(struct api_request *request);

#endif
