/* The rule for a copy that was unreachable and returns with its previous items (D4). A client that saw the outage
 * compares the copy with another one and returns the newer value. A version of a copy counts as long as the copy
 * has any item of the key, because a claim over it implies the same. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"
#include "cache/families/copies.h"
#include "store/failover/store_failover.h"

static const sim_item *item_at(const sim_world *world, unsigned server, unsigned key) {
	return &world->servers[server].items[2 * key];
}

void sim_copies_remember(sim_world *world, const sim_request *request, const sim_item *before) {
	unsigned key = request->item / 2;
	sim_memory *memory = &world->memories[request->server][key];
	mcp_envelope envelope;
	if (sim_item_is_side(request->item)) {
		return;
	}
	if (!before->is_present) {
		*memory = (sim_memory){.life = memory->life + 1};
	}
	if (sim_copies_is_version(item_at(world, request->server, key), key, &envelope)) {
		memory->has_version = true;
		memory->newest = sim_version_of(&envelope);
		memory->end_ms = envelope.hard_ms;
	}
}

/* True if the client, reading now, treats the item as one from before an outage. */
static bool is_suspect(const sim_client *client, unsigned server, const sim_item *item) {
	const mcp_server_health_entry *known = &client->known->servers[server];
	bool is_marked = known->mark.mark.is_set && known->mark.outages == known->outages;
	return item->is_present && known->outages > 0 &&
		(!is_marked || mcp_mark_is_after(&known->mark.mark, item->cas));
}

static bool decides(const sim_client *client, unsigned server, unsigned key) {
	const sim_item *item = item_at(client->world, server, key);
	mcp_envelope envelope;
	return sim_copies_is_version(item, key, &envelope) && envelope.has_value &&
		!is_suspect(client, server, item);
}

static unsigned server_of(const sim_client *client, unsigned key, unsigned copy) {
	mcp_key name = sim_key(key);
	return (unsigned)mcp_failover_marks_index(mcp_store_candidate(client->cluster, &name, copy));
}

static void note(const sim_client *client, unsigned key, unsigned copy, sim_compared *noted) {
	const sim_world *world = client->world;
	unsigned server = server_of(client, key, copy);
	const sim_item *item = item_at(world, server, key);
	*noted = (sim_compared){
		.server = (uint8_t)server,
		.is_there = item->is_present,
		.decides = decides(client, server, key),
		.is_away = client->known->servers[server].is_away,
		.outages = client->known->servers[server].outages,
		.cas = item->cas,
		.memory = world->memories[server][key],
	};
}

void sim_copies_begin_comparison(sim_world *world, sim_client *client, const sim_entry *look) {
	sim_comparison *comparison = &client->comparisons[look->key];
	unsigned home = sim_key_home(world, look->key);
	comparison->is_due = is_suspect(client, home, item_at(world, home, look->key));
	for (unsigned i = 0; comparison->is_due && i < world->scenario->copies; i++) {
		note(client, look->key, i, &comparison->copies[i]);
	}
}

/* True if the read's value is what copy 0 has had at all times since its return. */
static bool is_believed(const sim_world *world, const sim_entry *look, const sim_compared *home) {
	const sim_item *item = item_at(world, home->server, look->key);
	mcp_envelope envelope;
	if (item->cas != home->cas || !sim_copies_is_version(item, look->key, &envelope)) {
		return false;
	}
	sim_version version = sim_version_of(&envelope);
	return !sim_version_is_older(version, look->shown) &&
		!sim_version_is_older(look->shown, version);
}

/* True if the client got a reply there, or would have. */
static bool was_in_reach(const sim_client *client, const sim_entry *look,
	const sim_compared *copy) {
	const mcp_server_health_entry *known = &client->known->servers[copy->server];
	uint64_t since_ms = sim_copies_began_ms(client->world, look);
	return !copy->is_away && !known->is_away && known->outages == copy->outages &&
		sim_copies_was_in_reach(client, copy->server, since_ms);
}

/* True if the copy has had this or a newer version at all times, not expired: a value by the client's clock, a
 * tombstone under a claim by any clock. */
static bool had_it(const sim_world *world, const sim_entry *look, const sim_compared *copy) {
	const sim_memory *now = &world->memories[copy->server][look->key];
	uint64_t late_ms = look->wall_high + world->scenario->lease_ms;
	return copy->is_there && copy->memory.has_version && now->life == copy->memory.life &&
		item_at(world, copy->server, look->key)->is_present && copy->memory.end_ms > late_ms &&
		now->end_ms > late_ms;
}

void sim_copies_judge_comparison(sim_world *world, const sim_client *client,
	const sim_entry *look) {
	const sim_comparison *comparison = &client->comparisons[look->key];
	const sim_compared *home = &comparison->copies[0];
	if (!comparison->is_due || !is_believed(world, look, home)) {
		return;
	}
	for (unsigned i = 1; i < world->scenario->copies; i++) {
		const sim_compared *copy = &comparison->copies[i];
		if (sim_version_is_older(look->shown, copy->memory.newest) && had_it(world, look, copy) &&
			was_in_reach(client, look, copy)) {
			sim_world_fail(world, "D4",
				"%s by client %u (#%u) believes server %u, which came back with what is older than server %u's",
				sim_entry_name(look->kind), client->index, sim_entry_id(look), home->server,
				copy->server);
		}
		if (copy->decides || decides(client, copy->server, look->key)) {
			return;
		}
	}
}
