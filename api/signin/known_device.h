/* Devices that an account has been used on: identified by a token that they keep and that is replaced at each
 * use. It grants nothing; but a known device is not locked out by other devices' failed logins. REST
 * loops. */
#ifndef RUMMYD_API_KNOWN_DEVICE_H
#define RUMMYD_API_KNOWN_DEVICE_H

#include "api/core/request.h"

/* Binds the hash of the device's token; NULL: it sent none. */
void api_known_device_bind(struct api_request *request, const struct api_spec_value *member);
/* The same, followed by the hash of its next token, which the request keeps for the response. */
void api_known_device_bind_next(struct api_request *request, const struct api_spec_value *member);

#endif
