/* Shared by operator endpoints: binding the API key and the data that identifies a repeated action. REST
 * loops. */
#ifndef RUMMYD_API_ADMIN_H
#define RUMMYD_API_ADMIN_H

#include "api/core/route.h"

/* Each can be the `begin` of a route, or be followed by more arguments unless it returns API_DONE
 * (rejected). api_admin_bind_key binds the API key's hash. */
enum api_next api_admin_bind_key(struct api_request *request);
/* Binds the key's hash and the first path parameter as an id. */
enum api_next api_admin_bind_id(struct api_request *request);
/* Binds the key's hash and the start of the requested page of a list (api/core/json_reply.h). */
enum api_next api_admin_bind_page(struct api_request *request);
/* Binds `q` as sent, and with case and width folded (NULL: not given). */
void api_admin_bind_q(struct api_request *request);
/* Binds the key's hash, `q` as sent and with case and width folded (NULL: not given), and the start of the
 * requested page. */
enum api_next api_admin_bind_search(struct api_request *request);
/* Binds the key's hash, the Idempotency-Key, and the hash of the request, which admin_begin (SQL) requires
 * for an action, then the first path parameter as an id. */
enum api_next api_admin_bind_action_on(struct api_request *request);
/* Like api_admin_bind_action_on, then binds every member of the body. */
enum api_next api_admin_bind_action(struct api_request *request);
/* Binds every member of the body in order; NULL for missing ones. */
void api_admin_bind_body(struct api_request *request);

#endif
