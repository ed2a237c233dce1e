/* How a process divides its file descriptors. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "server/operations/descriptors.h"

static char error[SRV_ERROR_MAX];

static struct srv_config config_of(int64_t sockets, int64_t waiting, int64_t http, int64_t loops)
{
    return (struct srv_config){
        .socket_max = sockets, .socket_waiting_max = waiting, .http_max = http, .rest_loops = loops};
}

Test(descriptors, each_use_has_its_own_budget)
{
    struct srv_config config = config_of(1000, 100, 50, 1);
    /* 1,000 + 100 + 2 × 50 + 128 + 32 */
    cr_assert_eq(srv_descriptors_share(&config, 1360, error), 1360);
    cr_assert_eq(srv_descriptors_share(&config, SIZE_MAX, error), 1360, "never more than is needed");
    config.rest_loops = 4;
    cr_assert_eq(srv_descriptors_share(&config, 2000, error), 1456);
    cr_assert_eq(config.socket_max, 1000);
}

Test(descriptors, sockets_get_the_remaining_descriptors)
{
    struct srv_config config = config_of(0, 1024, 2048, 1);
    cr_assert_eq(srv_descriptors_share(&config, 20000, error), 20000);
    cr_assert_eq(config.socket_max, 20000 - 1024 - 2 * 2048 - 160);
    config.socket_max = 0;
    cr_assert_eq(srv_descriptors_share(&config, 1048576, error), 20000 + 1024 + 2 * 2048 + 160);
    cr_assert_eq(config.socket_max, 20000);
    config.socket_max = 0;
    cr_assert_eq(srv_descriptors_share(&config, 1024 + 2 * 2048 + 160 + 1, error), 5281);
    cr_assert_eq(config.socket_max, 1);
}

Test(descriptors, a_budget_that_does_not_fit_is_refused_by_name)
{
    struct srv_config config = config_of(1000, 100, 50, 1);
    cr_assert_eq(srv_descriptors_share(&config, 1359, error), 0);
    cr_assert_str_eq(
        error, "socket_max: 1000 sockets, 100 waiting, 100 descriptors for HTTP, and 160 for everything else "
               "are 1360; the hard limit of open files is 1359 (LimitNOFILE)");
    config.socket_max = 0;
    cr_assert_eq(srv_descriptors_share(&config, 360, error), 0);
    cr_assert_str_eq(
        error, "http_max: 100 descriptors for HTTP, 100 for waiting sockets, and 160 for everything else "
               "leave none for sockets; the hard limit of open files is 360 (LimitNOFILE)");
    cr_assert_eq(config.socket_max, 0);
}
