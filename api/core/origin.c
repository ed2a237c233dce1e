/* The keyed hash of a client's address; see origin.h. Without the key, the hash cannot be reversed by
 * trying all addresses. */
#include "api/core/origin.h"

#include "base/addr.h"

void api_origin_bind(struct api_request *request)
{
    struct addr addr;
    if (!addr_of_text(request->address, &addr) || !addr_is_public(&addr)) {
        db_args_null(&request->args);
        return;
    }
    char bucket[ADDR_TEXT_MAX], keyed[API_TOKEN_RANDOM_MAX];
    uint8_t hash[32];
    addr_bucket_text(request->address, bucket);
    api_token_next(&request->env->keys, "address", bucket, keyed);
    api_token_hash(keyed, hash);
    db_args_bytes(&request->args, hash, sizeof(hash));
}
