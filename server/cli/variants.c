/* `rummyd variants`: prints the parameters of all variants as JSON, one per line. The output is
 * web/src/lib/rules/variants.json, which the page uses for rendering and proposals; scripts/check contracts
 * fails if that file is stale. */
#include <stdio.h>

#include "base/buf.h"
#include "base/bug.h"
#include "engine/core/params.h"
#include "server/cli/cmd.h"

static void put_variant(struct buf *out, const struct eng_params *row)
{
    json_open(out, '{');
    json_kv_text(out, "family", row->family == ENG_FAMILY_DECLARE ? "declare" : "meld");
    json_key(out, "params");
    json_open(out, '{');
    for (int field = 0; field < ENG_PARAM_COUNT; field++)
        if (field != ENG_PARAM_NO_family)
            json_kv_num(out, eng_param_fields[field].name, eng_param_get(row, field));
    json_close(out, '}');
    json_close(out, '}');
}

int srv_cmd_variants(int args_n, char *const *args)
{
    (void)args;
    if (args_n > 0)
        return srv_fail(SRV_EXIT_USAGE, "variants takes no arguments");
    const struct eng_params *row;
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++) {
        char memory[8 * 1024];
        struct buf out = buf_on(memory, sizeof(memory));
        put_variant(&out, row);
        ASSERT(!out.full);
        (void)printf("%s\"%s\": %.*s", i == 0 ? "{\n" : ",\n", row->variant, (int)out.len, out.data);
    }
    (void)printf("\n}\n");
    return SRV_EXIT_OK;
}
