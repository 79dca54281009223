/* Runs scenarios one after the other in one world. A failing seed is shrunk before its trace is shown. Groups of
 * operations are explored from every state of the key. */
/* SPDX-License-Identifier: MIT */
#include "cache/runs.h"

#include "cache/explore.h"
#include "cache/judges/linearize.h"
#include "cache/shrink.h"
#include "cache/trace.h"
#include "world/crash.h"

#include <time.h>

enum {
	CALLS_OF_TWO = 6,
	CALLS_IN_SHORT = 5, /* for 2 clients if replies can be late, which multiplies the schedules */
	CALLS_OF_THREE = 4,
	CALLS_OF_HOT = 10, /* a freeze that lost, its second read, and the rest */
	CALLS_OF_THREE_HOT = 5,
	JUMP_MS = 10001, /* after the TTL of the explored values and every lease */
};

static sim_world world;

static sim_outcome run(const sim_family *family, uint64_t seed) {
	sim_scenario scenario;
	family->make(&scenario, seed);
	const char *invariant = sim_shrink_try(&world, &scenario);
	return (sim_outcome){invariant, world.log.text, world.step, world.call_count};
}

static void show(const sim_family *family, uint64_t seed, bool is_full) {
	sim_scenario scenario;
	family->make(&scenario, seed);
	if (!is_full && sim_shrink_try(&world, &scenario) != NULL) {
		unsigned runs = sim_shrink(&world, &scenario);
		printf("seed %llu, shrunk in %u runs to %u tasks and %u faults (--full: all of it)\n",
			(unsigned long long)seed, runs, scenario.task_count, scenario.fault_count);
	}
	sim_world_prepare(&world, &scenario);
	world.log.trace = stdout;
	sim_trace_scenario(&world);
	sim_world_run(&world);
	world.log.trace = NULL;
}

static void add_remark(void) {
	printf("; %llu of %llu histories undecided", (unsigned long long)sim_linearize_total.undecided,
		(unsigned long long)sim_linearize_total.histories);
}

/* --- every schedule --- */

typedef struct part {
	const char *name;
	sim_exploration group;
	unsigned calls_in_short; /* unless deep; 0: the same number */
} part;

static const part parts[SIM_EXPLORED_PARTS] = {
	{"two clients", {.clients = 2, .calls_max = CALLS_OF_TWO}, 0},
	{"three clients", {.clients = 3, .calls_max = CALLS_OF_THREE, .common_only = true}, 0},
	{"two clients while time goes by",
		{.clients = 2, .calls_max = CALLS_OF_TWO, .jump_ms = JUMP_MS}, CALLS_IN_SHORT},
	{"two clients and a fault", {.clients = 2, .calls_max = CALLS_OF_TWO, .faults_max = 1},
		CALLS_IN_SHORT},
	{"two clients on a hot number, and a fault",
		{.clients = 2, .calls_max = CALLS_OF_HOT, .faults_max = 1, .hot_only = true}, 0},
	{"three clients on a hot number",
		{.clients = 3, .calls_max = CALLS_OF_THREE_HOT, .hot_only = true}, 0},
};

static void say_broken(const sim_exploration *group, unsigned state, sim_report *report) {
	printf("FAILED %s: every schedule of", world.log.violated);
	for (unsigned i = 0; i < group->clients; i++) {
		printf(" %s", sim_explore_operation_name(group->operations[i]));
	}
	printf(" on %s: %s\n", sim_explore_state_name(state), world.log.text);
	if (sim_report_shows(report)) {
		sim_exploration again = *group;
		again.state = state;
		sim_explore(&world, &again, stdout);
	}
}

/* Explores a group of operations from every state. */
static bool explore_group(const sim_exploration *group, sim_exploration *sum, sim_report *report) {
	for (unsigned state = 0; state < sim_explore_state_count(); state++) {
		if ((group->common_only && !sim_explore_state_is_common(state)) ||
			(group->hot_only && !sim_explore_state_is_hot(state))) {
			continue;
		}
		sim_exploration exploration = *group;
		exploration.state = state;
		bool holds = sim_explore(&world, &exploration, NULL);
		sum->schedules += exploration.schedules;
		sum->pruned += exploration.pruned;
		sum->cut += exploration.cut;
		if (!holds) {
			say_broken(group, state, report);
			return false;
		}
	}
	return true;
}

/* Sets the next group of operations, each unordered group once. False after the last. */
static bool next_group(sim_exploration *group, unsigned operations) {
	unsigned at = group->clients - 1;
	while (at > 0 && group->operations[at] == operations - 1) {
		at--;
	}
	group->operations[at]++;
	for (unsigned i = at + 1; i < group->clients; i++) {
		group->operations[i] = group->operations[at];
	}
	return group->operations[at] < operations;
}

static bool is_wanted(const sim_exploration *group) {
	for (unsigned i = 0; i < group->clients; i++) {
		unsigned operation = group->operations[i];
		if ((group->common_only && !sim_explore_is_common(operation)) ||
			(group->hot_only && !sim_explore_is_hot(operation))) {
			return false;
		}
	}
	return true;
}

static void search(const sim_family *family, unsigned number, const sim_search *wanted,
	sim_report *report) {
	const part *chosen = &parts[number - 1];
	sim_exploration group = chosen->group, sum = {0};
	unsigned groups = 0;
	clock_t began = clock();
	group.common_only = group.common_only && !wanted->is_deep;
	if (chosen->calls_in_short > 0 && !wanted->is_deep) {
		group.calls_max = chosen->calls_in_short;
	}
	sim_crash_name("part", number, family->name);
	do {
		if (is_wanted(&group)) {
			sim_report_count(report, explore_group(&group, &sum, report));
			groups++;
		}
	} while (!sim_report_is_over(report) && next_group(&group, sim_explore_operation_count()));
	printf("every schedule, %s%s: %u groups in %.1f s: %llu schedules, %llu more led to a known "
		   "state, %llu cut at %u calls\n",
		chosen->name, group.common_only ? " (the operations and states that matter most)" : "",
		groups, (double)(clock() - began) / CLOCKS_PER_SEC, (unsigned long long)sum.schedules,
		(unsigned long long)sum.pruned, (unsigned long long)sum.cut, group.calls_max);
}

const sim_kind sim_cache_runs = {run, show, search, add_remark};
