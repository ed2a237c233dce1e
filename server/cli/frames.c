/* `rummyd frames`: the frames of the live tables as JSON, for the test that holds asyncapi.yaml against them.
 */
#include <stdio.h>

#include "api/problem.h"
#include "base/bug.h"
#include "server/cli/cmd.h"
#include "server/lobby/lobby.h"
#include "server/ws/frame.h"
#include "tables/wire.h"

static void put_names(struct buf *out, const char *key, const char *const *names)
{
    json_key(out, key);
    json_open(out, '[');
    for (; *names; names++)
        json_text(out, *names);
    json_close(out, ']');
}

int srv_cmd_frames(int args_n, char *const *args)
{
    static char memory[16 * 1024];
    struct buf out = buf_on(memory, sizeof(memory) - 1);
    (void)args;
    if (args_n > 0)
        return srv_fail(SRV_EXIT_USAGE, "frames takes no arguments");
    json_open(&out, '{');
    put_names(&out, "commands", srv_frame_names);
    put_names(&out, "states", tab_wire_state_names);
    put_names(&out, "lobby", srv_lobby_frame_names);
    json_key(&out, "events");
    json_open(&out, '[');
    for (int type = 1; type < ENG_EV_TYPE_END; type++)
        json_text(&out, tab_wire_event_name((enum eng_event_type)type));
    json_close(&out, ']');
    json_key(&out, "codes");
    json_open(&out, '[');
    for (int code = ENG_OK + 1; code < ENG_REFUSAL_END; code++)
        json_text(&out, eng_refusal_name((enum eng_refusal)code));
    for (int code = API_OK + 1; code < API_CODES_N; code++)
        if (api_code_where((enum api_code)code) & API_IN_WS)
            json_text(&out, api_code_name((enum api_code)code));
    json_close(&out, ']');
    json_close(&out, '}');
    ASSERT(!out.full);
    (void)printf("%.*s\n", (int)out.len, out.data);
    return SRV_EXIT_OK;
}
