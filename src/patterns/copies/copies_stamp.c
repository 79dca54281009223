/* The order of a key's versions (D1), and the stamps that make it: an overwrite comes after everything that its writer has
 * found, by the clock; what is made of a version comes right behind that one, and before whatever was begun since. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

/* An epoch's upper 52 bits are microseconds since 1970, its lower 12 random: enough until 2112. */
#define STAMP_RANDOM_BITS 12
#define STAMP_TIME_MAX (((uint64_t)1 << (64 - STAMP_RANDOM_BITS)) - 1)
/* A stamp below all clocks has so many random bits above the lower ones: two weeks of 1970. */
#define STAMP_EARLY_BITS 40
#define US_PER_MS 1000

int mcp_version_compare(const mcp_version *a, const mcp_version *b) {
	if (a->epoch != b->epoch) {
		return a->epoch < b->epoch ? -1 : 1;
	}
	if (a->election != b->election) {
		return a->election < b->election ? -1 : 1;
	}
	return a->created_ms < b->created_ms ? -1 : a->created_ms > b->created_ms;
}

static uint64_t time_us(uint64_t epoch) {
	return epoch >> STAMP_RANDOM_BITS;
}

static uint64_t place_us(uint64_t epoch, uint32_t election) {
	return time_us(epoch) + (uint64_t)MCP_STEP_ELECTION * election;
}

bool mcp_version_follows_nothing(const mcp_version *version) {
	return time_us(version->epoch) >> STAMP_EARLY_BITS <= 1;
}

uint64_t mcp_version_place_us(const mcp_version *version) {
	return place_us(version->epoch, version->election);
}

/* Takes a result that the claim may still bring for one that is there already, and a claim by its holder's clock: a result
 * that misses a copy is dated by that. */
uint64_t mcp_copies_place_us(const mcp_envelope *envelope, uint64_t claimed_us) {
	uint64_t place = place_us(envelope->epoch, envelope->newest_election);
	return claimed_us > place ? claimed_us : place;
}

uint64_t mcp_copies_claimed_us(const mcp_envelope *envelope) {
	bool is_known = envelope->has_claim && envelope->claim_end_ms > envelope->claim_lease_ms;
	return is_known ? (envelope->claim_end_ms - envelope->claim_lease_ms) * US_PER_MS : 0;
}

static uint64_t make_stamp(const mcp_copies *copies, uint64_t at_us) {
	uint64_t capped_us = at_us < STAMP_TIME_MAX ? at_us : STAMP_TIME_MAX;
	return capped_us << STAMP_RANDOM_BITS |
		mcp_random_u64(copies->host) >> (64 - STAMP_RANDOM_BITS);
}

uint64_t mcp_copies_stamp(const mcp_copies *copies) {
	uint64_t now_us = mcp_wall_ms(copies->host) * US_PER_MS;
	uint64_t least_us = copies->newest_us + MCP_STEP_OVERWRITE;
	return make_stamp(copies, now_us > least_us ? now_us : least_us);
}

uint64_t mcp_copies_date(const mcp_copies *copies, uint64_t place, mcp_step step) {
	if (place == 0) {
		return make_stamp(copies, 1 + (mcp_random_u64(copies->host) >> (64 - STAMP_EARLY_BITS)));
	}
	return make_stamp(copies, place + step);
}

static void set_epoch(mcp_copies *copies, mcp_copies_write *write, uint64_t epoch) {
	write->version.epoch = epoch;
	mcp_envelope_set_epoch(copies->pending.data, epoch);
}

void mcp_copies_restamp(mcp_copies *copies, mcp_copies_write *write) {
	if (time_us(write->version.epoch) < copies->newest_us + MCP_STEP_OVERWRITE) {
		set_epoch(copies, write, mcp_copies_stamp(copies));
	}
}

void mcp_copies_stamp_made(mcp_copies *copies, mcp_copies_write *write, uint64_t place) {
	mcp_step step = write->carries_old ? MCP_STEP_CARRIED : MCP_STEP_MADE;
	set_epoch(copies, write, mcp_copies_date(copies, place, step));
}

void mcp_copies_stamp_result(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	uint64_t at_us = mcp_version_place_us(&over->version) + MCP_STEP_CARRIED;
	bool is_own = over->newest_election == write->version.election;
	if (is_own && over->claimed_us > at_us) {
		at_us = over->claimed_us;
	}
	set_epoch(copies, write, make_stamp(copies, at_us));
}

bool mcp_copies_is_after(const mcp_copies_write *write, const mcp_version *version) {
	return version->epoch == write->version.epoch ||
		time_us(version->epoch) > mcp_version_place_us(&write->version);
}
