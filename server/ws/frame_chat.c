/* The `d` of chat and emote frames. Hub thread. */
#include "server/ws/frame_in.h"

#include "api/core/unicode.h"
#include "base/free_text.h"

enum api_code srv_frame_chat(struct srv_frame *frame, const struct jread_node *d)
{
    bool emote = frame->command.kind == TAB_DO_EMOTE;
    if (d && d->kind != JREAD_OBJECT)
        return API_WRONG_TYPE;
    const struct jread_node *value =
        d ? jread_member(d, wire_member_names[emote ? WIRE_MEMBER_NAME : WIRE_MEMBER_TEXT]) : NULL;
    if (d && d->n > (value ? 1 : 0))
        return API_UNKNOWN_MEMBER;
    if (!value)
        return API_MISSING_MEMBER;
    if (value->kind != JREAD_STRING)
        return API_WRONG_TYPE;
    size_t len = jread_text(value, frame->text, sizeof(frame->text));
    bool fits = len < sizeof(frame->text);
    if (emote && (!fits || tab_chat_emote(frame->text) < 0))
        return API_UNKNOWN_EMOTE;
    if (!emote &&
        (!fits || !free_text_line_ok(frame->text, len) || api_unicode_length(frame->text) > CHAT_CHARS_MAX))
        return API_BAD_TEXT;
    return API_OK;
}
