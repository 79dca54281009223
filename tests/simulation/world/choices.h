/* The choices of a run. Equal choices make equal runs. A seed chooses at random. A search runs every combination,
 * deepest choice first. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CHOICES_H
#define SIM_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_CHOICES_MAX = 512 };

typedef struct sim_choices {
	bool is_search;
	bool has_overflown; /* a run was longer than SIM_CHOICES_MAX */
	uint64_t random;    /* state of the seed */
	unsigned depth, length;
	uint16_t taken[SIM_CHOICES_MAX], of[SIM_CHOICES_MAX];
} sim_choices;

sim_choices sim_choices_of_seed(uint64_t seed);
sim_choices sim_choices_of_search(void);

/* Chooses one of `count` >= 1 alternatives. */
unsigned sim_choose(sim_choices *choices, unsigned count);
/* With a seed: true with `percent` probability. In a search: both, false first. */
bool sim_chance(sim_choices *choices, unsigned percent);

/* Begins the next run of the search. False at the end of the search. */
bool sim_choices_next(sim_choices *choices);

/* Repeats the same path. */
static inline void sim_choices_again(sim_choices *choices) {
	choices->depth = 0;
}

/* True if the run has passed the repeated part of its path. */
static inline bool sim_choices_are_new(const sim_choices *choices) {
	return choices->depth == choices->length;
}

#endif
