/* Where a run could go on in more than one way: the same choices always make the same run. A seed makes
 * them at random; a search goes through all of them, deepest first, each in a run of its own. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_CHOICES_H
#define SIM_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_CHOICES_MAX = 512 };

typedef struct sim_choices {
	bool is_search;
	bool has_overflown; /* a run of the search was longer than can be remembered */
	uint64_t random;    /* of a seed */
	unsigned depth, length;
	uint16_t taken[SIM_CHOICES_MAX], of[SIM_CHOICES_MAX];
} sim_choices;

sim_choices sim_choices_of_seed(uint64_t seed);
sim_choices sim_choices_of_search(void);

/* Chooses one of `count` >= 1 ways. */
unsigned sim_choose(sim_choices *choices, unsigned count);
/* Draws by a seed: true in `percent` of a hundred. By a search: both, false first. */
bool sim_chance(sim_choices *choices, unsigned percent);

/* Begins the next run of the search; false if there is none. */
bool sim_choices_next(sim_choices *choices);

/* Goes over the same path once more. */
static inline void sim_choices_again(sim_choices *choices) {
	choices->depth = 0;
}

/* Tells whether the run is where no other has been: all that was repeated is behind it. */
static inline bool sim_choices_are_new(const sim_choices *choices) {
	return choices->depth == choices->length;
}

#endif
