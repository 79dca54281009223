/* Each program calls the pattern as src/php does. Nothing borrowed is kept across a computation. */
/* SPDX-License-Identifier: MIT */
#include "cache/programs/programs.h"

#include "cache/judges/checks.h"
#include "cache/client.h"
#include "cache/judges/judge.h"
#include "cache/programs/liveness.h"
#include "cache/families/tags.h"
#include "cache/trace.h"

sim_entry *sim_program_begin(sim_client *client, sim_entry_kind kind, unsigned key) {
	sim_world *world = client->world;
	if (world->entry_count == SIM_ENTRIES_MAX) {
		client->entry = -1;
		return NULL;
	}
	client->entry = (int16_t)world->entry_count;
	for (unsigned i = 0; i < world->server_count; i++) {
		client->members[i].unsettled = 0;
	}
	client->has_blind_count = false;
	sim_entry *entry = &world->entries[world->entry_count++];
	uint64_t now_ms = sim_wall_ms(client);
	*entry = (sim_entry){
		.kind = kind,
		.client = (uint8_t)client->index,
		.key = (uint8_t)key,
		.process = client->process,
		.serial = client->begun++,
		.preceded_by = world->ended_hash,
		.started = ++world->moment,
		.wall_low = now_ms,
		.wall_high = now_ms,
		.origin = -1,
		.is_strict = client->cache.is_strict,
	};
	entry->was_away = sim_client_is_away(client, key);
	sim_judge_begin(world, client, entry);
	sim_trace_begun(client, entry);
	return entry;
}

void sim_program_end(sim_client *client, sim_entry *entry, mcp_status status) {
	sim_client_note_wall(client);
	entry->is_ended = true;
	entry->ended = ++client->world->moment;
	client->world->ended_hash += sim_mix(sim_entry_id(entry));
	entry->status = status;
	entry->is_unknown = mcp_status_is_failure(status);
	entry->is_away = sim_client_is_away(client, entry->key);
	entry->life = sim_client_life(client, entry->key);
	sim_trace_ended(client, entry);
	sim_judge_end(client->world, client, entry);
}

/* Only its end turns a value into a miss (C8). */
static void check_value(const sim_client *client, const sim_entry *entry,
	const mcp_cache_entry *found) {
	bool is_read = !found->is_absent && !found->is_unreadable && found->trouble == MCP_OK &&
		client->cache.tags == NULL && found->envelope.tags.length == 0;
	const mcp_envelope *envelope = &found->envelope;
	if (is_read && envelope->has_value && !found->has_value && !found->is_distrusted &&
		envelope->hard_ms > entry->wall_high &&
		!(entry->is_strict && envelope->soft_ms <= entry->wall_high)) {
		sim_world_fail(client->world, "C8", "%s by client %u takes a value for none",
			sim_entry_name(entry->kind), client->index);
	}
}

void sim_program_end_found(sim_client *client, sim_entry *entry, const mcp_cache_entry *found) {
	check_value(client, entry, found);
	sim_check_forced(client, entry, found);
	entry->verdict = found->verdict;
	entry->has_value = found->has_value;
	entry->is_unreadable = found->is_unreadable;
	entry->claim = found->claim;
	sim_tags_note(client, entry, found);
	if (found->has_value) {
		entry->seen = sim_value_decode(found->payload, found->flags, entry->key);
		entry->shown = sim_version_of(&found->envelope);
	}
	bool is_elected = found->verdict == MCP_VERDICT_ELECTED;
	sim_program_end(client, entry, is_elected ? MCP_OK : found->trouble);
}

void sim_program_compute(sim_client *client, uint32_t duration_ms) {
	if (duration_ms > 0) {
		client->entry = -1;
		sim_world_sleep(client, client->world->now_ms + duration_ms);
	}
}

mcp_cache_value sim_program_fill(const sim_task *task, sim_entry *entry, sim_payload *payload) {
	entry->value = sim_value_make(task->value_kind, sim_entry_id(entry), task->number);
	entry->lifetime = task->lifetime;
	*payload = sim_value_encode(&entry->value, entry->key);
	return (mcp_cache_value){
		.payload = mcp_bytes_of(payload->bytes, payload->length),
		.flags = payload->flags,
		.compute_ms = task->compute_ms,
		.lifetime = task->lifetime,
	};
}

mcp_status sim_program_publish(sim_client *client, const sim_task *task, const sim_entry *elected) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_PUBLISH, elected->key);
	if (entry == NULL) {
		return MCP_UNREACHABLE;
	}
	entry->origin = sim_program_index(client, elected);
	sim_payload payload;
	mcp_cache_value value = sim_program_fill(task, entry, &payload);
	mcp_captured_tags captured;
	value.tags = sim_tags_of_look(entry, elected, &captured);
	mcp_key key = sim_key(elected->key);
	mcp_status status = mcp_cache_publish(&client->cache, &key, &elected->claim, &value);
	sim_program_end(client, entry, status);
	return status;
}

static mcp_status give_back(sim_client *client, const sim_entry *elected, sim_follow follow) {
	mcp_key key = sim_key(elected->key);
	return follow == SIM_THEN_MARK
		? mcp_cache_mark_uncacheable(&client->cache, &key, &elected->claim)
		: mcp_cache_abandon(&client->cache, &key, &elected->claim, follow == SIM_THEN_FAIL);
}

static void abandon(sim_client *client, const sim_entry *elected, sim_follow follow) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_ABANDON, elected->key);
	if (entry != NULL) {
		entry->origin = sim_program_index(client, elected);
		entry->is_marking = follow == SIM_THEN_MARK;
		sim_program_end(client, entry, give_back(client, elected, follow));
	}
}

static bool rearm(sim_client *client, const sim_entry *elected) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_REARM, elected->key);
	if (entry == NULL) {
		return false;
	}
	mcp_key key = sim_key(elected->key);
	mcp_claim claim = elected->claim;
	entry->origin = sim_program_index(client, elected);
	mcp_status status = mcp_cache_rearm(&client->cache, &key, &claim);
	sim_program_end(client, entry, status);
	return status == MCP_OK;
}

static void store(sim_client *client, const sim_task *task, sim_entry_kind kind) {
	sim_entry *entry = sim_program_begin(client, kind, task->key);
	if (entry == NULL) {
		return;
	}
	sim_payload payload;
	mcp_cache_value value = sim_program_fill(task, entry, &payload);
	mcp_key key = sim_key(task->key);
	mcp_captured_tags captured;
	mcp_status status = sim_tags_of_now(client, entry, &captured);
	value.tags = mcp_captured_tags_view(&captured);
	if (status != MCP_OK) {
		sim_program_end(client, entry, status);
		return;
	}
	if (kind == SIM_ENTRY_ADD) {
		status = mcp_cache_add(&client->cache, &key, &value);
	} else if (kind == SIM_ENTRY_REPLACE) {
		status = mcp_cache_replace(&client->cache, &key, &value);
	} else {
		status = mcp_cache_set(&client->cache, &key, &value);
	}
	sim_program_end(client, entry, status);
}

static void remember(sim_client *client, const sim_task *task, uint32_t oldest_claim_ms);

/* Remembers the other key during the computation of a key that the caller was elected for. */
static void nest(sim_client *client, const sim_task *task, const sim_entry *elected,
	uint64_t elected_ms) {
	sim_task inner = *task;
	inner.key = (uint8_t)((elected->key + 1) % client->world->scenario->key_count);
	inner.follow = SIM_THEN_PUBLISH;
	inner.nests = inner.is_forced = inner.is_distrusting = false;
	uint64_t held_ms = mcp_monotonic_ms(&client->environment) - elected_ms;
	bool is_waited_for = !elected->claim.is_overdue && (task->waits_for_new || !elected->has_value);
	remember(client, &inner, is_waited_for ? (uint32_t)held_ms + 1 : 0);
}

/* Computes as an elected caller, then handles the result as the task says. */
void sim_program_follow(sim_client *client, const sim_task *task, const sim_entry *elected) {
	uint64_t elected_ms = mcp_monotonic_ms(&client->environment);
	if (task->follow == SIM_THEN_REARM && !elected->claim.is_overdue && !rearm(client, elected)) {
		return;
	}
	sim_program_compute(client, task->compute_ms);
	if (task->nests && !client->is_at_many) {
		nest(client, task, elected, elected_ms);
	}
	switch (task->follow) {
		case SIM_THEN_SET:
			store(client, task, SIM_ENTRY_SET);
			break;
		case SIM_THEN_ABANDON:
		case SIM_THEN_FAIL:
		case SIM_THEN_MARK:
			abandon(client, elected, task->follow);
			break;
		case SIM_THEN_FORGET:
			break;
		default:
			sim_program_publish(client, task, elected);
			break;
	}
}

const sim_entry *sim_program_read(sim_client *client, unsigned index, mcp_cache_entry *found) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_READ, index);
	if (entry != NULL) {
		mcp_key key = sim_key(index);
		mcp_cache_peek(&client->cache, &key, found);
		sim_program_end_found(client, entry, found);
	}
	return entry;
}

static void get(sim_client *client, const sim_task *task) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_LOOKUP, task->key);
	if (entry == NULL) {
		return;
	}
	mcp_key key = sim_key(task->key);
	mcp_cache_entry found;
	mcp_cache_get(&client->cache, &key, &found);
	sim_program_end_found(client, entry, &found);
	if (sim_entry_is_elected(entry)) {
		sim_program_follow(client, task, entry);
	}
}

mcp_remember sim_program_wishes(const sim_client *client, const sim_task *task) {
	return (mcp_remember){
		.lifetime = task->lifetime,
		.wait_ms = client->world->scenario->wait_ms,
		.serve_stale = !task->waits_for_new,
		.early = task->is_early ? 1.0 : 0,
	};
}

sim_entry *sim_program_begin_remember(sim_client *client, const sim_task *task, unsigned key,
	const sim_entry *undecoded) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_REMEMBER, key);
	if (entry != NULL) {
		entry->is_early = task->is_early;
		entry->is_forced = task->is_forced && task->program == SIM_DO_REMEMBER;
		entry->is_patient = task->waits_for_new;
		entry->begun_ms = mcp_monotonic_ms(&client->environment);
		if (undecoded != NULL) { /* the same call continues */
			entry->reads = undecoded->reads;
			entry->first_epoch = undecoded->first_epoch;
			entry->first_election = undecoded->first_election;
		}
		entry->is_distrusting = undecoded != NULL;
		entry->origin = undecoded != NULL ? sim_program_index(client, undecoded) : -1;
	}
	return entry;
}

bool sim_program_distrusts(const sim_task *task, const sim_entry *entry) {
	return task->is_distrusting && !entry->is_distrusting && !sim_entry_is_elected(entry) &&
		entry->has_value && !sim_value_is_number(&entry->seen);
}

/* Reads as src/php does if the caller is not ready to compute before its election. Continues from that read or, if
 * judging the terms runs application code, from a new one. Calls that are neither early nor forced read first. */
static void ask(sim_client *client, const mcp_key *key, mcp_remember *wishes,
	mcp_cache_entry *found) {
	bool is_plain = wishes->early <= 0 && wishes->outdated == NULL && !wishes->distrust.is_set;
	if (is_plain && wishes->is_unready) {
		mcp_waiting_begin(&client->environment, wishes->pauses);
		if (mcp_cache_remember_fresh(&client->cache, key, found)) {
			return;
		}
		wishes->has_found = true;
	}
	while (!mcp_cache_remember(&client->cache, key, wishes, found)) {
		wishes->is_unready = false;
		wishes->has_found = client->index % 2 == 0;
		if (found->freshness == MCP_FRESH) {
			wishes->drawn = mcp_cache_value_id_of(found);
		}
	}
	wishes->has_found = false;
}

static void remember(sim_client *client, const sim_task *task, uint32_t oldest_claim_ms) {
	const sim_entry *undecoded = NULL;
	mcp_value_id outdated = {.is_set = false};
	mcp_pauses pauses = {.has_begun = false};
	mcp_remember wishes = sim_program_wishes(client, task);
	wishes.pauses = &pauses;
	wishes.oldest_claim_ms = oldest_claim_ms;
	wishes.is_unready = true;
	wishes.outdated = task->is_forced ? &outdated : NULL;
	mcp_key key = sim_key(task->key);
	for (;;) {
		sim_entry *entry = sim_program_begin_remember(client, task, task->key, undecoded);
		if (entry == NULL) {
			return;
		}
		entry->oldest_claim_ms = oldest_claim_ms;
		mcp_cache_entry found;
		ask(client, &key, &wishes, &found);
		sim_program_end_found(client, entry, &found);
		if (sim_entry_is_elected(entry)) {
			sim_program_follow(client, task, entry);
		}
		if (!sim_program_distrusts(task, entry)) {
			return;
		}
		wishes.distrust = mcp_cache_value_id_of(&found);
		undecoded = entry;
	}
}

/* True for the programs of C16. */
static bool is_for_values(sim_program program) {
	switch (program) {
		case SIM_DO_READ:
		case SIM_DO_READ_MANY:
		case SIM_DO_GET:
		case SIM_DO_REPLACE:
		case SIM_DO_UPDATE:
		case SIM_DO_TOUCH:
		case SIM_DO_PULL:
		case SIM_DO_INCREMENT:
			return true;
		default:
			return false;
	}
}

void sim_program_run(sim_client *client, const sim_task *task) {
	mcp_cache_entry found;
	client->cache.is_strict = task->is_strict && is_for_values(task->program);
	sim_tags_look_through(client, task->through);
	switch (task->program) {
		case SIM_DO_READ:
			sim_program_read(client, task->key, &found);
			break;
		case SIM_DO_READ_MANY:
			sim_program_read_many(client, task);
			break;
		case SIM_DO_REMEMBER_MANY:
			sim_program_remember_many(client, task);
			break;
		case SIM_DO_GET:
			get(client, task);
			break;
		case SIM_DO_REMEMBER:
			remember(client, task, 0);
			break;
		case SIM_DO_SET:
			store(client, task, SIM_ENTRY_SET);
			break;
		case SIM_DO_ADD:
			store(client, task, SIM_ENTRY_ADD);
			break;
		case SIM_DO_REPLACE:
			store(client, task, SIM_ENTRY_REPLACE);
			break;
		case SIM_DO_UPDATE:
			sim_program_update(client, task);
			break;
		case SIM_DO_DELETE:
			sim_program_alter(client, task, SIM_ENTRY_DELETE);
			break;
		case SIM_DO_EXPIRE:
			sim_program_alter(client, task, SIM_ENTRY_EXPIRE);
			break;
		case SIM_DO_TOUCH:
			sim_program_alter(client, task, SIM_ENTRY_TOUCH);
			break;
		case SIM_DO_PULL:
			sim_program_pull(client, task);
			break;
		case SIM_DO_INCREMENT:
			sim_program_increment(client, task);
			break;
		case SIM_DO_INVALIDATE:
			sim_program_invalidate(client, task);
			break;
		default:
			sim_liveness_run(client, task);
			break;
	}
}
