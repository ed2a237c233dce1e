/* Bot names are valid nicknames, and reserved for bots. */
#include <criterion/criterion.h>

#include "api/bodies.h"
#include "api/names/names.h"
#include "base/bug.h"

Test(bot_names, are_reserved)
{
    static const char *const names[] = {
#define BOT_NAME(name) name,
#include "tables/bot_names.def"
#undef BOT_NAME
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        cr_expect_eq(api_name_judge(names[i]), API_FAULT_NAME_RESERVED, "%s", names[i]);
        cr_expect_leq(api_name_length(names[i]), ME_CHANGE_NICKNAME_MAX);
    }
}
