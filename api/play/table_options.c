/* See table_options.h. */
#include "api/play/table_options.h"

#include "api/core/spec.h"
#include "base/bug.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const api_bot_levels[] = {"easy", "medium", "strong", "master", NULL};

int api_bot_level_of(const char *word)
{
    int i = 0;
    while (api_bot_levels[i] && strcmp(api_bot_levels[i], word) != 0)
        i++;
    ASSERT(api_bot_levels[i]);
    return i + 1;
}

/* Reads the options in the body, each with its value as text. The body spec accepts only whole numbers and
 * words. */
static void read_options(const struct api_request *request, struct api_option options[API_TABLE_OPTIONS_MAX],
                         size_t *n)
{
    const char *key;
    const json_t *value;
    json_t *object = json_object_get(request->json, "options");
    json_object_foreach(object, key, value)
    {
        ASSERT(*n < API_TABLE_OPTIONS_MAX); /* the body spec limits their number */
        struct api_option *option = &options[(*n)++];
        int64_t number;
        option->name = key;
        option->word = !api_json_whole(value, &number);
        int len = option->word
                      ? snprintf(option->value, sizeof(option->value), "%s", json_string_value(value))
                      : snprintf(option->value, sizeof(option->value), "%" PRId64, number);
        if (len < 0 || (size_t)len >= sizeof(option->value))
            option->value[0] = '\0'; /* longer than any valid value */
    }
}

/* Checks the hand clock option, which some kinds of tables reject. Correspondence tables turn the hand
 * clock off. */
static void check_hand_clock(struct api_request *request, enum api_hand_clock hand_clock,
                             struct api_option options[API_TABLE_OPTIONS_MAX + 1], size_t *n)
{
    const struct api_option *given = NULL;
    for (size_t i = 0; i < *n; i++)
        if (strcmp(options[i].name, "hand_s") == 0)
            given = &options[i];
    if (!given && hand_clock == API_HAND_CLOCK_NEVER)
        options[(*n)++] = (struct api_option){.name = "hand_s", .value = "0"};
    if (!given || given->word || hand_clock == API_HAND_CLOCK_CHOSEN)
        return;
    bool off = strcmp(given->value, "0") == 0;
    if (off == (hand_clock == API_HAND_CLOCK_NEVER))
        return;
    struct api_fault fault = {.code = off ? API_FAULT_HAND_CLOCK_NEEDED : API_FAULT_HAND_CLOCK_SLOW,
                              .parent = "options"};
    api_fault_name(&fault, given->name, strlen(given->name));
    (void)api_fail_fault(request, &fault);
}

bool api_table_params_bind(struct api_request *request, const char *variant, int64_t seats,
                           enum api_hand_clock hand_clock)
{
    struct api_option options[API_TABLE_OPTIONS_MAX + 1];
    size_t n = 0;
    char params_text[512];
    struct buf params = buf_on(params_text, sizeof(params_text));
    const struct api_ports *ports = &request->env->ports;
    struct api_faults faults = {0};
    read_options(request, options, &n);
    check_hand_clock(request, hand_clock, options, &n);
    ports->table_params(ports->ctx, variant, (int)seats, options, n, &params, &faults);
    for (size_t i = 0; i < faults.n; i++)
        (void)api_fail_fault(request, &faults.list[i]);
    if (request->code != API_OK)
        return false;
    ASSERT(!params.full);
    db_args_text(&request->args, variant);
    db_args_text_n(&request->args, params_text, params.len);
    return true;
}

bool api_table_options_bind(struct api_request *request, const json_t *options)
{
    char *text = options ? json_dumps(options, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (options && !text)
        return false;
    db_args_text(&request->args, text ? text : "{}");
    free(text);
    return true;
}
