/* Counts by memcached's own arithmetic and hides its habits: the wrap at 2^64, the padding after a
 * decrement, numbers that PHP has no integer for. */
/* SPDX-License-Identifier: MIT */
#include "counter.h"

#include "../../core/decimal.h"

/* Each round means that the number came into being or vanished in between. */
#define ROUNDS_MAX 16

/* Returns how much is added or subtracted. As all stop at 0, the smallest integer takes as much as the largest. */
static uint64_t amount_of(int64_t by) {
	if (by >= 0) {
		return (uint64_t)by;
	}
	return by < -INT64_MAX ? INT64_MAX : (uint64_t)-by;
}

/* Says whether the number was within 0 and INT64_MAX before and after. For after a wrap it is less than was added. */
static bool is_in_range(int64_t by, uint64_t amount, uint64_t reached) {
	if (by >= 0) {
		return reached <= INT64_MAX && reached >= amount;
	}
	return reached <= INT64_MAX - amount;
}

/* Undoes a count by K3. One is accepted when what was stored just before and just after it was within 0 and
 * INT64_MAX; anything else is undone, always by adding up to 2^64. Additions commute and none stops at 0, and a
 * decrement that is undone has not stopped there either. So whatever is counted meanwhile, and in whatever
 * order all is undone, in the end it is as if what was refused had never come: the number is the first one
 * and the sum of what was accepted, modulo 2^64.
 *
 * Until then it is stored with what is still to be undone in it. Others may then be refused although there
 * was room. An accepted count can be wrong only where the number looks right in spite of it, because what is
 * to be undone amounts to 2^63 and more (two of INT64_MAX at once; never the small steps of less than a
 * thousand processes) or goes both up and down (both beyond INT64_MAX at the same moment): the sum stays
 * true, but its answer is off by as much, a decrement stops at 0 that much early or late, and the number may
 * end beyond INT64_MAX, where it is refused until it is set or reset. A number that is set, or reset and
 * started anew, in that moment has what was refused taken from it, too. */
static mcp_status undo(const mcp_counter *counter, int64_t by, uint64_t amount) {
	uint64_t ignored;
	mcp_status status =
		mcp_store_increment(counter->store, counter->key, by < 0 ? amount : 0 - amount, &ignored);
	return mcp_status_is_failure(status) ? MCP_UNKNOWN : MCP_OUT_OF_RANGE;
}

mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number) {
	uint64_t amount = amount_of(by);
	uint64_t reached;
	mcp_status status = by < 0
		? mcp_store_decrement(counter->store, counter->key, amount, &reached)
		: mcp_store_increment(counter->store, counter->key, amount, &reached);
	return status == MCP_OK ? mcp_counter_accept(counter, by, reached, number) : status;
}

mcp_status mcp_counter_accept(const mcp_counter *counter, int64_t by, uint64_t reached,
	int64_t *number) {
	uint64_t amount = amount_of(by);
	if (!is_in_range(by, amount, reached)) {
		return undo(counter, by, amount);
	}
	*number = (int64_t)reached;
	return MCP_OK;
}

/* The digits of a record, which points into them. */
typedef struct number_record {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record;
} number_record;

static void compose(const mcp_counter *counter, number_record *out, int64_t number) {
	size_t length = mcp_decimal_format_i64(number, out->digits);
	out->record = (mcp_record){
		.body = mcp_bytes_of(out->digits, length),
		.ttl_ms = counter->ttl_ms,
	};
}

static mcp_status create(const mcp_counter *counter, int64_t initial, int64_t by, int64_t *number) {
	int64_t first;
	if (!mcp_decimal_add(initial, by, &first)) {
		return MCP_OUT_OF_RANGE;
	}
	if (first < 0) {
		first = 0;
	}
	number_record written;
	compose(counter, &written, first);
	mcp_status status = mcp_store_add(counter->store, counter->key, &written.record);
	if (status == MCP_OK) {
		*number = first;
	}
	return status;
}

mcp_status mcp_counter_start(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number) {
	for (int round = 0; round < ROUNDS_MAX; round++) {
		mcp_status status = mcp_counter_add(counter, by, number);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		status = create(counter, initial, by, number);
		if (status != MCP_NOT_STORED) {
			return status;
		}
	}
	return MCP_REFUSED;
}

mcp_status mcp_counter_read(const mcp_counter *counter, int64_t *number) {
	mcp_item item;
	mcp_status status = mcp_store_get(counter->store, counter->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	return mcp_counter_parse(&item, number);
}

mcp_status mcp_counter_parse(const mcp_item *item, int64_t *number) {
	uint64_t stored;
	if (!mcp_decimal_parse_u64(item->value, &stored)) {
		return MCP_NOT_A_NUMBER;
	}
	if (stored > INT64_MAX) {
		return MCP_OUT_OF_RANGE;
	}
	*number = (int64_t)stored;
	return MCP_OK;
}

mcp_status mcp_counter_set(const mcp_counter *counter, int64_t number) {
	number_record written;
	compose(counter, &written, number);
	return mcp_store_set(counter->store, counter->key, &written.record);
}

mcp_status mcp_counter_reset(const mcp_counter *counter) {
	mcp_status status = mcp_store_delete(counter->store, counter->key);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_counter_give_back(const mcp_counter *counter, int64_t initial, int64_t taken) {
	int64_t number;
	if (taken == 0) {
		return MCP_OK;
	}
	mcp_store_bypass_breaker(counter->store, counter->key, MCP_BYPASS_TO_RELEASE);
	return mcp_counter_start(counter, initial, taken, &number);
}
