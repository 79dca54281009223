/* Stores the path of choices. A search repeats the path up to the last choice that has another alternative. */
/* SPDX-License-Identifier: MIT */
#include "world/choices.h"

#include "world/random.h"

sim_choices sim_choices_of_seed(uint64_t seed) {
	return (sim_choices){.random = seed * 0x2545F4914F6CDD1Du + 1 - SIM_RANDOM_STEP};
}

sim_choices sim_choices_of_search(void) {
	return (sim_choices){.is_search = true};
}

static unsigned follow(sim_choices *choices, unsigned count) {
	if (choices->depth == SIM_CHOICES_MAX) {
		choices->has_overflown = true;
		return 0;
	}
	unsigned at = choices->depth++;
	if (at == choices->length) {
		choices->length++;
		choices->taken[at] = 0;
		choices->of[at] = (uint16_t)count;
	}
	return choices->taken[at];
}

unsigned sim_choose(sim_choices *choices, unsigned count) {
	if (count <= 1) {
		return 0;
	}
	if (choices->is_search) {
		return follow(choices, count);
	}
	return sim_random_below(&choices->random, count);
}

bool sim_chance(sim_choices *choices, unsigned percent) {
	if (choices->is_search) {
		return follow(choices, 2) == 1;
	}
	return sim_choose(choices, 100) < percent;
}

bool sim_choices_next(sim_choices *choices) {
	choices->depth = 0;
	while (choices->length > 0) {
		unsigned last = choices->length - 1;
		if (choices->taken[last] + 1 < choices->of[last]) {
			choices->taken[last]++;
			return true;
		}
		choices->length--;
	}
	return false;
}
