/* Checks requests and results of clients, and invariants of items at any moment: C1, C4, C7, C9, C13. Also checks
 * lifetimes (I1). checks_writes.c has the changes that a write may make. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/checks_writes.h"
#include "cache/client.h"

#include "core/backoff.h"
#include "core/envelope/foreign.h"
#include "core/envelope/value_flags.h"

enum {
	/* C7, and liveness of C3: an envelope is kept this long after it can no longer be served. */
	LEASES_PAST_HARD_END = 1,
	LEASES_PAST_CLAIM = 3,
};

bool sim_open(const sim_item *item, unsigned key, sim_envelope *found) {
	if (!item->is_present) {
		return false;
	}
	found->flags = mcp_envelope_value_flags(item->flags);
	return mcp_envelope_decode(mcp_bytes_of(item->bytes, item->length), item->flags,
		sim_key(key).fingerprint, &found->envelope, &found->payload);
}

bool sim_is_plain(const sim_world *world, const sim_item *item) {
	const sim_scenario *scenario = world->scenario;
	return scenario->reads_foreign && scenario->foreign_grace_ms > 0 && item->is_present &&
		item->flags == MCP_VALUE_INT;
}

void sim_check_request(sim_client *client, const sim_request *request) {
	sim_world *world = client->world;
	/* A mark may be written repeatedly, also on a number to be frozen. With failover, a key is deleted if a change
	 * got no reply. */
	bool may_repeat = world->scenario->fails_over || sim_item_is_other(request->item) ||
		request->verb == MCP_OP_PREPEND;
	if (!may_repeat && client->members[request->server].unsettled & (1u << request->item)) {
		sim_world_fail(world, "C13", "client %u repeats a write of %s blindly: %s after no answer",
			client->index, sim_item_name(world, request->item), sim_verb_name(request->verb));
	}
	bool is_side = sim_item_is_side(request->item);
	if (client->has_blind_count && is_side && request->verb != MCP_OP_TOUCH) {
		sim_world_fail(world, "C13", "client %u counts again after an increment without an answer",
			client->index);
	}
	if (request->verb == MCP_OP_CAS && request->cas == 0) {
		sim_world_fail(world, "C13", "client %u sends cas id 0", client->index);
	}
}

void sim_check_answer(sim_client *client, const sim_request *request, mcp_status status) {
	sim_member *member = &client->members[request->server];
	uint16_t bit = (uint16_t)(1u << request->item);
	if (sim_verb_is_read(request->verb)) {
		if (!mcp_status_is_failure(status)) {
			member->unsettled = (uint16_t)(member->unsettled & ~bit);
		}
		return;
	}
	if (status == MCP_UNKNOWN) {
		member->unsettled |= bit;
		client->has_blind_count = client->has_blind_count || sim_verb_counts(request->verb);
	}
}

static bool is_ahead(const sim_client *client, uint64_t end_ms, uint64_t longest_ms) {
	uint64_t now_ms = sim_wall_ms(client);
	return end_ms > now_ms && end_ms - now_ms <= longest_ms + client->cache.lease_ms;
}

static void note_pause(const sim_client *client, sim_entry *entry, const mcp_envelope *envelope) {
	bool is_marked = mcp_envelope_is_uncacheable(envelope);
	uint64_t longest_ms =
		is_marked ? client->cache.lease_ms : mcp_backoff_failure_pause_max_ms(envelope->failures);
	bool is_claimed =
		envelope->has_claim && is_ahead(client, envelope->claim_end_ms, envelope->claim_lease_ms);
	if (envelope->has_failure && !is_claimed &&
		is_ahead(client, envelope->pause_end_ms, longest_ms)) {
		entry->paused_until_ms = envelope->pause_end_ms;
		entry->is_marked = is_marked;
	}
}

void sim_check_pause(const sim_client *client, const sim_entry *entry) {
	uint64_t now_ms = sim_wall_ms(client);
	if (entry->kind != SIM_ENTRY_REMEMBER || client->is_at_many ||
		entry->paused_until_ms <= now_ms) {
		return;
	}
	uint64_t left_ms = entry->paused_until_ms - now_ms;
	if (entry->is_marked) {
		sim_world_fail(client->world, "C6", "client %u waits where no result could be stored",
			client->index);
	} else if (left_ms >= client->world->scenario->wait_ms / 4) {
		sim_world_fail(client->world, "C6", "client %u waits for a rebuild that is %u ms off",
			client->index, (unsigned)left_ms);
	}
}

void sim_check_look(sim_client *client, const sim_request *request, const sim_item *item) {
	sim_entry *entry = sim_current_entry(client);
	if (entry == NULL || sim_item_is_side(request->item) || sim_item_is_other(request->item)) {
		return;
	}
	client->looked_ms[request->item / 2] = sim_wall_ms(client);
	sim_envelope found = {.flags = 0};
	bool is_envelope = sim_open(item, request->item / 2, &found);
	entry->paused_until_ms = 0;
	entry->has_seen_plain = !client->is_at_many && sim_is_plain(client->world, item);
	if (is_envelope) {
		note_pause(client, entry, &found.envelope);
	}
	/* A read of a counted value needs 2 requests. */
	bool is_first = entry->reads == 0 || (entry->reads == 1 && client->call.count == 2);
	entry->reads = entry->reads < 2 ? (uint8_t)(entry->reads + 1) : 2;
	if (!is_first) {
		return;
	}
	entry->first_epoch = entry->first_election = 0;
	if (is_envelope) {
		entry->first_epoch = found.envelope.epoch;
		entry->first_election = found.envelope.value_election;
	} else if (entry->has_seen_plain) {
		entry->first_epoch =
			mcp_foreign_epoch(mcp_bytes_of(item->bytes, item->length), item->flags, item->cas);
	}
}

bool sim_is_first(const sim_entry *entry, const mcp_envelope *envelope) {
	return entry->first_epoch == envelope->epoch &&
		entry->first_election == envelope->value_election;
}

/* Returns the time that a remember() may wait, and must wait before it uses an unwanted value. With another claim,
 * this is the time that it has held that claim, but at least the longest pause and at most a quarter. */
static uint32_t wait_ms_of(const sim_world *world, const sim_entry *entry) {
	uint32_t wait_ms = world->scenario->wait_ms;
	if (entry->oldest_claim_ms == 0) {
		return wait_ms;
	}
	uint32_t held_ms = entry->oldest_claim_ms < 100 ? 100 : entry->oldest_claim_ms;
	return held_ms < wait_ms / 4 ? held_ms : wait_ms / 4;
}

void sim_check_forced(const sim_client *client, const sim_entry *entry,
	const mcp_cache_entry *found) {
	bool is_answered = found->verdict != MCP_VERDICT_ELECTED && found->has_value;
	uint64_t waited_ms = mcp_monotonic_ms(&client->environment) - entry->begun_ms;
	bool is_over = waited_ms >= wait_ms_of(client->world, entry);
	bool is_held_off = !entry->is_marked && entry->paused_until_ms > sim_wall_ms(client);
	/* With several copies, a read is more than one request. */
	if (client->copies == NULL && entry->is_forced && entry->is_patient && is_answered &&
		!is_over && !is_held_off && sim_is_first(entry, &found->envelope)) {
		sim_world_fail(client->world, "C17", "client %u forces, and takes the value it came upon",
			client->index);
	}
}

/* Times in envelopes are wall-clock times. Clocks of hosts differ by less than half a lease, or the check is
 * skipped. */
static uint64_t on_server_clock(uint64_t wall_ms) {
	return wall_ms > SIM_EPOCH_MS ? wall_ms - SIM_EPOCH_MS : 0;
}

static void check_kept(sim_world *world, const sim_item *item, uint64_t until_ms,
	const char *invariant, const char *what) {
	uint64_t skew_ms = world->scenario->lease_ms;
	if (item->expires_ms != 0 && item->expires_ms + skew_ms < until_ms) {
		sim_world_fail(world, invariant, "%s: gone at %llu, needed until %llu", what,
			(unsigned long long)item->expires_ms, (unsigned long long)until_ms);
	}
}

/* After every write, the envelope must outlive its value, and so must its running number. */
static void check_lifetimes(sim_world *world, const sim_request *request, bool is_claiming,
	uint64_t writers_lease_ms) {
	unsigned key = request->item / 2;
	const sim_item *item = &world->servers[request->server].items[2 * key];
	const sim_item *side = &world->servers[request->server].items[2 * key + 1];
	sim_envelope found;
	if (world->scenario->is_wild || !sim_open(item, key, &found)) {
		return;
	}
	const mcp_envelope *envelope = &found.envelope;
	if (envelope->hard_ms == MCP_NEVER_MS) {
		check_kept(world, item, UINT64_MAX, "C7", "an envelope without an end");
	} else if (envelope->has_value) {
		check_kept(world, item,
			on_server_clock(envelope->hard_ms) + LEASES_PAST_HARD_END * writers_lease_ms, "C7",
			"an envelope");
	}
	if (is_claiming) {
		check_kept(world, item, world->now_ms + (LEASES_PAST_CLAIM + 1) * writers_lease_ms, "C3",
			"a claimed envelope");
	}
	/* by the lease of the claim, regardless of later writers */
	if (envelope->has_claim) {
		uint64_t claim_lease_ms = envelope->claim_lease_ms;
		check_kept(world, item,
			on_server_clock(envelope->claim_end_ms) + LEASES_PAST_CLAIM * claim_lease_ms, "C3",
			"an envelope with a claim");
	}
	bool is_counting = envelope->has_value && envelope->has_counter && side->is_present &&
		side->flags == envelope->counter_epoch;
	if (is_counting) {
		uint64_t until_ms =
			envelope->hard_ms == MCP_NEVER_MS ? UINT64_MAX : on_server_clock(envelope->hard_ms);
		check_kept(world, side, until_ms, "I1", "a running number");
	}
}

void sim_check_write(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before) {
	unsigned key = request->item / 2;
	sim_write write = {
		.world = world,
		.client = client,
		.entry = entry,
		.request = request,
		.before = before,
		.after = &world->servers[request->server].items[request->item],
		.key = key,
	};
	bool is_side = sim_item_is_side(request->item);
	if (entry != NULL) {
		is_side ? sim_check_side_write(&write) : sim_check_main_write(&write);
	}
	sim_envelope now;
	bool is_claiming = false;
	if (!is_side && sim_open(write.after, key, &now)) {
		sim_envelope was;
		is_claiming = now.envelope.has_claim &&
			!(sim_open(before, key, &was) && was.envelope.has_claim &&
				was.envelope.claim_token == now.envelope.claim_token);
	}
	check_lifetimes(world, request, is_claiming, is_side ? 0 : client->cache.lease_ms);
}

/* An elected client's claim must have been in the envelope, and belongs to no other client. */
static void check_elected(sim_world *world, const sim_entry *entry) {
	const mcp_claim *claim = &entry->claim;
	if (claim->is_overdue) {
		return;
	}
	bool is_recorded = false;
	for (unsigned i = 0; i < world->seen.election_count; i++) {
		const sim_election *election = &world->seen.elections[i];
		is_recorded = is_recorded ||
			(election->key == entry->key && election->epoch == claim->epoch &&
				election->token == claim->token && election->number == claim->election);
	}
	if (!is_recorded && world->seen.election_count < SIM_REGISTER_MAX) {
		sim_world_fail(world, "C1", "client %u was elected (election %u) by no write of its own",
			entry->client, claim->election);
	}
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *other = &world->entries[i];
		if (other != entry && sim_entry_is_elected(other) && !other->claim.is_overdue &&
			other->key == entry->key && other->claim.epoch == claim->epoch &&
			other->claim.election == claim->election) {
			sim_world_fail(world, "C1", "clients %u and %u were both elected (election %u)",
				other->client, entry->client, claim->election);
		}
	}
}

static bool is_write(sim_entry_kind kind) {
	return kind >= SIM_ENTRY_PUBLISH && kind <= SIM_ENTRY_INCREMENT;
}

/* "Nothing was done" must be true (C13). A caller cannot observe the counter bit or a frozen number. */
static void check_said(sim_world *world, const sim_client *client, const sim_entry *entry) {
	bool denies = entry->status == MCP_UNREACHABLE || entry->status == MCP_TIMEOUT;
	unsigned matters = entry->kind == SIM_ENTRY_INCREMENT ? 2u : 1u;
	unsigned unsettled = client->members[sim_key_home(world, entry->key)].unsettled;
	bool is_open = (unsettled & matters << (2 * entry->key)) != 0;
	if (denies && is_open) {
		sim_world_fail(world, "C13",
			"%s by client %u: the outcome is unknown, and it says otherwise",
			sim_entry_name(entry->kind), entry->client);
	}
	bool is_odd = entry->status == MCP_REFUSED || entry->status == MCP_UNSUPPORTED ||
		entry->status == MCP_PROTOCOL || entry->status == MCP_BAD_KEY ||
		entry->status == MCP_TOO_LARGE;
	if (is_odd) {
		sim_world_fail(world, "C13", "%s by client %u ended with status %d",
			sim_entry_name(entry->kind), entry->client, (int)entry->status);
	}
}

/* Pauses of 1/16 of the wait, 2 to 50 ms, in the longest wait of a scenario, 2.5 s. */
#define PAUSES_MAX 107

/* A wait lasts its full time, and no client computes next to another's claim before that. */
static void check_wait(sim_world *world, const sim_client *client, const sim_entry *entry) {
	uint32_t wait_ms = wait_ms_of(world, entry);
	if (entry->slept_ms > wait_ms) {
		sim_world_fail(world, "C4", "client %u waited %u ms of at most %u", entry->client,
			entry->slept_ms, wait_ms);
	}
	uint64_t waited_ms = mcp_monotonic_ms(&client->environment) - entry->begun_ms;
	bool is_first = !entry->is_distrusting && !client->is_at_many;
	if (sim_entry_is_elected(entry) && entry->claim.is_overdue && is_first && !entry->is_marked &&
		waited_ms < wait_ms) {
		sim_world_fail(world, "C4", "client %u computes beside a claim after %u of %u ms",
			entry->client, (unsigned)waited_ms, wait_ms);
	}
	if (entry->pauses > PAUSES_MAX) {
		sim_world_fail(world, "C4", "client %u looked %u times in %u ms", entry->client,
			entry->pauses, entry->slept_ms);
	}
}

/* True if a result denies the start of a counter. A started counter gives MCP_OK or MCP_UNKNOWN, and with an
 * initial number it is never missing. */
static bool denies_beginning(const sim_entry *entry) {
	bool is_open = entry->status == MCP_OK || entry->status == MCP_UNKNOWN;
	return (entry->has_begun && !is_open) || (entry->has_initial && entry->status == MCP_NOT_FOUND);
}

void sim_check_ended(sim_world *world, const sim_client *client, const sim_entry *entry) {
	if (entry->has_value && entry->seen.is_broken) {
		sim_world_fail(world, "C9", "client %u was shown what nobody wrote under this key",
			entry->client);
	}
	if (sim_entry_is_elected(entry)) {
		check_elected(world, entry);
	}
	bool is_served = entry->has_value && entry->verdict != MCP_VERDICT_FRESH;
	if (entry->has_seen_plain && entry->has_value && entry->verdict == MCP_VERDICT_FRESH) {
		sim_world_fail(world, "C19", "client %u takes another client's value for a fresh one",
			entry->client);
	}
	if (entry->is_strict && (is_served || sim_entry_is_elected(entry))) {
		sim_world_fail(world, "C16", "client %u, which is strict, %s", entry->client,
			sim_entry_is_elected(entry) ? "was elected" : "was shown an old value");
	}
	if (entry->kind == SIM_ENTRY_REARM && entry->status == MCP_EXISTS) {
		sim_world_fail(world, "C11", "client %u gives up re-arming a claim that is its own",
			entry->client);
	}
	if (entry->kind == SIM_ENTRY_REMEMBER) {
		check_wait(world, client, entry);
	}
	if (is_write(entry->kind)) {
		check_said(world, client, entry);
	}
	if (denies_beginning(entry)) {
		sim_world_fail(world, "I8", "an increment by client %u has begun, and says otherwise",
			entry->client);
	}
	bool is_missing = entry->kind == SIM_ENTRY_INCREMENT && entry->status == MCP_NOT_FOUND;
	if (is_missing && world->seen.last_side_writer == entry) {
		sim_world_fail(world, "I5", "an increment of nothing by client %u left a side key behind",
			entry->client);
	}
}
