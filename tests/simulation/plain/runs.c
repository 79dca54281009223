/* Runs in one world, one after the other. A failing run is repeated with a trace. */
/* SPDX-License-Identifier: MIT */
#include "plain/runs.h"

#include "plain/world.h"
#include "world/crash.h"

enum { FAULTS_OF_SEED = 5 };

static plain_world world;

static sim_outcome run_seed(const sim_family *family, uint64_t seed, FILE *trace) {
	sim_choices choices = sim_choices_of_seed(seed);
	world.log.trace = trace;
	plain_world_run(&world, family->plain, 0, &choices, (unsigned)(seed % (FAULTS_OF_SEED + 1)));
	world.log.trace = NULL;
	return (sim_outcome){world.log.violated, world.log.text, world.steps, 0};
}

static sim_outcome run(const sim_family *family, uint64_t seed) {
	return run_seed(family, seed, NULL);
}

static void show(const sim_family *family, uint64_t seed, bool is_full) {
	run_seed(family, seed, stdout);
}

static void say_broken(const sim_family *family, unsigned program, unsigned faults,
	sim_choices *choices, sim_report *report) {
	printf("FAILED %s: program %u of %s, %u faults: %s\n", world.log.violated, program,
		family->name, faults, world.log.text);
	if (sim_report_shows(report)) {
		sim_choices_again(choices);
		world.log.trace = stdout;
		plain_world_run(&world, family->plain, program, choices, faults);
		world.log.trace = NULL;
	}
}

/* Runs a program with every combination of choices, up to the maximum. */
static void search_with(const sim_family *family, unsigned program, unsigned faults,
	const sim_search *wanted, sim_report *report) {
	sim_choices choices = sim_choices_of_search();
	uint64_t runs = 0;
	do {
		plain_world_run(&world, family->plain, program, &choices, faults);
		runs++;
		if (world.log.violated != NULL) {
			say_broken(family, program, faults, &choices, report);
			sim_report_count(report, false);
			return;
		}
	} while (runs < wanted->runs_max && sim_choices_next(&choices));
	bool is_whole = runs < wanted->runs_max && !choices.has_overflown;
	printf("%s: program %u, %u faults: %llu runs%s\n", family->name, program, faults,
		(unsigned long long)runs, is_whole ? ", all there are" : "");
	sim_report_count(report, true);
}

static void search(const sim_family *family, unsigned part, const sim_search *wanted,
	sim_report *report) {
	sim_crash_name("program", part, family->name);
	for (unsigned faults = 0; faults <= wanted->faults_max; faults++) {
		if (!sim_report_is_over(report)) {
			search_with(family, part, faults, wanted, report);
		}
	}
}

const sim_kind plain_runs = {run, show, search, NULL};
