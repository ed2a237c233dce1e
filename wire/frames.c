/* See frames.h. */
#include "wire/frames.h"

#include "base/bug.h"

static const char *const frame_names[WIRE_FRAMES_N] = {
#define WIRE_FRAME(id, name) name,
#include "wire/frames.def"
};

const struct wire_command_spec wire_command_specs[WIRE_COMMANDS_N] = {
#define WIRE_COMMAND(id, name, needs, may) {name, needs, may},
#include "wire/frames.def"
};

const char *const wire_member_names[WIRE_MEMBERS_N] = {
#define WIRE_MEMBER(id, name) name,
#include "wire/frames.def"
};

const char *wire_frame_name(enum wire_frame frame)
{
    ASSERT(frame < WIRE_FRAMES_N);
    return frame_names[frame];
}
