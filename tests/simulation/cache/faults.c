/* Faults of servers and clocks: lost items, restarts, outages, and the passage of time. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/checks.h"
#include "cache/client.h"
#include "cache/values.h"

/* Records an entry without a client, at the current step. */
static sim_entry *note_fault(sim_world *world, sim_entry_kind kind, unsigned server, unsigned key) {
	if (world->entry_count == SIM_ENTRIES_MAX) {
		return NULL;
	}
	sim_entry *entry = &world->entries[world->entry_count++];
	*entry = (sim_entry){
		.kind = kind,
		.client = SIM_CLIENTS_MAX,
		.key = (uint8_t)key,
		.server = (uint8_t)server,
		.is_ended = true,
		.started = world->moment + 1,
		.ended = world->moment + 2,
		.origin = -1,
	};
	world->moment += 2;
	return entry;
}

/* Reads the number in an envelope that has a running number. False if there is no number. */
static bool number_in_envelope(const sim_server *server, unsigned key, int64_t *number) {
	sim_envelope found;
	if (!sim_open(&server->items[2 * key], key, &found)) {
		return false;
	}
	sim_value value = sim_value_decode(found.payload, found.flags, key);
	*number = value.number;
	return found.envelope.has_value && found.envelope.has_counter && sim_value_is_number(&value);
}

static void remove_item(sim_world *world, unsigned server, unsigned item) {
	const sim_item *lost = &world->servers[server].items[item];
	if (sim_item_is_side(item)) {
		bool is_frozen = lost->length > 0 && lost->bytes[0] == '=';
		world->side_lost[item / 2] = ++world->moment;
		world->has_lost_frozen[item / 2] = world->has_lost_frozen[item / 2] || is_frozen;
	}
	sim_server_lose(&world->servers[server], item, sim_item_name(world, item));
}

/* Removes the item from this server, like an eviction. */
static void lose(sim_world *world, unsigned server, unsigned item) {
	if (!world->servers[server].items[item].is_present) {
		return;
	}
	world->step++;
	unsigned key = item / 2;
	int64_t number;
	if (sim_item_is_other(item)) {
		remove_item(world, server, item);
		return;
	}
	if (!sim_item_is_side(item)) {
		note_fault(world, SIM_ENTRY_LOST, server, key);
	} else if (number_in_envelope(&world->servers[server], key, &number)) {
		sim_entry *entry = note_fault(world, SIM_ENTRY_SIDE_LOST, server, key);
		if (entry != NULL) {
			entry->by = number;
		}
	}
	remove_item(world, server, item);
}

/* True if no client may be served from the envelope any more. */
static bool has_ended(const sim_world *world, unsigned server, unsigned key) {
	sim_envelope found;
	return sim_open(&world->servers[server].items[2 * key], key, &found) &&
		found.envelope.hard_ms <= SIM_EPOCH_MS + world->now_ms + world->scenario->lease_ms;
}

/* Expires an item. The model knows the end of an envelope. The running number must not expire as long as a client
 * can be served from its envelope, if clocks agree well enough to know that. */
static void expire(sim_world *world, unsigned server, unsigned item) {
	sim_trace_world(world, "%s has expired", sim_item_name(world, item));
	if (!sim_item_is_side(item)) {
		lose(world, server, item);
	} else if (world->scenario->is_wild || has_ended(world, server, item / 2)) {
		lose(world, server, item);
	} else {
		remove_item(world, server, item);
	}
}

static void age(sim_world *world, unsigned server, unsigned item) {
	const sim_item *aged = &world->servers[server].items[item];
	if (aged->is_present && aged->expires_ms != 0 && aged->expires_ms <= world->now_ms) {
		expire(world, server, item);
	}
}

void sim_world_move_time(sim_world *world, uint64_t to_ms) {
	if (to_ms <= world->now_ms) {
		return;
	}
	world->now_ms = to_ms;
	for (unsigned server = 0; server < world->server_count; server++) {
		for (unsigned i = 0; i < 2 * world->scenario->key_count; i++) {
			age(world, server, i);
		}
		for (unsigned i = 0; i < SIM_OTHERS_MAX && world->others[i][0] != 0; i++) {
			age(world, server, SIM_OF_KEYS + i);
		}
	}
}

/* Side keys first: a client that is about to recreate a number may still do so before the value is lost. */
static void lose_all(sim_world *world, unsigned server) {
	for (unsigned i = 0; i < SIM_OF_KEYS; i += 2) {
		lose(world, server, i + 1);
		lose(world, server, i);
	}
	for (unsigned i = SIM_OF_KEYS; i < SIM_ITEMS_MAX; i++) {
		lose(world, server, i);
	}
}

static void drop_late(sim_world *world, unsigned server) {
	unsigned kept = 0;
	for (unsigned i = 0; i < world->late_count; i++) {
		if (world->late[i].server != server) {
			world->late[kept++] = world->late[i];
		}
	}
	world->late_count = kept;
}

static void restart(sim_world *world, unsigned server) {
	lose_all(world, server);
	sim_server_restart(&world->servers[server]);
	drop_late(world, server);
	for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
		sim_client *client = &world->clients[i];
		if (client->phase != SIM_REPLYING || client->call.failure != MCP_OK ||
			client->call.requests[0].server != server) {
			continue;
		}
		/* The reply is lost with the connection. A read is sent again, a write is not. */
		if (sim_verb_is_read(client->call.requests[0].verb)) {
			client->phase = SIM_SENDING;
			client->call.next = 0;
		} else {
			client->call.failure = MCP_UNKNOWN;
			client->call.answered = 0;
		}
		client->due_ms = world->now_ms;
		client->members[server].generation = world->servers[server].generation;
	}
}

/* Stores an item of another program under the key. */
static void put(sim_world *world, const sim_fault *fault, mcp_bytes value, uint32_t flags) {
	sim_server *server = &world->servers[fault->server];
	sim_request request = {
		.verb = MCP_OP_SET,
		.item = fault->item & ~1u,
		.flags = flags,
		.length = (uint16_t)value.length,
	};
	sim_moment moment = {
		.now_ms = world->now_ms,
		.cas_id = ++server->last_cas + ((uint64_t)SIM_CLIENTS_MAX << 40),
	};
	sim_answer answer;
	sim_request_name(&request, sim_key(fault->item / 2).wire);
	memcpy(request.bytes, value.data, value.length);
	sim_server_execute(server, &request, &moment, &answer);
	world->step++;
}

/* Stores data that must never be served. */
static void garble(sim_world *world, const sim_fault *fault) {
	unsigned key = fault->item / 2;
	const sim_item *items = world->servers[fault->server].items;
	const sim_item *item = &items[2 * key], *other = &items[2 * ((key + 1) % SIM_KEYS_MAX)];
	unsigned kind = fault->amount_ms & 3;
	if (kind == 0) {
		size_t length = item->is_present && item->length > 0 ? item->length - 1u : 0;
		put(world, fault, mcp_bytes_of(item->bytes, length), MCP_FLAG_ENVELOPE);
	} else if (kind == 1 && other->is_present) {
		put(world, fault, mcp_bytes_of(other->bytes, other->length), other->flags);
	} else if (kind < 3) {
		put(world, fault, mcp_bytes_of("hello", 5), 0);
	} else {
		put(world, fault, mcp_bytes_of("42", 2), 1);
	}
	note_fault(world, SIM_ENTRY_GARBLED, fault->server, key);
}

/* Returns a number that no other write has, like sim_value_make(), for an id without an entry. */
static sim_value next_plain(const sim_world *world) {
	enum { FIRST = 240, COUNT = 15 };
	unsigned written = 0;
	for (unsigned i = 0; i < world->entry_count; i++) {
		written += world->entries[i].kind == SIM_ENTRY_PLAIN;
	}
	return sim_value_make(SIM_INTEGER, FIRST + written % COUNT, 0);
}

static void put_plain(sim_world *world, const sim_fault *fault) {
	unsigned key = fault->item / 2;
	sim_value value = next_plain(world);
	sim_payload payload = sim_value_encode(&value, key);
	put(world, fault, mcp_bytes_of(payload.bytes, payload.length), payload.flags);
	sim_entry *entry = note_fault(world, SIM_ENTRY_PLAIN, fault->server, key);
	if (entry != NULL) {
		entry->value = value;
		entry->lifetime.grace_ms = world->scenario->foreign_grace_ms;
		/* by the clock that is furthest behind */
		uint32_t leases = world->scenario->is_wild ? 20 : 1;
		entry->wall_low = SIM_EPOCH_MS + world->now_ms - leases * world->scenario->lease_ms;
	}
}

static void trace_strike(const sim_world *world, const sim_fault *fault) {
	bool is_of_item =
		fault->kind == SIM_EVICT || fault->kind == SIM_GARBLE || fault->kind == SIM_PLAIN;
	sim_trace_world(world, "%s %s %d", sim_fault_name(fault->kind),
		is_of_item ? sim_item_name(world, fault->item) : "", (int)fault->amount_ms);
	if (world->server_count > 1 && fault->kind != SIM_MOVE_CLOCK) {
		sim_trace_world(world, "... at server %u", fault->server);
	}
}

/* Freezes the server. A frozen server does not continue earlier, because waiting requests have their time. */
static void freeze(sim_world *world, unsigned server, uint64_t end_ms) {
	uint64_t *until_ms = &world->frozen_until_ms[server];
	*until_ms = end_ms > *until_ms ? end_ms : *until_ms;
}

void sim_world_strike(sim_world *world, const sim_fault *fault) {
	world->step++;
	trace_strike(world, fault);
	uint64_t end_ms = world->now_ms + (uint64_t)fault->amount_ms;
	switch (fault->kind) {
		case SIM_EVICT:
			lose(world, fault->server, fault->item);
			break;
		case SIM_FLUSH:
			lose_all(world, fault->server);
			break;
		case SIM_RESTART:
			restart(world, fault->server);
			break;
		case SIM_DOWN:
			world->down_until_ms[fault->server] = end_ms;
			break;
		case SIM_FULL:
			world->full_until_ms[fault->server] = end_ms;
			break;
		case SIM_FREEZE:
			freeze(world, fault->server, end_ms);
			break;
		case SIM_CUT:
			world->clients[fault->client].members[fault->server].cut_until_ms = end_ms;
			break;
		case SIM_MOVE_CLOCK:
			if (fault->client == SIM_CLIENTS_MAX) {
				sim_world_move_time(world, end_ms);
			} else {
				world->clients[fault->client].skew_ms += fault->amount_ms;
				world->has_clock_moves = true;
			}
			break;
		case SIM_GARBLE:
			garble(world, fault);
			break;
		case SIM_PLAIN:
			put_plain(world, fault);
			break;
		default:
			break;
	}
}
