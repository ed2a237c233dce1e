/* The plural categories of whole numbers: tests/texts/plurals.json, which the page's tests check as well. */
#include "mail/plural.h"

#include <criterion/criterion.h>
#include <jansson.h>

static json_t *examples(void)
{
    json_error_t error;
    json_t *file = json_load_file("tests/texts/plurals.json", 0, &error);
    cr_assert(json_object_size(file) > 0, "%s", error.text);
    return file;
}

static void has_categories(const char *language, json_t *categories)
{
    const char *category;
    json_t *numbers;
    json_object_foreach(categories, category, numbers)
    {
        for (size_t i = 0; i < json_array_size(numbers); i++) {
            long long n = json_integer_value(json_array_get(numbers, i));
            char found[MAIL_CATEGORY_MAX];
            mail_plural_category(language, n, found);
            cr_expect_str_eq(found, category, "%s %lld: %s", language, n, found);
        }
    }
}

Test(plural, categories_follow_the_language)
{
    json_t *file = examples(), *categories;
    const char *language;
    json_object_foreach(file, language, categories)
    {
        has_categories(language, categories);
    }
    json_decref(file);
}

/* Spanish and French have a category for whole millions, "un millón de fichas", which emails never reach. */
Test(plural, a_category_without_a_form_uses_the_form_other)
{
    static const char forms[] = "one:# ficha|other:# fichas";
    char text[64];
    struct buf out = buf_on(text, sizeof(text) - 1);
    cr_assert(mail_plural_write(&out, "es", forms, sizeof(forms) - 1, 1000000));
    text[out.len] = '\0';
    cr_expect_str_eq(text, "1000000 fichas");
}
