/* Creates the stores between a client's cache and its servers, for each run: one per server, a cluster, and
 * failover or copies on top. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"
#include "store/cluster/store_cluster.h"
#include "store/failover/store_failover.h"

unsigned sim_key_home(const sim_world *world, unsigned index) {
	return index % world->server_count;
}

/* Distributes keys in turn. Any other name (another candidate) gets an arbitrary but fixed server. */
static size_t pick(void *router, mcp_bytes route) {
	const sim_world *world = router;
	if (sim_is_of_key(route)) {
		return sim_key_home(world, (unsigned)(route.data[1] - '0'));
	}
	uint64_t hash = route.length;
	for (size_t i = 0; i < route.length; i++) {
		hash = sim_mix(hash ^ (unsigned char)route.data[i]);
	}
	return hash % world->server_count;
}

static void drop_stores(sim_client *client) {
	if (client->failover != NULL) {
		mcp_store_free(client->failover);
		client->failover = NULL;
	}
	if (client->known != NULL) {
		for (unsigned i = 0; i < SIM_SERVERS_MAX && client->marked[i] != NULL; i++) {
			mcp_store_free(client->marked[i]);
			client->marked[i] = NULL;
		}
		mcp_server_health_free(client->known);
		client->known = NULL;
	}
	if (client->cluster != NULL) {
		mcp_store_free(client->cluster);
		client->cluster = NULL;
	}
}

/* Marks stores like src/php/pool/servers/server_set.c. With copies, no late write is waited for. */
static void mark_members(sim_client *client, mcp_store **stores) {
	sim_world *world = client->world;
	client->known =
		mcp_server_health_create(world->server_count, sim_mix(client->index), &client->environment);
	for (unsigned i = 0; i < world->server_count; i++) {
		client->marked[i] =
			mcp_failover_marks_create(client->known, i, world->scenario->fails_over);
		mcp_failover_marks_aim(client->marked[i], stores[i]);
		stores[i] = client->marked[i];
	}
}

static void connect_members(sim_client *client) {
	sim_world *world = client->world;
	mcp_store *stores[SIM_SERVERS_MAX];
	drop_stores(client);
	for (unsigned i = 0; i < world->server_count; i++) {
		sim_member *member = &client->members[i];
		member->door = (sim_door){{&sim_member_operations, "simulated", NULL}, &sim_member_way};
		member->client = client;
		member->index = i;
		member->view = 0;
		member->cut_until_ms = 0;
		member->unsettled = 0;
		member->failures = 0;
		stores[i] = &member->door.store;
	}
	client->store = stores[0];
	if (world->scenario->fails_over || world->scenario->copies > 1) {
		mark_members(client, stores);
	}
	if (world->server_count > 1) {
		client->cluster = mcp_store_cluster_create(stores, world->server_count, pick, world);
		client->store = client->cluster;
	}
	if (world->scenario->fails_over) {
		client->failover = mcp_store_failover_create(client->cluster, client->known);
		client->store = client->failover;
	}
}

bool sim_client_is_away(const sim_client *client, unsigned key) {
	return client->known != NULL &&
		client->known->servers[sim_key_home(client->world, key)].is_away;
}

uint64_t sim_client_life(const sim_client *client, unsigned key) {
	return client->known != NULL
		? mcp_store_breaks(client->marked[sim_key_home(client->world, key)])
		: 0;
}

static void connect_copies(sim_client *client) {
	const sim_scenario *scenario = client->world->scenario;
	if (client->copies != NULL) {
		mcp_copies_free(client->copies);
		client->copies = NULL;
	}
	if (scenario->copies > 1) {
		client->copies = mcp_copies_create(scenario->copies);
		mcp_copies_prepare(client->copies, client->store, &client->environment, scenario->lease_ms);
	}
}

void sim_client_disconnect(sim_client *client) {
	for (unsigned i = 0; i < SIM_SERVERS_MAX; i++) {
		client->members[i].generation = UINT32_MAX;
		client->members[i].shunned_until_ms = 0;
	}
	if (client->known != NULL) {
		mcp_server_health_forget(client->known, sim_random(&client->random));
		/* A new process. */
		for (size_t i = 0; i < client->known->count; i++) {
			client->known->servers[i].heard_ms = 0;
		}
	}
}

void sim_client_connect(sim_client *client, sim_world *world, unsigned index) {
	client->world = world;
	client->index = index;
	connect_members(client);
	sim_client_disconnect(client);
	sim_client_set_environment(client);
	connect_copies(client);
	client->cache = (mcp_cache){
		.store = client->copies != NULL ? mcp_copies_store(client->copies) : client->store,
		.environment =
			client->copies != NULL ? mcp_copies_environment(client->copies) : &client->environment,
		.statistics = &client->statistics,
		.lease_ms = world->scenario->leases_ms[index] > 0 ? world->scenario->leases_ms[index]
														  : world->scenario->lease_ms,
		.lease_is_fitted = world->scenario->lease_is_fitted,
		.reads_foreign = world->scenario->reads_foreign,
		.foreign_grace_ms = world->scenario->foreign_grace_ms,
	};
}
