/* The rows that each resource adds to the endpoint table. Used only by route.c. */
#ifndef RUMMYD_API_RESOURCES_H
#define RUMMYD_API_RESOURCES_H

#include "api/route.h"

#define API_RESOURCE(name)                                                                                   \
    extern const struct api_route api_##name##_routes[];                                                     \
    extern const size_t api_##name##_routes_n;
#include "api/resources.def"
#undef API_RESOURCE

#endif
