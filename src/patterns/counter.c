/* Counts by memcached's own arithmetic and hides its habits: the wrap at 2^64, the padding after a
 * decrement, numbers that PHP has no integer for. */
/* SPDX-License-Identifier: MIT */
#include "counter.h"

#include "../core/decimal.h"

/* Each round means that the number came into being or vanished in between. */
#define ROUNDS_MAX 16

static uint64_t magnitude(int64_t number) {
	return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* Undoes what made a number that PHP has no integer for. After a wrap only adding up to 2^64 leads back. */
static mcp_status take_back(const mcp_counter *counter, int64_t by, uint64_t reached) {
	uint64_t amount = magnitude(by);
	uint64_t ignored;
	mcp_status status;
	if (by < 0) {
		status = mcp_store_increment(counter->store, counter->key, amount, &ignored);
	} else if (reached < amount) {
		status = mcp_store_increment(counter->store, counter->key, 0 - amount, &ignored);
	} else {
		status = mcp_store_decrement(counter->store, counter->key, amount, &ignored);
	}
	return mcp_status_is_failure(status) ? status : MCP_OUT_OF_RANGE;
}

mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number) {
	uint64_t reached;
	mcp_status status = by < 0
		? mcp_store_decrement(counter->store, counter->key, magnitude(by), &reached)
		: mcp_store_increment(counter->store, counter->key, magnitude(by), &reached);
	if (status != MCP_OK) {
		return status;
	}
	if (reached > INT64_MAX || (by > 0 && reached < magnitude(by))) {
		return take_back(counter, by, reached);
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
	uint64_t stored;
	if (!mcp_decimal_parse_u64(item.value, &stored)) {
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

mcp_status mcp_counter_give_back(const mcp_counter *counter, int64_t taken) {
	int64_t number;
	return taken == 0 ? MCP_OK : mcp_counter_start(counter, 0, taken, &number);
}
