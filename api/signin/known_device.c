/* Tokens of known devices; see known_device.h. */
#include "api/signin/known_device.h"

void api_known_device_bind(struct api_request *request, const struct api_spec_value *member)
{
    uint8_t hash[32];
    if (!member->set) {
        db_args_null(&request->args);
        return;
    }
    api_token_hash(member->text, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}

void api_known_device_bind_next(struct api_request *request, const struct api_spec_value *member)
{
    uint8_t hash[32];
    api_known_device_bind(request, member);
    api_token_random(request->device_token);
    api_token_hash(request->device_token, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}
