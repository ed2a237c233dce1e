/* See variants.h. The engine's table defines the variants; the translations define their names. */
#include "server/http/variants.h"

#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "engine/core/params.h"

/* ---- The list ---- */
static void put_option(struct buf *out, const struct eng_option *option)
{
    json_open(out, '{');
    json_kv_text(out, "name", option->name);
    json_kv_num(out, "least", option->least);
    json_kv_num(out, "greatest", option->greatest);
    json_key(out, "default");
    if (option->words)
        json_nil(out);
    else
        json_num(out, option->value);
    json_key(out, "default_word");
    if (option->words)
        json_text(out, option->words[option->value - option->least]);
    else
        json_nil(out);
    json_key(out, "values");
    if (option->words) {
        json_open(out, '[');
        for (int i = 0; option->words[i]; i++)
            json_text(out, option->words[i]);
        json_close(out, ']');
    } else {
        json_nil(out);
    }
    json_close(out, '}');
}

static void put_variant(struct buf *out, const struct eng_params *row)
{
    json_open(out, '{');
    json_kv_text(out, "id", row->variant);
    json_kv_num(out, "seats_min", row->players_min);
    json_kv_num(out, "seats_max", row->players_max);
    json_key(out, "options");
    json_open(out, '[');
    struct eng_option option;
    for (int i = 0; eng_params_option(row, i, &option); i++)
        put_option(out, &option);
    json_close(out, ']');
    json_close(out, '}');
}

bool srv_variant_known(const char *variant)
{
    const struct eng_params *row;
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++)
        if (strcmp(row->variant, variant) == 0)
            return true;
    return false;
}

void srv_variants_write(struct buf *out)
{
    const struct eng_params *row;
    json_open(out, '[');
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++)
        put_variant(out, row);
    json_close(out, ']');
}

/* ---- Parameters of a table ---- */
static const char hand_clock[] = "hand_s";

static void add_fault(struct api_faults *faults, const char *parent, const char *name, struct api_fault fault)
{
    (void)snprintf(fault.parent, sizeof(fault.parent), "%s", parent);
    api_fault_name(&fault, name, strlen(name));
    api_faults_add(faults, &fault);
}

/* Sets an option. Returns a fault if the variant does not have the option or the value is invalid. */
static struct api_fault set_option(struct eng_params *set, const struct api_option *given)
{
    static const char *const word[] = {"string", NULL}, *const number[] = {"integer", NULL};
    struct eng_option option;
    for (int i = 0; eng_params_option(set, i, &option); i++) {
        if (strcmp(option.name, given->name) != 0)
            continue;
        if (given->word != (option.words != NULL))
            return (struct api_fault){.code = API_FAULT_WRONG_TYPE, .allowed = option.words ? word : number};
        if (eng_params_set(set, given->name, given->value))
            return (struct api_fault){.code = API_FAULT_NONE};
        return option.words ? (struct api_fault){.code = API_FAULT_OPTION_CHOICE, .allowed = option.words}
                            : (struct api_fault){.code = API_FAULT_OPTION_RANGE,
                                                 .min = option.least,
                                                 .max = option.greatest};
    }
    return (struct api_fault){.code = API_FAULT_NO_SUCH_OPTION};
}

/* Sets the options of one pass; unknown options and invalid values are faults. The hand clock has its own
 * pass at the end, because the turn clock changes it. */
static void set_pass(struct eng_params *set, const struct api_option *options, size_t n, bool last,
                     struct api_faults *faults)
{
    for (size_t i = 0; i < n; i++) {
        if ((strcmp(options[i].name, hand_clock) == 0) != last)
            continue;
        struct api_fault fault = set_option(set, &options[i]);
        if (fault.code != API_FAULT_NONE)
            add_fault(faults, "options", options[i].name, fault);
    }
}

static void set_options(struct eng_params *set, const struct api_option *options, size_t n,
                        struct api_faults *faults)
{
    set_pass(set, options, n, false, faults);
    set_pass(set, options, n, true, faults);
    if (set->hand_s == 0 || set->hand_s >= set->turn_s)
        return;
    add_fault(faults, "options", hand_clock,
              (struct api_fault){.code = API_FAULT_HAND_CLOCK_SHORT, .min = set->turn_s});
    set->hand_s = set->turn_s;
}

void srv_table_params(const char *variant, int seats, const struct api_option *options, size_t n,
                      struct buf *params, struct api_faults *faults)
{
    const struct eng_params *row = eng_params_find(variant);
    if (!row) {
        add_fault(faults, "", "variant", (struct api_fault){.code = API_FAULT_NO_SUCH_VARIANT});
        return;
    }
    struct eng_params set = *row;
    set_options(&set, options, n, faults);
    if (seats < row->players_min || seats > row->players_max || !eng_params_ok(&set, seats))
        add_fault(faults, "", "seats",
                  (struct api_fault){.code = seats < row->players_min   ? API_FAULT_TOO_SMALL
                                             : seats > row->players_max ? API_FAULT_TOO_LARGE
                                                                        : API_FAULT_OUT_OF_RANGE,
                                     .min = row->players_min,
                                     .max = row->players_max});
    for (int field = 0; field < ENG_PARAM_COUNT; field++)
        if (eng_param_get(&set, field) != eng_param_get(row, field))
            buf_fmt(params, "%s%s=%d", params->len > 0 ? " " : "", eng_param_fields[field].name,
                    eng_param_get(&set, field));
}
