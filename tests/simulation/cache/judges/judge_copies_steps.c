/* The rules for caches with several copies at every step: what a write may replace (D1, D2), and what may be the
 * basis of a computation (D2). */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/checks.h"
#include "cache/families/copies.h"
#include "cache/values.h"

bool sim_copies_is_version(const sim_item *item, unsigned key, mcp_envelope *envelope) {
	sim_envelope found;
	if (!sim_open(item, key, &found)) {
		return false;
	}
	*envelope = found.envelope;
	return envelope->has_value || envelope->is_tombstone;
}

/* Returns the entry that stored the item's value. NULL without a value. */
static const sim_entry *author_of(const sim_world *world, const sim_item *item, unsigned key) {
	sim_envelope found;
	if (!sim_open(item, key, &found) || !found.envelope.has_value) {
		return NULL;
	}
	sim_value value = sim_value_decode(found.payload, found.flags, key);
	return sim_copies_writer(world, key, &value);
}

static bool are_clocks_equal(const sim_scenario *scenario) {
	for (unsigned i = 0; i < scenario->client_count; i++) {
		if (scenario->skews_ms[i] != 0) {
			return false;
		}
	}
	return true;
}

/* Returns when the caller of a rebuild was elected. A caller that stopped waiting for another caller's result was
 * not elected. The claim of that caller dates its result, because a client that writes over the claim uses a date
 * right after it. */
static uint64_t elected_ms(const sim_world *world, const sim_entry *origin) {
	uint64_t lease_ms = world->scenario->lease_ms;
	bool is_anothers = origin->claim.is_overdue && origin->claim.end_ms > lease_ms;
	uint64_t claimed_ms = is_anothers ? origin->claim.end_ms - lease_ms : origin->wall_low;
	return claimed_ms < origin->wall_low ? claimed_ms : origin->wall_low;
}

/* Returns the beginning of a value; for a rebuild its election, which dates it. */
static uint64_t begun_ms(const sim_world *world, const sim_entry *author) {
	bool is_result = author->kind == SIM_ENTRY_PUBLISH;
	return is_result ? elected_ms(world, &world->entries[author->origin]) : author->wall_low;
}

/* True if it has no further effect. An unanswered operation has one as long as requests can be late. */
static bool is_over(const sim_world *world, const sim_entry *author) {
	bool is_acknowledged = author->is_ended && author->status == MCP_OK;
	return is_acknowledged ||
		(author->is_ended && !sim_copies_has_fault(world, sim_copies_makes_late));
}

/* A value that was over when another value's writer began must not replace that value, regardless of the order of
 * versions (D2). An expire and a touch store the current value again. */
static void check_time(sim_world *world, const sim_entry *entry, unsigned key,
	const sim_item *before, const sim_item *after) {
	const sim_entry *old = author_of(world, before, key);
	const sim_entry *new = author_of(world, after, key);
	bool is_carried =
		entry != NULL && (entry->kind == SIM_ENTRY_EXPIRE || entry->kind == SIM_ENTRY_TOUCH);
	if (old != NULL && new != NULL && !is_carried && is_over(world, new) &&
		new->wall_high < begun_ms(world, old) && are_clocks_equal(world->scenario)) {
		sim_world_fail(world, "D2", "#%u is put over #%u, which was begun after it",
			sim_entry_id(new), sim_entry_id(old));
	}
}

/* A version must not be older than the newest version since the copy was last lost (D1). The current item can be a
 * claim over it. */
static void check_order(sim_world *world, const sim_client *client, const sim_request *request,
	const sim_item *before, const sim_item *after) {
	unsigned key = request->item / 2;
	const sim_memory *memory = &world->memories[request->server][key];
	sim_envelope old;
	mcp_envelope new;
	if (memory->has_version && sim_open(before, key, &old) &&
		sim_copies_is_version(after, key, &new) &&
		sim_version_is_older(sim_version_of(&new), memory->newest)) {
		sim_world_fail(world, "D1", "client %u puts an older version over a newer one at server %u",
			client->index, request->server);
	}
}

void sim_copies_judge_write(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before) {
	const sim_item *after = &world->servers[request->server].items[request->item];
	check_order(world, client, request, before, after);
	check_time(world, entry, request->item / 2, before, after);
}

bool sim_copies_has_fault(const sim_world *world, bool (*is_one)(sim_fault_kind kind)) {
	for (unsigned i = 0; i < world->scenario->fault_count; i++) {
		if (is_one(world->scenario->faults[i].kind)) {
			return true;
		}
	}
	return false;
}

uint64_t sim_copies_began_ms(const sim_world *world, const sim_entry *entry) {
	int64_t skew_ms = world->scenario->skews_ms[entry->client];
	return (uint64_t)((int64_t)(entry->wall_low - SIM_EPOCH_MS) - skew_ms);
}

/* Returns the server whose item has this claim. NULL without one. */
static const sim_server *claimed_at(const sim_world *world, const sim_entry *elected,
	mcp_envelope *envelope) {
	for (unsigned i = 0; i < world->server_count; i++) {
		sim_envelope found;
		if (sim_open(&world->servers[i].items[2 * elected->key], elected->key, &found) &&
			found.envelope.has_claim && found.envelope.claim_token == elected->claim.token) {
			*envelope = found.envelope;
			return &world->servers[i];
		}
	}
	return NULL;
}

bool sim_copies_was_in_reach(const sim_client *client, unsigned server, uint64_t since_ms) {
	const sim_world *world = client->world;
	const sim_member *member = &client->members[server];
	return world->down_until_ms[server] < since_ms && world->frozen_until_ms[server] < since_ms &&
		member->cut_until_ms < since_ms && member->shunned_until_ms < since_ms;
}

static bool is_of_one_call(sim_fault_kind kind) {
	return !sim_fault_is_timed(kind) || kind == SIM_RESTART;
}

/* No computation is based on a value older than another copy's at the beginning of the read (D2). Only if no reply
 * is lost, because the claim can have been found by reading it back. */
void sim_copies_judge_election(sim_world *world, const sim_client *client,
	const sim_entry *elected) {
	mcp_envelope over, other;
	uint64_t since_ms = sim_copies_began_ms(world, elected);
	const sim_server *at = claimed_at(world, elected, &over);
	if (at == NULL || sim_copies_has_fault(world, is_of_one_call)) {
		return;
	}
	over.created_ms = over.has_value || over.is_tombstone ? over.created_ms : MCP_NEVER_MS;
	for (unsigned i = 0; i < world->server_count; i++) {
		const sim_item *item = &world->servers[i].items[2 * elected->key];
		if (sim_copies_is_version(item, elected->key, &other) &&
			sim_version_is_older(sim_version_of(&over), sim_version_of(&other)) &&
			item->stored_ms < since_ms && sim_copies_was_in_reach(client, i, since_ms)) {
			sim_world_fail(world, "D2", "client %u is elected over what is older than server %u's",
				client->index, i);
		}
	}
}
