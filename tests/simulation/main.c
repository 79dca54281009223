/* The simulator's command: random seeds, every schedule, one seed in full, the seeds of old failures.
 * Prints what broke, with the shortest trace found, and ends with a line of counts. */
/* SPDX-License-Identifier: MIT */
#include "crash.h"
#include "explore.h"
#include "families.h"
#include "linearize.h"
#include "shrink.h"
#include "trace.h"

#include <stdlib.h>
#include <time.h>

enum {
	BLOCK = 10000, /* seeds that count as one test */
	CALLS_OF_TWO = 6,
	CALLS_OF_THREE = 4,
	CALLS_OF_HOT = 10, /* a freeze that lost, its second look, and what follows */
	CALLS_OF_THREE_HOT = 5,
	JUMP_MS = 10001, /* past the explored values' soft end and every lease */
	SHOWN_MAX = 3,   /* failures with a trace */
	NAMES_MAX = 16,
};

typedef struct tally {
	uint64_t passed, failed, skipped;
	unsigned shown;
	bool is_quiet;
	bool stops_at_failure; /* for mutants: one is enough */
} tally;

static sim_world world;
static const sim_family *family; /* of the seeds that follow */

static double seconds_now(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Shrinks the seed's scenario and prints what is left of it, event by event. */
static void show_seed(uint64_t seed, bool is_shrunk) {
	sim_scenario scenario;
	family->make(&scenario, seed);
	if (is_shrunk) {
		unsigned runs = sim_shrink(&world, &scenario);
		printf("seed %llu, shrunk in %u runs to %u tasks and %u faults (--full: all of it)\n",
			(unsigned long long)seed, runs, scenario.task_count, scenario.fault_count);
	}
	sim_world_prepare(&world, &scenario);
	world.trace = stdout;
	sim_trace_scenario(&world);
	sim_world_run(&world);
	world.trace = NULL;
}

static bool run_seed(uint64_t seed, tally *total) {
	sim_scenario scenario;
	sim_crash_name(seed, family->name);
	family->make(&scenario, seed);
	const char *invariant = sim_shrink_try(&world, &scenario);
	if (invariant == NULL) {
		return true;
	}
	printf("FAILED %s: seed %llu of %s: %s\n", invariant, (unsigned long long)seed, family->name,
		world.failure.text);
	if (!total->is_quiet && total->shown < SHOWN_MAX) {
		total->shown++;
		show_seed(seed, true);
	}
	return false;
}

static void run_random(uint64_t first, uint64_t count, tally *total) {
	double started = seconds_now();
	uint64_t steps = 0, calls = 0, failures = 0;
	for (uint64_t done = 0; done < count;) {
		uint64_t failed_before = failures;
		for (uint64_t end = done + BLOCK; done < end && done < count; done++) {
			failures += !run_seed(first + done, total);
			steps += world.step;
			calls += world.call_count;
			if (failures > 0 && total->stops_at_failure) {
				count = done;
			}
		}
		total->failed += failures > failed_before;
		total->passed += failures == failed_before;
	}
	double took = seconds_now() - started;
	printf(
		"random, %s: %llu seeds in %.1f s (%.0f us each), %llu steps, %llu store calls; %llu failed; "
		"%llu of %llu histories undecided\n",
		family->name, (unsigned long long)count, took, count > 0 ? took * 1e6 / (double)count : 0,
		(unsigned long long)steps, (unsigned long long)calls, (unsigned long long)failures,
		(unsigned long long)sim_linearize_total.undecided,
		(unsigned long long)sim_linearize_total.histories);
}

/* One group of operations, from every state. */
static bool explore_group(const sim_exploration *group, sim_exploration *sum, tally *total) {
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
		sum->steps += exploration.steps;
		if (holds) {
			continue;
		}
		printf("FAILED %s: every schedule of", world.failure.invariant);
		for (unsigned i = 0; i < group->clients; i++) {
			printf(" %s", sim_explore_operation_name(group->operations[i]));
		}
		printf(" on %s: %s\n", sim_explore_state_name(state), world.failure.text);
		if (!total->is_quiet && total->shown < SHOWN_MAX) {
			total->shown++;
			exploration = *group;
			exploration.state = state;
			sim_explore(&world, &exploration, stdout);
		}
		return false;
	}
	return true;
}

/* The next group of operations in order, each unordered group once; false after the last. */
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

static void explore_all(sim_exploration group, const char *name, tally *total) {
	double started = seconds_now();
	sim_exploration sum = {0};
	unsigned groups = 0;
	bool stops = total->failed > 0 && total->stops_at_failure;
	while (!stops) {
		if (is_wanted(&group)) {
			bool holds = explore_group(&group, &sum, total);
			groups++;
			total->passed += holds;
			total->failed += !holds;
			stops = !holds && total->stops_at_failure;
		}
		stops = !next_group(&group, sim_explore_operation_count()) || stops;
	}
	printf("every schedule, %s: %u groups in %.1f s: %llu schedules, %llu more led to a "
		   "known state, %llu cut at %u calls\n",
		name, groups, seconds_now() - started, (unsigned long long)sum.schedules,
		(unsigned long long)sum.pruned, (unsigned long long)sum.cut, group.calls_max);
}

/* A hot number: freezing it takes more calls than others are followed for. */
static void explore_hot(tally *total) {
	sim_exploration hot = {
		.clients = 2,
		.calls_max = CALLS_OF_HOT,
		.faults_max = 1,
		.hot_only = true,
	};
	explore_all(hot, "two clients on a hot number, and a fault", total);
	hot.clients = 3;
	hot.calls_max = CALLS_OF_THREE_HOT;
	hot.faults_max = 0;
	explore_all(hot, "three clients on a hot number", total);
}

static void explore(bool is_deep, tally *total) {
	sim_exploration two = {.clients = 2, .calls_max = CALLS_OF_TWO};
	explore_all(two, "two clients", total);
	sim_exploration three = {
		.clients = 3,
		.calls_max = CALLS_OF_THREE,
		.common_only = !is_deep,
	};
	explore_all(three,
		is_deep ? "three clients" : "three clients (the operations and states that matter most)",
		total);
	two.jump_ms = JUMP_MS;
	explore_all(two, "two clients while time goes by", total);
	two.jump_ms = 0;
	two.faults_max = 1;
	explore_all(two, "two clients and a fault", total);
	explore_hot(total);
}

/* "17 what it had found" or "servers 17 what it had found". */
static bool read_regression(const char *line, uint64_t *seed) {
	char name[17];
	int length = 0;
	family = sim_family_first();
	if (sscanf(line, "%16[a-z]%n", name, &length) == 1) {
		family = sim_family_find(name);
	}
	unsigned long long number;
	bool is_seed = family != NULL && sscanf(line + length, "%llu", &number) == 1;
	*seed = is_seed ? number : 0;
	return is_seed;
}

/* A file of seeds, one a line; what is none is a remark. */
static void run_regressions(const char *path, tally *total) {
	FILE *file = fopen(path, "r");
	char line[256];
	if (file == NULL) {
		printf("FAILED: cannot read %s\n", path);
		total->failed++;
		return;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		uint64_t seed;
		if (read_regression(line, &seed)) {
			bool holds = run_seed(seed, total);
			total->passed += holds;
			total->failed += !holds;
		}
	}
	fclose(file);
}

static int usage(void) {
	fputs("usage: simulation [--quiet] [--stop] [--explore] [--deep] [--regressions FILE]\n"
		  "                  [--family NAME] [--from SEED] [--seeds COUNT] | --seed N [--full]\n",
		stderr);
	return 2;
}

typedef struct arguments {
	bool explores, is_deep, is_full, has_seed;
	uint64_t seed, from, seeds;
	const char *regressions;
	const sim_family *family;
} arguments;

static bool read_flag(const char *word, arguments *given, tally *total) {
	bool *flags[] = {&total->is_quiet, &total->stops_at_failure, &given->explores, &given->is_deep,
		&given->is_full};
	static const char *const names[] = {"--quiet", "--stop", "--explore", "--deep", "--full"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(word, names[i]) == 0) {
			*flags[i] = true;
			return true;
		}
	}
	return false;
}

static bool read_option(const char *word, const char *value, arguments *given) {
	if (strcmp(word, "--regressions") == 0) {
		given->regressions = value;
	} else if (strcmp(word, "--seed") == 0) {
		given->seed = strtoull(value, NULL, 10);
		given->has_seed = true;
	} else if (strcmp(word, "--from") == 0) {
		given->from = strtoull(value, NULL, 10);
	} else if (strcmp(word, "--seeds") == 0) {
		given->seeds = strtoull(value, NULL, 10);
	} else if (strcmp(word, "--family") == 0) {
		given->family = sim_family_find(value);
		return given->family != NULL;
	} else {
		return false;
	}
	return true;
}

int main(int count, char **words) {
	arguments given = {.from = 1, .family = sim_family_first()};
	tally total = {0};
	for (int i = 1; i < count; i++) {
		if (read_flag(words[i], &given, &total)) {
			continue;
		}
		if (i + 1 == count || !read_option(words[i], words[i + 1], &given)) {
			return usage();
		}
		i++;
	}
	family = given.family;
	sim_crash_catch();
	if (given.has_seed) {
		total.is_quiet = true;
		bool holds = run_seed(given.seed, &total);
		show_seed(given.seed, !holds && !given.is_full);
		total.passed += holds;
		total.failed += !holds;
	}
	if (given.regressions != NULL) {
		run_regressions(given.regressions, &total);
		family = given.family;
	}
	if (given.seeds > 0 && !(total.failed > 0 && total.stops_at_failure)) {
		run_random(given.from, given.seeds, &total);
	}
	if (given.explores && !(total.failed > 0 && total.stops_at_failure)) {
		explore(given.is_deep, &total);
	}
	printf("%llu passed, %llu failed, %llu skipped\n", (unsigned long long)total.passed,
		(unsigned long long)total.failed, (unsigned long long)total.skipped);
	return total.failed > 0;
}
