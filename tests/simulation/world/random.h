/* The random numbers of the simulation: splitmix64. Equal states give equal numbers. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_RANDOM_H
#define SIM_RANDOM_H

#include <stdint.h>

#define SIM_RANDOM_STEP 0x9E3779B97F4A7C15u

/* The last step of splitmix64. */
static inline uint64_t sim_mix(uint64_t value) {
	value += SIM_RANDOM_STEP;
	value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
	value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
	return value ^ (value >> 31);
}

static inline uint64_t sim_random(uint64_t *state) {
	*state += SIM_RANDOM_STEP;
	return sim_mix(*state);
}

/* Returns a number from 0 to `count` - 1. */
static inline uint32_t sim_random_below(uint64_t *state, uint32_t count) {
	return (uint32_t)((sim_random(state) >> 32) * count >> 32);
}

#endif
