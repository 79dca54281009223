/* Delta debugging of a scenario: whole rounds of tasks first, then single tasks and faults, then times, clocks and
 * settings, repeated until nothing more can be removed. */
/* SPDX-License-Identifier: MIT */
#include "cache/shrink.h"

typedef struct shrinking {
	sim_world *world;
	sim_scenario *best;
	const char *invariant;
	unsigned runs;
} shrinking;

const char *sim_shrink_try(sim_world *world, sim_scenario *scenario) {
	FILE *trace = world->log.trace;
	world->log.trace = NULL;
	sim_world_prepare(world, scenario);
	sim_world_run(world);
	world->log.trace = trace;
	return world->log.violated;
}

/* Keeps the candidate if it fails in the same way. */
static bool keep(shrinking *shrink, sim_scenario *candidate) {
	shrink->runs++;
	const char *invariant = sim_shrink_try(shrink->world, candidate);
	if (invariant == NULL || strcmp(invariant, shrink->invariant) != 0) {
		return false;
	}
	*shrink->best = *candidate;
	return true;
}

static void remove_tasks(sim_scenario *scenario, unsigned from, unsigned count) {
	scenario->task_count -= count;
	memmove(&scenario->tasks[from], &scenario->tasks[from + count],
		(scenario->task_count - from) * sizeof(sim_task));
}

static bool drop_tasks(shrinking *shrink, unsigned size) {
	bool has_dropped = false;
	for (unsigned at = 0; at + size <= shrink->best->task_count;) {
		sim_scenario candidate = *shrink->best;
		remove_tasks(&candidate, at, size);
		if (keep(shrink, &candidate)) {
			has_dropped = true;
		} else {
			at++;
		}
	}
	return has_dropped;
}

static bool drop_faults(shrinking *shrink) {
	bool has_dropped = false;
	for (unsigned at = 0; at < shrink->best->fault_count;) {
		sim_scenario candidate = *shrink->best;
		candidate.fault_count--;
		memmove(&candidate.faults[at], &candidate.faults[at + 1],
			(candidate.fault_count - at) * sizeof(sim_fault));
		if (keep(shrink, &candidate)) {
			has_dropped = true;
		} else {
			at++;
		}
	}
	return has_dropped;
}

static bool calm_tasks(shrinking *shrink) {
	bool has_changed = false;
	for (unsigned i = 0; i < shrink->best->task_count; i++) {
		sim_scenario candidate = *shrink->best;
		sim_task *task = &candidate.tasks[i];
		if (task->compute_ms > 0) {
			task->compute_ms = 0;
			has_changed = keep(shrink, &candidate) || has_changed;
		}
		candidate = *shrink->best;
		if (task->start_ms > 0) {
			task->start_ms = i == 0 ? 0 : candidate.tasks[i - 1].start_ms;
			if (task->start_ms < shrink->best->tasks[i].start_ms) {
				has_changed = keep(shrink, &candidate) || has_changed;
			}
		}
	}
	return has_changed;
}

/* At least 2 servers, and no fewer than copies. */
static void use_fewer_servers(sim_scenario *scenario) {
	if (scenario->server_count < 3 || scenario->copies == scenario->server_count) {
		return;
	}
	scenario->server_count--;
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		scenario->faults[i].server %= scenario->server_count;
	}
}

/* Resets one setting at a time. */
static bool calm_settings(shrinking *shrink) {
	bool has_changed = false;
	for (unsigned i = 0; i < 10 + SIM_CLIENTS_MAX; i++) {
		sim_scenario candidate = *shrink->best;
		switch (i) {
			case 0:
				candidate.is_flat = true;
				break;
			case 1:
				candidate.probers = 0;
				break;
			case 2:
				candidate.is_exact = true;
				break;
			case 3:
				candidate.kills_at_probe = true;
				break;
			case 4:
				candidate.retry_after_ms = 0;
				break;
			case 5:
				candidate.lease_is_fitted = false;
				break;
			case 6:
				candidate.key_count = 1;
				for (unsigned j = 0; j < candidate.task_count; j++) {
					candidate.tasks[j].key = 0;
				}
				candidate.probe_key = 0;
				break;
			case 7:
				candidate.ends_at_ms = 0;
				break;
			case 8:
				candidate.wait_ms = 0;
				break;
			case 9:
				use_fewer_servers(&candidate);
				break;
			default:
				candidate.skews_ms[i - 10] = 0;
				break;
		}
		if (memcmp(&candidate, shrink->best, offsetof(sim_scenario, tasks)) != 0) {
			has_changed = keep(shrink, &candidate) || has_changed;
		}
	}
	return has_changed;
}

unsigned sim_shrink(sim_world *world, sim_scenario *scenario) {
	shrinking shrink = {.world = world, .best = scenario};
	shrink.invariant = sim_shrink_try(world, scenario);
	bool goes_on = shrink.invariant != NULL;
	while (goes_on) {
		goes_on = false;
		for (unsigned size = 8; size > 0; size /= 2) {
			goes_on = drop_tasks(&shrink, size) || goes_on;
		}
		goes_on = drop_faults(&shrink) || goes_on;
		goes_on = calm_settings(&shrink) || goes_on;
		goes_on = calm_tasks(&shrink) || goes_on;
	}
	return shrink.runs;
}
