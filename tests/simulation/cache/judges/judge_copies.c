/* The rules for caches with several copies (D1 to D6 and C3). A complete order is not required: during a change, a
 * lost copy can show the previous value. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"
#include "cache/judges/checks.h"
#include "cache/families/copies.h"
#include "cache/values.h"

/* A read of a key, and the writer of the value that it showed. */
typedef struct look {
	const sim_world *world;
	const sim_entry *read;
	const sim_entry *writer; /* NULL: a miss */
} look;

static bool is_store(const sim_entry *entry) {
	switch (entry->kind) {
		case SIM_ENTRY_SET:
		case SIM_ENTRY_ADD:
		case SIM_ENTRY_REPLACE:
		case SIM_ENTRY_UPDATE:
			return true;
		default:
			return false;
	}
}

/* True for stores, rebuilds included. */
static bool stores(const sim_entry *entry) {
	return is_store(entry) || entry->kind == SIM_ENTRY_PUBLISH;
}

const sim_entry *sim_copies_writer(const sim_world *world, unsigned key, const sim_value *value) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		if (stores(entry) && entry->key == key && sim_value_equals(&entry->value, value)) {
			return entry;
		}
	}
	return NULL;
}

static bool is_read(const sim_entry *entry) {
	switch (entry->kind) {
		case SIM_ENTRY_READ:
		case SIM_ENTRY_LOOKUP:
		case SIM_ENTRY_REMEMBER:
			return entry->is_ended && entry->status == MCP_OK;
		case SIM_ENTRY_PULL:
			return entry->is_ended && entry->status == MCP_OK && entry->has_value;
		default:
			return false;
	}
}

static bool is_removal(const sim_entry *entry) {
	return entry->kind == SIM_ENTRY_DELETE || entry->kind == SIM_ENTRY_PULL;
}

static bool is_acknowledged(const sim_entry *entry) {
	return entry->is_ended && entry->status == MCP_OK;
}

/* True if a change was acknowledged before this read began. */
static bool precedes(const sim_entry *change, const look *at) {
	return change->key == at->read->key && is_acknowledged(change) &&
		change->ended < at->read->started;
}

static void fail_old(sim_world *world, const char *invariant, const look *at,
	const sim_entry *change) {
	sim_world_fail(world, invariant,
		"%s by client %u (#%u) shows what was there before %s by client %u (#%u)",
		sim_entry_name(at->read->kind), at->read->client, sim_entry_id(at->read),
		sim_entry_name(change->kind), change->client, sim_entry_id(change));
}

static bool is_loss(sim_fault_kind kind) {
	return kind == SIM_EVICT || kind == SIM_FLUSH || kind == SIM_RESTART;
}

static bool is_outage(sim_fault_kind kind) {
	return !is_loss(kind) && kind != SIM_KILL_BEFORE && kind != SIM_KILL_AFTER && kind != SIM_FULL;
}

bool sim_copies_makes_late(sim_fault_kind kind) {
	return kind == SIM_DELAY_REQUEST || kind == SIM_FREEZE || kind == SIM_KILL_LATE;
}

/* True if a writer has no further effect. An unanswered write takes effect at most once, at any time until an
 * acknowledged write covers it that began after its end. But a late `add` can succeed on a copy that was lost
 * since. */
static bool is_over(const sim_world *world, const sim_entry *writer) {
	return is_acknowledged(writer) ||
		(writer->is_ended &&
			!(sim_copies_has_fault(world, sim_copies_makes_late) &&
				sim_copies_has_fault(world, is_loss)));
}

static bool is_want_of_memory(sim_fault_kind kind) {
	return kind == SIM_FULL;
}

/* True if a server might have had no memory for the tombstone (D3.4). */
static bool may_lack_tombstone(const sim_world *world, const sim_entry *change) {
	return is_removal(change) && sim_copies_has_fault(world, is_want_of_memory);
}

/* True if a touch can have extended an expired value, or stored again what a removal without a tombstone removed. */
static bool is_touched(const sim_world *world, unsigned key) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		if (world->entries[i].kind == SIM_ENTRY_TOUCH && world->entries[i].key == key) {
			return true;
		}
	}
	return false;
}

/* True if an expire during a removal without a tombstone can have stored again what it had read before. */
static bool is_expired_beside(const sim_world *world, const sim_entry *removal) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		bool is_beside = entry->started < removal->ended &&
			(!entry->is_ended || entry->ended > removal->started);
		if (entry->kind == SIM_ENTRY_EXPIRE && entry->key == removal->key && is_beside) {
			return true;
		}
	}
	return false;
}

/* A value that was settled before a change began is gone when the change is acknowledged (D2, D3). */
static void check_settled(sim_world *world, const look *at, const sim_entry *change) {
	const sim_entry *writer = at->writer;
	bool is_settled = is_over(world, writer) && writer->ended < change->started;
	bool may_return = may_lack_tombstone(world, change) &&
		(is_touched(world, change->key) || is_expired_beside(world, change));
	if (!precedes(change, at) || !is_settled || may_return) {
		return;
	}
	if (stores(change) || is_removal(change)) {
		fail_old(world, is_removal(change) ? "D3" : "D2", at, change);
	}
	bool has_come = at->read->wall_low > change->wall_high; /* by the clock that set the end */
	if (change->kind == SIM_ENTRY_EXPIRE && has_come && at->read->verdict == MCP_VERDICT_FRESH) {
		fail_old(world, "D2", at, change);
	}
}

/* A rebuild that was elected before a change began is not stored after it (C3). A copy whose server had no memory
 * for the tombstone cannot reject the rebuild. */
static void check_descent(sim_world *world, const look *at, const sim_entry *change) {
	if (at->writer->kind != SIM_ENTRY_PUBLISH || !precedes(change, at) ||
		may_lack_tombstone(world, change)) {
		return;
	}
	const sim_entry *origin = &world->entries[at->writer->origin];
	if (origin->ended < change->started && (is_store(change) || is_removal(change))) {
		fail_old(world, "C3", at, change);
	}
}

static void check_shown(sim_world *world, const look *at) {
	for (unsigned i = 0; i < world->entry_count && !sim_world_has_failed(world); i++) {
		const sim_entry *change = &world->entries[i];
		if (change == at->writer ||
			(change->kind == SIM_ENTRY_EXPIRE && is_touched(world, change->key))) {
			continue;
		}
		check_settled(world, at, change);
		check_descent(world, at, change);
	}
}

static bool is_before(const look *earlier, const look *later) {
	return earlier->read->ended < later->read->started;
}

/* True if 2 copies can be missing at once: a copy other than copy 0 was lost, and a server did not reply. */
static bool is_twice_struck(const sim_world *world, unsigned key) {
	const sim_scenario *scenario = world->scenario;
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		const sim_fault *fault = &scenario->faults[i];
		if (is_loss(fault->kind) && fault->server != sim_key_home(world, key)) {
			return sim_copies_has_fault(world, is_outage);
		}
	}
	return false;
}

/* Of 2 overlapping changes, the one that was read first stays (D2). Not if 2 copies are missing at once: the late
 * write of the older one can succeed on the lost copy, and clients that cannot reach copy 0 read it. */
static void check_turns(sim_world *world, const look *earlier, const look *later) {
	const sim_entry *one = earlier->writer, *other = later->writer;
	bool are_stores = is_store(one) && is_store(other) && one != other;
	if (are_stores && !is_twice_struck(world, earlier->read->key) && is_before(earlier, later) &&
		precedes(one, earlier) && precedes(other, earlier)) {
		sim_world_fail(world, "D2",
			"both #%u and #%u were acknowledged, and #%u is read after #%u was", sim_entry_id(one),
			sim_entry_id(other), sim_entry_id(other), sim_entry_id(one));
	}
}

static bool changes(const sim_entry *entry) {
	return is_store(entry) || is_removal(entry) || entry->kind == SIM_ENTRY_EXPIRE ||
		entry->kind == SIM_ENTRY_PUBLISH || entry->kind == SIM_ENTRY_TOUCH;
}

/* True if no operation that began before the end of the read can have replaced the value. */
static bool is_last(const sim_world *world, const sim_entry *store, const sim_entry *read) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		if (entry == store || entry->key != store->key || !changes(entry)) {
			continue;
		}
		bool is_over = entry->is_ended && !entry->is_unknown && entry->ended < store->started;
		if (!is_over && entry->started < read->ended) {
			return false;
		}
	}
	return true;
}

static bool is_still_alive(const sim_entry *store, const sim_entry *read, uint32_t skew_ms) {
	uint64_t left_ms = store->lifetime.ttl_ms + store->lifetime.grace_ms;
	return store->lifetime.ttl_ms == 0 || store->wall_low + left_ms > read->wall_high + skew_ms;
}

/* True if unreachable servers count as lost copies. More than one loss is not guaranteed to be survived. */
static bool is_after_outages(const sim_world *world, const sim_entry *store) {
	const sim_scenario *scenario = world->scenario;
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		const sim_fault *fault = &scenario->faults[i];
		uint64_t until_ms = SIM_START_MS + fault->at_ms + (uint32_t)fault->amount_ms +
			scenario->retry_after_ms + scenario->timeout_ms;
		if (is_outage(fault->kind) &&
			(!sim_fault_is_timed(fault->kind) || sim_copies_began_ms(world, store) <= until_ms)) {
			return false;
		}
	}
	return true;
}

/* A value that all copies acknowledged must be found (D5). */
static void check_miss(sim_world *world, const sim_entry *read) {
	if (read->has_value || read->is_strict || read->is_distrusting) {
		return;
	}
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *store = &world->entries[i];
		if (stores(store) && store->key == read->key && is_acknowledged(store) &&
			store->ended < read->started && is_last(world, store, read) &&
			is_after_outages(world, store) &&
			is_still_alive(store, read, world->scenario->lease_ms)) {
			sim_world_fail(world, "D5", "%s by client %u (#%u) misses what #%u has stored",
				sim_entry_name(read->kind), read->client, sim_entry_id(read), sim_entry_id(store));
		}
	}
}

/* Applies without lost or unreachable copies (D6). */
static void check_elected(sim_world *world, const sim_entry *entry) {
	if (world->scenario->fault_count > 0 || entry->claim.is_overdue) {
		return;
	}
	for (const sim_entry *other = world->entries; other < entry; other++) {
		if (sim_entry_is_elected(other) && !other->claim.is_overdue && other->key == entry->key &&
			other->claim.epoch == entry->claim.epoch &&
			other->claim.election == entry->claim.election) {
			sim_world_fail(world, "D6", "clients %u and %u were both elected (election %u)",
				other->client, entry->client, entry->claim.election);
		}
	}
}

static void judge_read(sim_world *world, const sim_entry *read, look *earlier, unsigned *count) {
	look at = {world, read,
		read->has_value ? sim_copies_writer(world, read->key, &read->seen) : NULL};
	check_miss(world, read);
	if (at.writer == NULL) {
		return;
	}
	check_shown(world, &at);
	for (unsigned i = 0; i < *count && !sim_world_has_failed(world); i++) {
		check_turns(world, &earlier[i], &at);
	}
	earlier[(*count)++] = at;
}

static void judged(sim_world *world) {
	look earlier[SIM_ENTRIES_MAX];
	unsigned count = 0;
	for (unsigned i = 0; i < world->entry_count && !sim_world_has_failed(world); i++) {
		const sim_entry *entry = &world->entries[i];
		if (is_read(entry)) {
			judge_read(world, entry, earlier, &count);
		}
		if (sim_entry_is_elected(entry)) {
			check_elected(world, entry);
		}
	}
}

static void wrote(sim_world *world, const sim_client *client, sim_entry *entry,
	const sim_request *request, const sim_item *before) {
	sim_copies_judge_write(world, client, entry, request, before);
	sim_copies_remember(world, request, before);
}

static void ended(sim_world *world, const sim_client *client, const sim_entry *entry) {
	if (sim_entry_is_elected(entry) && !entry->claim.is_overdue) {
		sim_copies_judge_election(world, client, entry);
	}
	if (is_read(entry) && entry->has_value) {
		sim_copies_judge_comparison(world, client, entry);
	}
	if (entry->has_value && entry->seen.is_broken) {
		sim_world_fail(world, "C9", "client %u was shown what nobody wrote under this key",
			client->index);
	}
}

/* True if a copy that was unreachable can have a version between an election and its basis. */
static bool forgives(const sim_world *world) {
	return sim_copies_has_fault(world, is_outage);
}

const sim_judge sim_judge_copies = {
	.wrote = wrote,
	.began = sim_copies_begin_comparison,
	.ended = ended,
	.judged = judged,
	.forgives = forgives,
};
