/* What the endpoints of operators share: the key, and what an action is known by. REST loops. */
#ifndef RUMMYD_API_ADMIN_H
#define RUMMYD_API_ADMIN_H

#include "api/route.h"

/* Of a route. Everything writes: each call leaves a line in the log. */
#define ADMIN .role = API_KEY, .rate = API_RATE_WRITE, .writes = true
/* Of a route that does something to one thing, once: POST, repeatable. */
#define ADMIN_ACTION .method = "POST", ADMIN, .idempotent = true

/* Why an operator does it; what he has to say of it: the only member. */
extern const struct spec admin_reason_spec;
extern const struct spec admin_note_spec;

/* Each may be the `begin` of a route, or be followed by more arguments unless it returns API_DONE (refused).
 * - The API key's hash. */
enum api_next admin_bind_key(struct api_call *call);
/* - The key's hash and the first path parameter as an id. */
enum api_next admin_bind_id(struct api_call *call);
/* - The key's hash and where in a list (api/tree.h) the page asked for begins. */
enum api_next admin_bind_page(struct api_call *call);
/* - The key's hash, the Idempotency-Key and the hash of the request, which is what admin_begin (SQL) wants of
 *   an action; then the first path parameter as an id. */
enum api_next admin_bind_action_on(struct api_call *call);
/* - The same, then every member of the body. */
enum api_next admin_bind_action(struct api_call *call);
/* Every member of the body in its order; NULL for what is left out. */
void admin_bind_body(struct api_call *call);

#endif
