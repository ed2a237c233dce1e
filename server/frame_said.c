/* The `d` of chat and emote frames. Hub thread. */
#include <string.h>

#include "server/frame_in.h"

enum api_code srv_frame_said(struct srv_frame *frame, const json_t *d)
{
    bool emote = frame->command.kind == TAB_DO_EMOTE;
    const char *member = emote ? "name" : "text";
    if (d && !json_is_object(d))
        return API_WRONG_TYPE;
    const json_t *value = json_object_get(d, member);
    if (json_object_size(d) > (value ? 1 : 0))
        return API_UNKNOWN_MEMBER;
    if (!value)
        return API_MISSING_MEMBER;
    if (!json_is_string(value))
        return API_WRONG_TYPE;
    const char *text = json_string_value(value);
    size_t len = json_string_length(value);
    if (emote && tab_chat_emote(text) < 0)
        return API_UNKNOWN_EMOTE;
    if (!emote && !tab_chat_text_ok(text, len))
        return API_BAD_TEXT;
    memcpy(frame->text, text, len + 1);
    return API_OK;
}
