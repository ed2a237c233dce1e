/* Validation of settings: the error text for an invalid value. */
#include "base/setting.h"

#include <criterion/criterion.h>
#include <string.h>

Test(setting, a_sentence_about_a_long_value_is_whole)
{
    char value[400], error[SETTING_WHY_MAX];
    memset(value, 'x', sizeof(value) - 1);
    value[0] = ' ';
    value[sizeof(value) - 1] = '\0';
    cr_assert(!setting_printed("paypal_webhook_id", value, error));
    cr_assert_eq(strncmp(error, "paypal_webhook_id: must be printable", 36), 0, "%s", error);
    cr_assert_str_eq(error + strlen(error) - 3, "x\")");
}

Test(setting, only_the_allowed_characters_and_length_pass)
{
    char error[SETTING_WHY_MAX];
    cr_assert(setting_of("sms_number", "12345", "0123456789", 5, "at most 5 digits", error));
    cr_assert(!setting_of("sms_number", "123456", "0123456789", 5, "at most 5 digits", error));
    cr_assert_str_eq(error, "sms_number: must be at most 5 digits (got \"123456\")");
    cr_assert(!setting_of("sms_number", "12a", "0123456789", 5, "at most 5 digits", error));
}

Test(setting, a_secret_of_another_kind_is_named)
{
    static const char *const others[] = {"pk_", "whsec_", NULL};
    char error[SETTING_WHY_MAX];
    cr_assert(setting_is_no_other("sk_test_1", others, "another key", error));
    cr_assert(!setting_is_no_other("whsec_1", others, "another key", error));
    cr_assert_str_eq(error, "another key");
}
