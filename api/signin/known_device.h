/* Devices on which an account has been used. Each keeps a token, which is replaced at each use. The token
 * grants no access, but failed logins of other devices do not lock out a known device. REST loops. */
#ifndef RUMMYD_API_KNOWN_DEVICE_H
#define RUMMYD_API_KNOWN_DEVICE_H

#include "api/core/request.h"

/* Binds the hash of the device's token; NULL: none was sent. */
void api_known_device_bind(struct api_request *request, const struct api_spec_value *member);
/* Like api_known_device_bind, then binds the hash of the device's next token, which the request keeps for
 * the response. */
void api_known_device_bind_next(struct api_request *request, const struct api_spec_value *member);

#endif
