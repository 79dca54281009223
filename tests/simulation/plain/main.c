/* Runs families by seeds and by search, and says what was violated, by name. A seed's run is repeated
 * with a trace when it fails. */
/* SPDX-License-Identifier: MIT */
#include "families.h"

#include <stdlib.h>

typedef struct plan {
	const plain_family *family;
	unsigned variants; /* of the search, from 1 on */
} plan;

static const plan plans[] = {
	{&plain_lock, 5},
	{&plain_counter, 3},
	{&plain_counter_limit, 5},
	{&plain_online, 2},
	{&plain_rate, 4},
	{&plain_log, 2},
	{&plain_set, 2},
	{&plain_table, 2},
	{&plain_semaphore, 2},
	{&plain_tags, 14},
	{&plain_tags_near, 9},
	{&plain_unique, 1},
	{&plain_near, 7},
	{&plain_many, 4},
};
enum { PLANS = sizeof(plans) / sizeof(plans[0]), FAULTS_OF_SEED = 5 };

typedef struct options {
	uint64_t first_seed, seeds, runs_max;
	unsigned search_faults;
	const char *family; /* NULL: all */
	bool is_one;        /* one seed, with its trace */
	bool stops;         /* at the first violation */
} options;

static plain_world world;
static unsigned passed, failed;

static void report(const plain_family *family, const char *what, unsigned long long number) {
	printf("FAILED %s: %s, %s %llu: %s\n", world.violated, family->name, what, number, world.text);
	failed++;
}

static bool run_seed(const plain_family *family, uint64_t seed, FILE *trace) {
	plain_choices choices = plain_choices_of_seed(seed);
	world.trace = trace;
	plain_world_run(&world, family, 0, &choices, (unsigned)(seed % (FAULTS_OF_SEED + 1)));
	world.trace = NULL;
	return world.violated == NULL;
}

static void run_seeds(const plain_family *family, const options *wanted) {
	uint64_t steps = 0;
	for (uint64_t i = 0; i < wanted->seeds; i++) {
		uint64_t seed = wanted->first_seed + i;
		if (!run_seed(family, seed, NULL)) {
			run_seed(family, seed, stdout);
			report(family, "seed", seed);
			return;
		}
		steps += world.steps;
	}
	printf("%s: %llu seeds, %llu steps\n", family->name, (unsigned long long)wanted->seeds,
		(unsigned long long)steps);
	passed++;
}

static void search(const plain_family *family, unsigned variant, unsigned faults,
	const options *wanted) {
	plain_choices choices = plain_choices_of_search();
	uint64_t runs = 0;
	do {
		plain_world_run(&world, family, variant, &choices, faults);
		runs++;
		if (world.violated != NULL) {
			choices.depth = 0;
			world.trace = stdout;
			plain_world_run(&world, family, variant, &choices, faults);
			world.trace = NULL;
			report(family, "search", variant);
			return;
		}
	} while (runs < wanted->runs_max && plain_choices_next(&choices));
	bool is_whole = runs < wanted->runs_max && !choices.has_overflown;
	printf("%s: program %u, %u faults: %llu runs%s\n", family->name, variant, faults,
		(unsigned long long)runs, is_whole ? ", all there are" : "");
	passed++;
}

static void run_plan(const plan *chosen, const options *wanted) {
	run_seeds(chosen->family, wanted);
	for (unsigned variant = 1; variant <= chosen->variants; variant++) {
		for (unsigned faults = 0; faults <= wanted->search_faults; faults++) {
			if (failed > 0 && wanted->stops) {
				return;
			}
			search(chosen->family, variant, faults, wanted);
		}
	}
}

static int usage(void) {
	fputs(
		"usage: simulation [--seed N] [--seeds N] [--faults N] [--runs N] [--one SEED] [--stop] [family]\n",
		stderr);
	return 2;
}

static bool parse(int count, char **words, options *wanted) {
	for (int i = 1; i < count; i++) {
		const char *word = words[i];
		if (strcmp(word, "--stop") == 0) {
			wanted->stops = true;
			continue;
		}
		if (word[0] != '-') {
			wanted->family = word;
			continue;
		}
		if (i + 1 == count) {
			return false;
		}
		uint64_t number = strtoull(words[++i], NULL, 10);
		if (strcmp(word, "--seed") == 0) {
			wanted->first_seed = number;
		} else if (strcmp(word, "--seeds") == 0) {
			wanted->seeds = number;
		} else if (strcmp(word, "--faults") == 0) {
			wanted->search_faults = (unsigned)number;
		} else if (strcmp(word, "--runs") == 0) {
			wanted->runs_max = number;
		} else if (strcmp(word, "--one") == 0) {
			wanted->first_seed = number;
			wanted->is_one = true;
		} else {
			return false;
		}
	}
	return true;
}

int main(int count, char **words) {
	options wanted = {.first_seed = 1, .seeds = 20000, .search_faults = 1, .runs_max = 100000};
	if (!parse(count, words, &wanted)) {
		return usage();
	}
	for (unsigned i = 0; i < PLANS; i++) {
		const plain_family *family = plans[i].family;
		if (wanted.family != NULL && strcmp(wanted.family, family->name) != 0) {
			continue;
		}
		if (wanted.is_one) {
			printf("%s\n", run_seed(family, wanted.first_seed, stdout) ? "holds" : world.violated);
		} else {
			run_plan(&plans[i], &wanted);
		}
	}
	plain_world_free(&world);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed == 0 ? 0 : 1;
}
