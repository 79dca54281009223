/* The command of the simulator: random seeds, every schedule, one seed with its trace, and the seeds of earlier
 * failures. Prints failures with the shortest trace found, then a line of counts. */
/* SPDX-License-Identifier: MIT */
#include "world/crash.h"
#include "world/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 10000 /* seeds per counted test */ };

typedef struct arguments {
	const sim_family *family;
	bool searches, is_full, has_seed;
	uint64_t seed, from, seeds;
	const char *regressions;
	sim_search search;
} arguments;

static sim_report report;

static bool run_seed(const sim_family *family, uint64_t seed, sim_outcome *outcome) {
	sim_crash_name("seed", seed, family->name);
	*outcome = family->kind->run(family, seed);
	if (outcome->invariant == NULL) {
		return true;
	}
	printf("FAILED %s: seed %llu of %s: %s\n", outcome->invariant, (unsigned long long)seed,
		family->name, outcome->text);
	if (sim_report_shows(&report)) {
		family->kind->show(family, seed, false);
	}
	return false;
}

typedef struct figures {
	uint64_t seeds, steps, calls, failures;
	double seconds; /* processor time */
} figures;

static void print_figures(const sim_family *family, const figures *sum) {
	printf("random, %s: %llu seeds in %.1f s (%.0f us each), %llu steps", family->name,
		(unsigned long long)sum->seeds, sum->seconds,
		sum->seeds > 0 ? sum->seconds * 1e6 / (double)sum->seeds : 0,
		(unsigned long long)sum->steps);
	if (sum->calls > 0) {
		printf(", %llu store calls", (unsigned long long)sum->calls);
	}
	printf("; %llu failed", (unsigned long long)sum->failures);
	if (family->kind->add_remark != NULL) {
		family->kind->add_remark();
	}
	putchar('\n');
}

/* Runs a block of seeds, which counts as one test. False if no more blocks run, because one failure is enough. */
static bool run_block(const sim_family *family, uint64_t first, uint64_t count, figures *sum) {
	uint64_t failed_before = sum->failures;
	for (uint64_t i = 0; i < count; i++) {
		sim_outcome outcome;
		sum->failures += !run_seed(family, first + i, &outcome);
		sum->seeds++;
		sum->steps += outcome.steps;
		sum->calls += outcome.calls;
		if (sum->failures > 0 && report.stops_at_failure) {
			break;
		}
	}
	sim_report_count(&report, sum->failures == failed_before);
	return !sim_report_is_over(&report);
}

static void run_random(const arguments *given) {
	figures sum = {0};
	clock_t began = clock();
	for (uint64_t done = 0; done < given->seeds; done += BLOCK) {
		uint64_t left = given->seeds - done;
		if (!run_block(given->family, given->from + done, left < BLOCK ? left : BLOCK, &sum)) {
			break;
		}
	}
	sum.seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
	print_figures(given->family, &sum);
	if (sum.seeds > 0 && sum.steps == 0) {
		printf("FAILED: no run of %s takes a step\n", given->family->name);
		sim_report_count(&report, false);
	}
}

static void search(const arguments *given) {
	const sim_family *family = given->family;
	for (unsigned part = 1; part <= family->parts && !sim_report_is_over(&report); part++) {
		if (given->search.part == 0 || given->search.part == part) {
			family->kind->search(family, part, &given->search, &report);
		}
	}
}

static void run_one(const arguments *given) {
	sim_outcome outcome;
	report.is_quiet = true;
	bool holds = run_seed(given->family, given->seed, &outcome);
	sim_report_count(&report, holds);
	given->family->kind->show(given->family, given->seed, given->is_full);
}

/* Parses "17 description" or "servers 17 description". False if the line is a comment. */
static bool read_regression(const char *line, const sim_family **family, uint64_t *seed) {
	char name[17];
	int length = 0;
	*family = sim_family_first();
	if (sscanf(line, "%16[-a-z]%n", name, &length) == 1) {
		*family = sim_family_find(name);
	}
	unsigned long long number = 0;
	bool is_seed = *family != NULL && sscanf(line + length, "%llu", &number) == 1;
	*seed = number;
	return is_seed;
}

/* The file has one seed per line. */
static void run_regressions(const char *path) {
	FILE *file = fopen(path, "r");
	char line[256];
	if (file == NULL) {
		printf("FAILED: cannot read %s\n", path);
		sim_report_count(&report, false);
		return;
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		const sim_family *family;
		sim_outcome outcome;
		uint64_t seed;
		if (read_regression(line, &family, &seed)) {
			sim_report_count(&report, run_seed(family, seed, &outcome));
		}
	}
	fclose(file);
}

static int usage(void) {
	fputs("usage: simulation [--family NAME] [--from SEED] [--seeds COUNT]\n"
		  "                  [--search [--part N] [--deep] [--runs COUNT] [--faults COUNT]]\n"
		  "                  [--regressions FILE] [--quiet] [--stop]\n"
		  "       simulation [--family NAME] --seed N [--full]\n",
		stderr);
	return 2;
}

static bool read_flag(const char *word, arguments *given) {
	const struct {
		const char *name;
		bool *flag;
	} flags[] = {
		{"--quiet", &report.is_quiet},
		{"--stop", &report.stops_at_failure},
		{"--search", &given->searches},
		{"--deep", &given->search.is_deep},
		{"--full", &given->is_full},
	};
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (strcmp(word, flags[i].name) == 0) {
			*flags[i].flag = true;
			return true;
		}
	}
	return false;
}

static bool read_number(const char *word, const char *value, arguments *given) {
	uint64_t number = strtoull(value, NULL, 10);
	if (strcmp(word, "--seed") == 0) {
		given->seed = number;
		given->has_seed = true;
	} else if (strcmp(word, "--from") == 0) {
		given->from = number;
	} else if (strcmp(word, "--seeds") == 0) {
		given->seeds = number;
	} else if (strcmp(word, "--part") == 0) {
		given->search.part = (unsigned)number;
	} else if (strcmp(word, "--runs") == 0) {
		given->search.runs_max = number;
	} else if (strcmp(word, "--faults") == 0) {
		given->search.faults_max = (unsigned)number;
	} else {
		return false;
	}
	return true;
}

static bool read_option(const char *word, const char *value, arguments *given) {
	if (strcmp(word, "--regressions") == 0) {
		given->regressions = value;
		return true;
	}
	if (strcmp(word, "--family") == 0) {
		given->family = sim_family_find(value);
		return given->family != NULL;
	}
	return read_number(word, value, given);
}

static bool read_arguments(int count, char **words, arguments *given) {
	for (int i = 1; i < count; i++) {
		if (read_flag(words[i], given)) {
			continue;
		}
		if (i + 1 == count || !read_option(words[i], words[i + 1], given)) {
			return false;
		}
		i++;
	}
	return true;
}

int main(int count, char **words) {
	arguments given = {
		.family = sim_family_first(),
		.from = 1,
		.search = {.runs_max = 30000, .faults_max = 1},
	};
	if (!read_arguments(count, words, &given)) {
		return usage();
	}
	sim_crash_catch();
	if (given.has_seed) {
		run_one(&given);
	}
	if (given.regressions != NULL) {
		run_regressions(given.regressions);
	}
	if (given.seeds > 0 && !sim_report_is_over(&report)) {
		run_random(&given);
	}
	if (given.searches && !sim_report_is_over(&report)) {
		search(&given);
	}
	printf("%llu passed, %llu failed, 0 skipped\n", (unsigned long long)report.passed,
		(unsigned long long)report.failed);
	return report.failed > 0;
}
