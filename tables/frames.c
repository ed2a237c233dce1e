/* See frames.h. */
#include "tables/frames.h"

#include "base/bug.h"

static const char *const frame_names[TAB_FRAMES_N] = {
#define TAB_FRAME(id, name) name,
#include "tables/frames.def"
};

const struct tab_command_spec tab_command_specs[TAB_COMMANDS_N] = {
#define TAB_COMMAND(id, name, needs, may) {name, needs, may},
#include "tables/frames.def"
};

const char *const tab_member_names[TAB_MEMBERS_N] = {
#define TAB_MEMBER(id, name) name,
#include "tables/frames.def"
};

const char *tab_frame_name(enum tab_frame frame)
{
    ASSERT(frame < TAB_FRAMES_N);
    return frame_names[frame];
}
