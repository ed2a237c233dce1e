/* Devices that an account knows because they entered it: by a token that they keep and that is replaced at
 * each use. It opens nothing; a device that the account knows is not locked out by others' failed log-ins.
 * REST loops. */
#ifndef RUMMYD_API_KNOWN_DEVICE_H
#define RUMMYD_API_KNOWN_DEVICE_H

#include "api/request.h"

/* The member by which a client says which device it is. */
#define API_DEVICE_TOKEN_MEMBER                                                                              \
    INIT(.name = "device_token", .type = API_SPEC_TEXT, .min = 20, .max = 64, .valid = api_valid_token,      \
         .fault = API_FAULT_BAD_TOKEN)

/* Binds the hash of the token that the device sent; NULL: it sent none. */
void api_known_device_bind(struct api_request *request, const struct api_spec_value *member);
/* The same, and then the hash of its next token, which is kept in the request for the answer. */
void api_known_device_bind_next(struct api_request *request, const struct api_spec_value *member);

#endif
