/* The connections' store passes calls on to a memcached in memory, or does not. */
/* SPDX-License-Identifier: MIT */
#include "outage_world.h"

#include "../../src/core/envelope/value_flags.h"
#include "../../src/store/cluster/store_cluster.h"
#include "../../src/store/memory/store_memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static outage_link *of(mcp_store *store) {
	return (outage_link *)store;
}

static void lose_connection(outage_link *link) {
	link->breaks++;
	link->fault = OUTAGE_SOUND;
}

/* MCP_OK if the call reaches the server. */
static mcp_status begin(outage_link *link) {
	if (link->is_tripped) {
		return MCP_UNREACHABLE;
	}
	if (link->before_call != NULL) {
		void (*before_call)(void *context) = link->before_call;
		link->before_call = NULL;
		before_call(link->context);
	}
	link->calls++;
	if (link->cut_after > 0 && --link->cut_after == 0) {
		link->fault = OUTAGE_CUT;
	}
	if (link->fault != OUTAGE_CUT) {
		return MCP_OK;
	}
	link->timeouts++;
	link->breaks++;
	link->is_tripped = true;
	return MCP_TIMEOUT;
}

static mcp_status begin_to_read(outage_link *link) {
	mcp_status status = begin(link);
	if (status == MCP_OK && link->fault == OUTAGE_BREAK) {
		lose_connection(link);
	}
	return status;
}

static mcp_status begin_to_write(outage_link *link) {
	mcp_status status = begin(link);
	if (status == MCP_OK && link->fault == OUTAGE_BREAK) {
		lose_connection(link);
		return MCP_UNKNOWN;
	}
	return status == MCP_TIMEOUT ? MCP_UNKNOWN : status;
}

static mcp_status end_write(outage_link *link, mcp_status status) {
	if (link->fault == OUTAGE_REPLY_LOST) {
		lose_connection(link);
		return MCP_UNKNOWN;
	}
	return status;
}

static mcp_status get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	mcp_status status = begin_to_read(of(store));
	return status == MCP_OK ? mcp_store_get(of(store)->memory, key, item) : status;
}

/* Reads only. */
static void run(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_status status = begin_to_read(of(store));
	if (status == MCP_OK) {
		mcp_store_run(of(store)->memory, ops, count);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		ops[i]->status = status;
	}
}

static mcp_status read_one(mcp_store *store, mcp_op *op) {
	of(store)->pings += op->verb == MCP_OP_PING;
	mcp_status status = begin_to_read(of(store));
	return status == MCP_OK ? mcp_store_change(of(store)->memory, op) : status;
}

static mcp_status change_one(mcp_store *store, mcp_op *op) {
	if (mcp_op_is_read(op)) {
		return read_one(store, op);
	}
	mcp_status status = begin_to_write(of(store));
	bool stores = op->record != NULL || op->verb == MCP_OP_DELETE_IF;
	if (status == MCP_OK && stores && of(store)->has_no_memory) {
		return MCP_REFUSED;
	}
	if (op->verb == MCP_OP_DELETE) {
		of(store)->deletes++;
		of(store)->deleted = op->key->fingerprint;
	}
	return status == MCP_OK ? end_write(of(store), mcp_store_change(of(store)->memory, op))
							: status;
}

static mcp_status started_us(mcp_store *store, const mcp_key *key, uint64_t *started) {
	mcp_status status = begin_to_read(of(store));
	if (status == MCP_OK && of(store)->tells_no_start) {
		return MCP_UNSUPPORTED;
	}
	return status == MCP_OK ? mcp_store_started_us(of(store)->memory, key, started) : status;
}

/* Insists, however often. */
static void insist(mcp_store *store, const mcp_key *key, mcp_bypass what_for) {
	of(store)->is_tripped = false;
}

static bool is_tripped(mcp_store *store) {
	return of(store)->is_tripped;
}

static uint64_t breaks(mcp_store *store) {
	return of(store)->breaks;
}

static bool has_late_write(mcp_store *store) {
	return of(store)->has_late_write;
}

/* The verbs that the patterns tested here call; the others are not there to be called. */
static const mcp_store_operations operations = {
	.get = get,
	.run = run,
	.change = change_one,
	.started_us = started_us,
	.insist = insist,
	.is_tripped = is_tripped,
	.breaks = breaks,
	.has_late_write = has_late_write,
};

static size_t pick(void *router, mcp_bytes route) {
	return (unsigned char)route.data[0] % OUTAGE_SERVERS;
}

static void open_process(outage_world *w, size_t number) {
	outage_process *process = &w->processes[number];
	process->known = mcp_server_health_create(OUTAGE_SERVERS, number + 1, &w->clock.environment);
	assert(process->known != NULL);
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		process->links[i] = (outage_link){
			.store = {&operations, w->servers[i]->address, NULL},
			.memory = w->servers[i],
		};
		process->marked[i] = mcp_failover_marks_create(process->known, i, true);
		assert(process->marked[i] != NULL);
		mcp_failover_marks_aim(process->marked[i], &process->links[i].store);
	}
	process->cluster = mcp_store_cluster_create(process->marked, OUTAGE_SERVERS, pick, NULL);
	process->store = mcp_store_failover_create(process->cluster, process->known);
	assert(process->store != NULL);
	process->cache = (mcp_cache){
		.store = process->store,
		.environment = &w->clock.environment,
		.statistics = &process->statistics,
		.lease_ms = OUTAGE_LEASE_MS,
	};
}

static void close_process(outage_process *process) {
	mcp_store_free(process->store);
	mcp_store_free(process->cluster);
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		mcp_store_free(process->marked[i]);
	}
	mcp_server_health_free(process->known);
}

static size_t place_of(outage_world *w, size_t index) {
	return mcp_failover_marks_index(mcp_store_candidate(w->processes[0].cluster, &w->key, index));
}

int outage_open(void **state) {
	static const char *const addresses[] = {"memory://0", "memory://1", "memory://2"};
	outage_world *w = calloc(1, sizeof(*w));
	assert(w != NULL);
	world_open(&w->clock);
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		w->servers[i] = mcp_store_memory_create(addresses[i], &w->clock.environment);
		assert(w->servers[i] != NULL);
	}
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		open_process(w, i);
	}
	w->key = outage_key(w, &w->buffer, "key");
	w->home = place_of(w, 0);
	w->other = place_of(w, 1);
	w->third = place_of(w, 2);
	*state = w;
	return 0;
}

int outage_close(void **state) {
	outage_world *w = *state;
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		close_process(&w->processes[i]);
	}
	for (size_t i = 0; i < OUTAGE_SERVERS; i++) {
		mcp_store_free(w->servers[i]);
	}
	world_close(&w->clock);
	free(w);
	return 0;
}

mcp_key outage_key(outage_world *w, mcp_key_buffer *buffer, const char *name) {
	return world_key(buffer, MCP_SPACE_CACHE, name);
}

void outage_cut(outage_world *w, size_t process, size_t server) {
	w->processes[process].links[server].fault = OUTAGE_CUT;
}

void outage_heal(outage_world *w, size_t process, size_t server) {
	w->processes[process].links[server].fault = OUTAGE_SOUND;
	w->processes[process].links[server].is_tripped = false;
}

void outage_cut_all(outage_world *w, size_t server) {
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		outage_cut(w, i, server);
	}
}

void outage_heal_all(outage_world *w, size_t server) {
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		outage_heal(w, i, server);
	}
}

void outage_restart(outage_world *w, size_t server) {
	mcp_store_memory_restart(w->servers[server]);
	for (size_t i = 0; i < OUTAGE_PROCESSES; i++) {
		w->processes[i].links[server].fault = OUTAGE_BREAK;
	}
}

void outage_watch(outage_world *w) {
	for (size_t i = 0; i < OUTAGE_PROCESSES * OUTAGE_SERVERS; i++) {
		outage_link *link = &w->processes[i / OUTAGE_SERVERS].links[i % OUTAGE_SERVERS];
		link->calls = link->timeouts = link->deletes = 0;
	}
}

unsigned outage_calls(const outage_world *w, size_t process, size_t server) {
	return w->processes[process].links[server].calls;
}

mcp_cache_value outage_value(const char *text) {
	return (mcp_cache_value){
		.payload = mcp_bytes_text(text),
		.flags = MCP_VALUE_STRING,
		.lifetime = {.ttl_ms = OUTAGE_TTL_MS, .grace_ms = OUTAGE_GRACE_MS},
	};
}

mcp_status outage_set(outage_world *w, size_t process, const char *text) {
	mcp_cache_value value = outage_value(text);
	return mcp_cache_set(&w->processes[process].cache, &w->key, &value);
}

mcp_status outage_delete(outage_world *w, size_t process) {
	return mcp_cache_delete(&w->processes[process].cache, &w->key);
}

const char *outage_look(outage_world *w, size_t process) {
	static char text[80];
	mcp_cache_entry entry;
	mcp_cache_peek(&w->processes[process].cache, &w->key, &entry);
	if (!entry.has_value) {
		return "nothing";
	}
	snprintf(text, sizeof(text), "%s %.*s", entry.freshness == MCP_FRESH ? "fresh" : "old",
		(int)entry.payload.length, entry.payload.data);
	return text;
}

mcp_verdict outage_remember(outage_world *w, size_t process, mcp_claim *claim) {
	mcp_cache_entry entry;
	mcp_remember remember = {
		.lifetime = {.ttl_ms = OUTAGE_TTL_MS, .grace_ms = OUTAGE_GRACE_MS},
		.serve_stale = true,
	};
	mcp_cache_remember(&w->processes[process].cache, &w->key, &remember, &entry);
	*claim = entry.claim;
	return entry.verdict;
}

mcp_status outage_publish(outage_world *w, size_t process, const mcp_claim *claim,
	const char *text) {
	mcp_cache_value value = outage_value(text);
	return mcp_cache_publish(&w->processes[process].cache, &w->key, claim, &value);
}

void outage_take_home_away(outage_world *w) {
	outage_cut_all(w, w->home);
	outage_look(w, 0);
	outage_look(w, 1);
}

void outage_bring_home_back(outage_world *w) {
	outage_heal_all(w, w->home);
	outage_look(w, 0);
	outage_look(w, 1);
}
