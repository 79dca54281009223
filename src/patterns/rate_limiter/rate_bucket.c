/* Moves a bucket's number on by what is admitted, from the number that it was judged by: whoever comes in
 * between makes it look again. */
/* SPDX-License-Identifier: MIT */
#include "rate_bucket.h"

#include "../../core/backoff.h"
#include "../../core/decimal.h"

/* Each round means that another attempt was admitted in between. */
#define ROUNDS_MAX 64
#define PAUSE_MIN_MS 1
#define PAUSE_MAX_MS 10
#define MICROSECONDS 1000 /* of a millisecond */
/* No number ends sooner: it is kept for 2 s beyond the arrival, and of that memcached may take off a second. */
#define LIFE_MIN_MS 1000

static uint64_t now_us(const mcp_rate *rate) {
	return mcp_wall_ms(rate->environment) * MICROSECONDS;
}

/* Reads the number; an absent one is 0: long past. `*cas` is 0 then. */
static mcp_status read_number(const mcp_rate *rate, const mcp_key *key, uint64_t *stored_us,
	uint64_t *cas) {
	mcp_item item;
	*stored_us = *cas = 0;
	mcp_status status = mcp_store_get(rate->store, key, &item);
	if (status != MCP_OK) {
		return status;
	}
	*cas = item.cas;
	bool is_number =
		mcp_decimal_parse_u64(item.value, stored_us) && *stored_us <= (uint64_t)INT64_MAX;
	return is_number ? MCP_OK : MCP_NOT_A_NUMBER;
}

/* Writes by `add` where there was none: never over what another attempt has stored meanwhile. */
static mcp_status write_number(const mcp_rate *rate, const mcp_key *key, mcp_status found,
	const mcp_record *record, uint64_t cas) {
	if (found == MCP_NOT_FOUND) {
		mcp_status status = mcp_store_add(rate->store, key, record);
		return status == MCP_NOT_STORED ? MCP_EXISTS : status;
	}
	mcp_status status = mcp_store_cas(rate->store, key, record, cas);
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

/* Says whether others may have come and gone since nothing was found: one who stood still that long has judged by a
 * bucket of before, and was added all the same. */
static bool is_late(const mcp_rate *rate, mcp_status found, uint64_t began_ms) {
	return found == MCP_NOT_FOUND && mcp_monotonic_ms(rate->environment) - began_ms >= LIFE_MIN_MS;
}

/* MCP_EXISTS if others came in between, or may have: look again. `*own_us` is what this attempt has added too late, 0:
 * nothing. It takes that back by being put over it. */
static mcp_status attempt_once(const mcp_rate *rate, const mcp_key *key, uint64_t cost,
	uint64_t *own_us, bool *is_admitted) {
	uint64_t stored_us, cas, arrival_us;
	uint64_t began_ms = mcp_monotonic_ms(rate->environment);
	mcp_status found = read_number(rate, key, &stored_us, &cas);
	if (found != MCP_OK && found != MCP_NOT_FOUND) {
		return found;
	}
	uint64_t now = now_us(rate);
	uint64_t base_us = stored_us == *own_us ? 0 : stored_us;
	if (!mcp_limit_bucket_takes(rate->limit, base_us, now, cost, &arrival_us)) {
		return MCP_OK;
	}
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = {
		.body = mcp_bytes_of(digits, mcp_decimal_format_u64(arrival_us, digits)),
		.ttl_ms = mcp_limit_bucket_ttl_ms(arrival_us, now),
	};
	mcp_status status = write_number(rate, key, found, &record, cas);
	if (status == MCP_OK && is_late(rate, found, began_ms)) {
		*own_us = arrival_us;
		return MCP_EXISTS;
	}
	*is_admitted = status == MCP_OK;
	return status;
}

mcp_status mcp_rate_bucket_attempt(const mcp_rate *rate, const mcp_key *key, uint64_t cost,
	bool *is_admitted) {
	mcp_backoff backoff = {PAUSE_MIN_MS, PAUSE_MAX_MS, PAUSE_MIN_MS};
	uint64_t own_us = 0;
	*is_admitted = false;
	for (int round = 1;; round++) {
		mcp_status status = attempt_once(rate, key, cost, &own_us, is_admitted);
		if (status != MCP_EXISTS || round == ROUNDS_MAX) {
			return status;
		}
		uint64_t random = mcp_random_u64(rate->environment);
		mcp_sleep_ms(rate->environment, mcp_backoff_next_ms(&backoff, random, 0, UINT64_MAX));
	}
}

mcp_status mcp_rate_bucket_look(const mcp_rate *rate, const mcp_key *key, uint64_t cost,
	mcp_rate_state *state) {
	uint64_t stored_us, cas;
	mcp_status status = read_number(rate, key, &stored_us, &cas);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		return status;
	}
	uint64_t now = now_us(rate);
	state->remaining = mcp_limit_bucket_remaining(rate->limit, stored_us, now);
	state->wait_us = mcp_limit_bucket_wait_us(rate->limit, stored_us, now, cost);
	return MCP_OK;
}
