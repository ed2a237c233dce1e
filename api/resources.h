/* The rows each resource adds to the table of endpoints. Used by route.c alone. */
#ifndef RUMMYD_API_RESOURCES_H
#define RUMMYD_API_RESOURCES_H

#include "api/route.h"

#define API_RESOURCE(name)                                                                                   \
    extern const struct api_route api_##name##_routes[];                                                     \
    extern const size_t api_##name##_routes_n

API_RESOURCE(auth);
API_RESOURCE(me);
API_RESOURCE(wallet);
API_RESOURCE(rooms);
API_RESOURCE(lobby);
API_RESOURCE(watch);
API_RESOURCE(bars);
API_RESOURCE(rematch);
API_RESOURCE(seats);
API_RESOURCE(tables);
API_RESOURCE(custom);
API_RESOURCE(games);
API_RESOURCE(ops);
API_RESOURCE(shop);
API_RESOURCE(leagues);
API_RESOURCE(admin);
API_RESOURCE(boards);
API_RESOURCE(social);

#endif
