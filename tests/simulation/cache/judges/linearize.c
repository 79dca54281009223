/* Wing and Gong's search with Lowe's memory of configurations ("Testing for linearizability", 2017): depth first
 * over the next entry, never the same set in the same state twice. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/linearize.h"

#include "cache/judges/spec.h"

enum {
	ENTRIES_MAX = 64, /* one bit each */
	MEMORY_BITS = 14,
	MEMORY_SIZE = 1 << MEMORY_BITS,
	NODES_MAX = 12000, /* smaller than the memory, so that it never fills up */
};

sim_linearize_statistics sim_linearize_total;

/* The search of one history. Entries are in the order of their beginnings. */
typedef struct search {
	sim_spec spec;
	unsigned count;
	struct {
		uint16_t entry;
		uint8_t part;   /* sim_part */
		uint32_t ended; /* UINT32_MAX: at any time, or never */
	} steps[ENTRIES_MAX];
	uint64_t mandatory;
	unsigned nodes;
	uint64_t furthest; /* the largest explained set */
	unsigned furthest_count;
	bool is_exhausted; /* of nodes */
} search;

/* Configurations that were seen. An entry belongs to the search with its number. */
static struct {
	uint64_t key;
	uint32_t search;
} memory[MEMORY_SIZE];
static uint32_t searches;

static bool remember(uint64_t placed, const sim_state *state) {
	uint64_t key = sim_mix(placed * 0x9E3779B97F4A7C15u ^ sim_state_hash(state));
	for (uint64_t at = key;; at++) {
		uint64_t slot = at & (MEMORY_SIZE - 1);
		if (memory[slot].search != searches) {
			memory[slot].search = searches;
			memory[slot].key = key;
			return true;
		}
		if (memory[slot].key == key) {
			return false;
		}
	}
}

static sim_part part_at(const search *run, unsigned index) {
	return (sim_part)run->steps[index].part;
}

static const sim_entry *entry_at(const search *run, unsigned index) {
	return &run->spec.entries[run->steps[index].entry];
}

/* Returns the moment after which new entries must wait, because an unplaced entry had ended by then. */
static uint32_t horizon(const search *run, uint64_t placed) {
	uint32_t earliest = UINT32_MAX;
	for (uint64_t left = run->mandatory & ~placed; left != 0; left &= left - 1) {
		unsigned index = (unsigned)__builtin_ctzll(left);
		earliest = run->steps[index].ended < earliest ? run->steps[index].ended : earliest;
	}
	return earliest;
}

/* Places pure entries as soon as they fit, because they never block others. */
static uint64_t place_pure(const search *run, uint64_t placed, sim_state *state) {
	bool has_placed;
	do {
		has_placed = false;
		uint32_t limit = horizon(run, placed);
		for (unsigned i = 0; i < run->count && entry_at(run, i)->started < limit; i++) {
			uint64_t bit = (uint64_t)1 << i;
			if ((placed & bit) == 0 && (run->mandatory & bit) != 0 &&
				sim_spec_is_pure(entry_at(run, i), part_at(run, i)) &&
				sim_spec_apply(&run->spec, entry_at(run, i), part_at(run, i), state)) {
				placed |= bit;
				has_placed = true;
			}
		}
	} while (has_placed);
	return placed;
}

static bool explain(search *run, uint64_t placed, const sim_state *before) {
	sim_state state = *before;
	placed = place_pure(run, placed, &state);
	unsigned depth = (unsigned)__builtin_popcountll(placed & run->mandatory);
	if (depth >= run->furthest_count) {
		run->furthest_count = depth;
		run->furthest = placed;
	}
	if ((run->mandatory & ~placed) == 0) {
		return true;
	}
	if (!remember(placed, &state)) {
		return false;
	}
	if (++run->nodes > NODES_MAX) {
		run->is_exhausted = true;
		return false;
	}
	uint32_t limit = horizon(run, placed);
	for (unsigned i = 0; i < run->count && entry_at(run, i)->started < limit; i++) {
		uint64_t bit = (uint64_t)1 << i;
		if ((placed & bit) != 0) {
			continue;
		}
		sim_state after = state;
		bool fits = (run->mandatory & bit) != 0
			? sim_spec_apply(&run->spec, entry_at(run, i), part_at(run, i), &after)
			: sim_spec_affect(&run->spec, entry_at(run, i), &after);
		if (fits && explain(run, placed | bit, &after)) {
			return true;
		}
	}
	return false;
}

/* True if the entry is known to have happened. An increment may have used a value that was lost while its process
 * was stopped; its result is not checked. */
static bool is_certain(const sim_entry *entry) {
	return entry->is_ended && !entry->is_unknown && !entry->is_in_vain;
}

static bool append(search *run, unsigned index, sim_part part) {
	if (run->count == ENTRIES_MAX) {
		return false;
	}
	const sim_entry *entry = &run->spec.entries[index];
	unsigned at = run->count++;
	for (; at > 0 && entry_at(run, at - 1)->started > entry->started; at--) {
		run->steps[at] = run->steps[at - 1];
	}
	run->steps[at].entry = (uint16_t)index;
	run->steps[at].part = (uint8_t)part;
	run->steps[at].ended = is_certain(entry) ? entry->ended : UINT32_MAX;
	return true;
}

/* Collects the entries of a key that have a result or an effect. False if there are too many. */
static bool collect(search *run, const sim_world *world, unsigned key) {
	run->count = 0;
	run->mandatory = 0;
	bool fits = true;
	for (unsigned i = 0; i < world->entry_count && fits; i++) {
		const sim_entry *entry = &world->entries[i];
		if (entry->key != key || (!is_certain(entry) && entry->effects == 0)) {
			continue;
		}
		if (is_certain(entry) && sim_spec_is_split(entry)) {
			fits = append(run, i, SIM_SHOWN) && append(run, i, SIM_JUDGED);
		} else {
			fits = append(run, i, SIM_WHOLE);
		}
	}
	for (unsigned i = 0; i < run->count; i++) {
		run->mandatory |= (uint64_t)(run->steps[i].ended != UINT32_MAX) << i;
	}
	return fits;
}

static sim_explanation run_search(search *run) {
	sim_state state;
	sim_state_clear(&state);
	searches++;
	run->nodes = 0;
	run->furthest = 0;
	run->furthest_count = 0;
	run->is_exhausted = false;
	bool is_explained = explain(run, 0, &state);
	sim_linearize_total.nodes += run->nodes;
	if (is_explained) {
		return SIM_EXPLAINED;
	}
	return run->is_exhausted ? SIM_UNDECIDED : SIM_UNEXPLAINED;
}

/* Returns the first entry that no order could place. */
static const sim_entry *find_stuck(const search *run) {
	const sim_entry *stuck = NULL;
	uint64_t left = run->mandatory & ~run->furthest;
	for (; left != 0; left &= left - 1) {
		const sim_entry *entry = entry_at(run, (unsigned)__builtin_ctzll(left));
		if (stuck == NULL || entry->ended < stuck->ended) {
			stuck = entry;
		}
	}
	return stuck;
}

static bool is_explained_without(const search *run, bool numbers, bool times, bool claims) {
	search relaxed = *run;
	relaxed.spec.ignores_numbers = numbers;
	relaxed.spec.ignores_times = times;
	relaxed.spec.ignores_claims = claims;
	return run_search(&relaxed) == SIM_EXPLAINED;
}

static const char *name_of(const search *run, const sim_entry *stuck) {
	if (is_explained_without(run, true, false, false)) {
		return stuck->kind == SIM_ENTRY_READ || stuck->kind == SIM_ENTRY_LOOKUP ? "I2" : "I1";
	}
	if (is_explained_without(run, false, false, true)) {
		return "C3";
	}
	if (is_explained_without(run, false, true, false)) {
		return "C7";
	}
	switch (stuck->kind) {
		case SIM_ENTRY_ADD:
			return "C15";
		case SIM_ENTRY_UPDATE:
			return "update";
		case SIM_ENTRY_PULL:
			return "pull";
		case SIM_ENTRY_INCREMENT:
			return "I6";
		default:
			return "C3";
	}
}

static uint64_t clocks_differ_ms(const sim_world *world) {
	const sim_scenario *scenario = world->scenario;
	int64_t slowest = 0, fastest = 0;
	for (unsigned i = 0; i < scenario->client_count; i++) {
		int64_t skew_ms = scenario->skews_ms[i];
		slowest = skew_ms < slowest ? skew_ms : slowest;
		fastest = skew_ms > fastest ? skew_ms : fastest;
	}
	int64_t differ_ms = fastest - slowest;
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		if (scenario->faults[i].kind == SIM_MOVE_CLOCK) {
			int64_t amount_ms = scenario->faults[i].amount_ms;
			differ_ms += amount_ms < 0 ? -amount_ms : amount_ms;
		}
	}
	return (uint64_t)differ_ms;
}

void sim_linearize_check(sim_world *world) {
	unsigned count = world->scenario->key_count;
	for (unsigned key = 0; key < count && !sim_world_has_failed(world); key++) {
		search run = {
			.spec = {.entries = world->entries,
				.clocks_differ_ms = clocks_differ_ms(world),
				.ignores_numbers = world->has_lost_frozen[key]},
		};
		sim_explanation answer = SIM_UNDECIDED;
		if (collect(&run, world, key)) {
			answer = run_search(&run);
		}
		sim_linearize_total.histories++;
		sim_linearize_total.undecided += answer == SIM_UNDECIDED;
		if (answer == SIM_UNEXPLAINED) {
			const sim_entry *stuck = find_stuck(&run);
			sim_world_fail(world, name_of(&run, stuck),
				"no order explains the history of k%u; it ends at %s #%u by client %u", key,
				sim_entry_name(stuck->kind), sim_entry_id(stuck), stuck->client);
		}
	}
}
