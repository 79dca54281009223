/* The processes of the family of wake-ups: each waits for values and computes or changes them. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/waking.h"

#include "../../../../src/core/bytes.h"
#include "plain/asking.h"
#include "plain/wakeups.h"
#include "plain/near_host.h"

/* Maximum reads of a wait by the clock, and of one with the maximum number of useless wake-ups. */
enum { LOOKS_MAX = 75, LONG_LOOKS_MAX = 150 };

waking_state plain_waking_state;

static waking_state *const state = &plain_waking_state;

mcp_cache plain_waking_cache(plain_client *client) {
	waking_process *self = &state->processes[client->index];
	return (mcp_cache){
		.store = self->store,
		.environment = &client->environment,
		.statistics = &self->statistics,
		.lease_ms = LEASE_MS,
	};
}

static void begin_operation(plain_client *client) {
	waking_process *self = &state->processes[client->index];
	memset(self->wrote, 0, sizeof(self->wrote));
}

/* Ends the operation: it has woken others for its last write. */
static void end_operation(plain_client *client) {
	const waking_process *self = &state->processes[client->index];
	for (unsigned key = 0; key < KEYS; key++) {
		if (self->wrote[key] != 0 && plain_host_of(client) == 0) {
			state->told[key] = self->wrote[key];
		}
	}
}

static mcp_cache_value new_value(char *digits) {
	return (mcp_cache_value){
		.payload = mcp_bytes_of(digits, mcp_decimal_format_u64(state->value_count++, digits)),
		.compute_ms = COMPUTE_MS,
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
}

/* Stores the elected value, or gives up. */
static void compute(plain_client *client, const mcp_cache *cache, unsigned key,
	const mcp_claim *claim, uint32_t compute_ms) {
	sim_choices *choices = client->world->choices;
	plain_sleep(client, compute_ms);
	begin_operation(client);
	if (client->world->variant == 0 && sim_chance(choices, 15)) {
		mcp_cache_abandon(cache, &state->keys[key], claim, sim_chance(choices, 50));
	} else {
		char digits[MCP_DECIMAL_MAX_LENGTH];
		mcp_cache_value value = new_value(digits);
		mcp_cache_publish(cache, &state->keys[key], claim, &value);
	}
	end_operation(client);
}

/* Continues after a signal, or ends by its handler. */
static bool goes_on(plain_client *client, waking_process *self) {
	self->is_signalled = false;
	plain_give_way(client);
	return !sim_chance(client->world->choices, 30);
}

static void check_looks(plain_client *client, unsigned looks) {
	unsigned looks_max = state->wait_ms == WAIT_MS ? LOOKS_MAX : LONG_LOOKS_MAX;
	if (looks > looks_max) {
		plain_fail(client->world, "W5", "client %u has looked %u times", client->index, looks);
	}
}

static void remember(plain_client *client, unsigned key, bool serves_stale, uint32_t compute_ms) {
	mcp_cache cache = plain_waking_cache(client);
	waking_process *self = &state->processes[client->index];
	mcp_remember wishes = plain_asking(TTL_MS, state->wait_ms);
	mcp_pauses pauses = {.has_begun = false};
	wishes.pauses = &pauses;
	wishes.serve_stale = serves_stale;
	mcp_cache_entry entry;
	self->awaits = key;
	begin_operation(client);
	plain_bells_wait(client, true);
	unsigned reads = client->reads;
	do {
		mcp_cache_remember(&cache, &state->keys[key], &wishes, &entry);
	} while (entry.trouble == MCP_INTERRUPTED && goes_on(client, self));
	plain_bells_wait(client, false);
	end_operation(client);
	plain_trace(client->world, "client %u: verdict %d after %u looks, %u rings", client->index,
		(int)entry.verdict, client->reads - reads, pauses.rings);
	check_looks(client, client->reads - reads);
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		compute(client, &cache, key, &entry.claim, compute_ms);
	}
}

/* A read of all keys that are still missing. */
typedef struct look_at_both {
	mcp_cache cache;
	mcp_remember wishes;
	bool is_wanted[KEYS];
	bool is_over;
	mcp_pauses pauses;
	unsigned in_vain; /* number of wake-ups without the awaited value */
	bool was_in_vain; /* the last one, as far as known */
	bool owes;        /* it must sleep without listening during the current wait */
	unsigned owed_ms; /* for this time */
	unsigned rung;    /* number of wake-ups so far */
	bool was_cut;     /* ever: a handler does not listen, and a pause can end during it */
} look_at_both;

/* Returns the number of missing keys. Computes the elected ones. */
static unsigned look(plain_client *client, look_at_both *self) {
	mcp_key keys[KEYS], scratch_keys[2 * KEYS];
	mcp_key_buffer side_buffers[KEYS];
	mcp_cache_entry entries[KEYS];
	mcp_op replies[2 * KEYS];
	mcp_next_action steps[KEYS];
	unsigned which[KEYS], left = 0;
	mcp_cache_batch batch = {keys, 0, entries, replies, scratch_keys, side_buffers, NULL, NULL};
	for (unsigned key = 0; key < KEYS; key++) {
		if (self->is_wanted[key]) {
			which[batch.count] = key;
			keys[batch.count++] = state->keys[key];
		}
	}
	begin_operation(client);
	mcp_cache_remember_many(&self->cache, &batch, &self->wishes, NULL, self->is_over, steps);
	end_operation(client);
	for (size_t i = 0; i < batch.count; i++) {
		self->is_wanted[which[i]] = steps[i] != MCP_REMEMBER_DONE;
		left += self->is_wanted[which[i]];
		if (steps[i] == MCP_REMEMBER_DONE && entries[i].verdict == MCP_VERDICT_ELECTED) {
			compute(client, &self->cache, which[i], &entries[i].claim, COMPUTE_MS);
		}
	}
	return left;
}

/* After a useless wake-up, the process must not listen for 1 ms per previous useless wake-up. */
static void expect_deafness(plain_client *client, look_at_both *self) {
	plain_bells_take_deaf_ms(client); /* from within another operation */
	self->owes = self->was_in_vain;
	self->owed_ms = self->owes ? self->in_vain : 0;
}

/* The process slept for exactly the required time without listening, unless its pause ended (W5). A woken process
 * reads at once. */
static void check_deafness(plain_client *client, look_at_both *self, uint64_t from_ms) {
	uint64_t now_ms = client->world->now_ms, deaf_ms = plain_bells_take_deaf_ms(client);
	const mcp_pauses *pauses = &self->pauses;
	bool is_cut = pauses->was_cut || now_ms >= pauses->pause_end_ms;
	self->was_cut = self->was_cut || pauses->was_cut;
	bool is_right = self->was_cut ? deaf_ms <= self->rung
								  : deaf_ms == self->owed_ms || (is_cut && deaf_ms < self->owed_ms);
	self->rung += pauses->was_rung;
	if (deaf_ms == 0 && now_ms == from_ms && !pauses->was_rung) {
		return; /* it has not slept yet */
	}
	if ((self->owed_ms > 0 || pauses->was_rung) && !is_right) {
		plain_fail(client->world, "W5", "client %u is deaf for %llu ms where it owes %u",
			client->index, (unsigned long long)deaf_ms, self->owed_ms);
	}
	self->in_vain += self->owes;
	self->was_in_vain = (self->was_in_vain && !self->owes) || pauses->was_rung;
	self->owes = false;
	self->owed_ms = 0;
}

/* Waits for the first missing key, as Cache::rememberMany() does. False if a signal handler ends the call. */
static bool wait_for_first(plain_client *client, look_at_both *self) {
	waking_process *own = &state->processes[client->index];
	own->awaits = self->is_wanted[0] ? 0 : 1;
	mcp_cache_listen(&self->cache, &state->keys[own->awaits], &self->pauses);
	uint64_t end_ms = self->pauses.begun_ms + state->wait_ms;
	mcp_wait waited;
	plain_bells_wait(client, true);
	expect_deafness(client, self);
	do {
		uint64_t from_ms = client->world->now_ms;
		waited = mcp_cache_wait(&self->cache, NULL, &self->pauses, end_ms);
		check_deafness(client, self, from_ms);
	} while (waited == MCP_WAIT_INTERRUPTED && goes_on(client, own));
	plain_bells_wait(client, false);
	self->is_over = waited == MCP_WAIT_OVER;
	return waited != MCP_WAIT_INTERRUPTED;
}

/* Reads all keys at once. */
static void remember_both(plain_client *client) {
	look_at_both self = {
		.cache = plain_waking_cache(client),
		.wishes = plain_asking(TTL_MS, state->wait_ms),
		.is_wanted = {true, true},
	};
	const waking_process *own = &state->processes[client->index];
	unsigned reads = client->reads;
	mcp_waiting_begin(&client->environment, &self.pauses);
	while (look(client, &self) > 0 && !self.is_over) {
		bool is_found = mcp_pauses_have_waited(&self.pauses) && !self.is_wanted[own->awaits];
		if (is_found) {
			self.was_in_vain = false;
			mcp_waiting_found_more(&self.pauses);
		}
		if (!wait_for_first(client, &self)) {
			return;
		}
	}
	check_looks(client, (client->reads - reads) / KEYS);
}

static void change(plain_client *client, unsigned key, waking_action wanted) {
	mcp_cache cache = plain_waking_cache(client);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = new_value(digits);
	begin_operation(client);
	if (wanted == SET) {
		mcp_cache_set(&cache, &state->keys[key], &value);
	} else if (wanted == DELETE) {
		mcp_cache_delete(&cache, &state->keys[key]);
	} else {
		mcp_cache_expire(&cache, &state->keys[key]);
	}
	end_operation(client);
}

void plain_waking_act(plain_client *client, unsigned key, waking_action wanted) {
	switch (wanted) {
		case NOTHING:
			break;
		case REMEMBER:
			remember(client, key, true, COMPUTE_MS);
			break;
		case SLOWLY:
			remember(client, key, true, LONG_COMPUTE_MS);
			break;
		case STRICTLY:
			remember(client, key, false, COMPUTE_MS);
			break;
		case BOTH:
			remember_both(client);
			break;
		default:
			change(client, key, wanted);
			break;
	}
}
