/* A text contains its key and writer, an empty value its writer in unused flag bits, and numbers are far apart.
 * Parts that do not match are broken, and no client may ever see them. */
/* SPDX-License-Identifier: MIT */
#include "cache/values.h"

#include "../../../src/core/bytes.h"
#include "core/envelope/value_flags.h"

#include <stdio.h>

enum {
	WRITER_SHIFT = 7,  /* in the flags */
	NUMBER_SHIFT = 44, /* increments sum up to less than half the distance of 2 numbers */
};

sim_value sim_value_make(sim_value_kind kind, unsigned entry, int64_t number) {
	sim_value value = {.kind = kind, .id = (uint16_t)entry};
	if (kind == SIM_INTEGER) {
		value.number =
			(int64_t)(((uint64_t)entry + 1) << NUMBER_SHIFT | (uint64_t)1 << (NUMBER_SHIFT - 1));
	} else if (kind == SIM_NUMBER) {
		value.number = number;
	}
	return value;
}

sim_payload sim_value_encode(const sim_value *value, unsigned key) {
	sim_payload payload = {.flags = (uint32_t)value->id << WRITER_SHIFT};
	if (sim_value_is_number(value)) {
		payload.flags = MCP_VALUE_INT;
		payload.length = mcp_decimal_format_i64(value->number, payload.bytes);
	} else if (value->kind == SIM_TEXT) {
		payload.bytes[0] = 'k';
		size_t length = 1 + mcp_decimal_format_u64(key, payload.bytes + 1);
		payload.bytes[length++] = '-';
		payload.length = length + mcp_decimal_format_u64(value->id, payload.bytes + length);
	}
	return payload;
}

static sim_value broken(void) {
	return (sim_value){.kind = SIM_TEXT, .is_broken = true};
}

sim_value sim_value_decode(mcp_bytes bytes, uint32_t flags, unsigned key) {
	sim_value value = {.kind = bytes.length > 0 ? SIM_TEXT : SIM_EMPTY};
	if (mcp_value_flags_are_integer(flags)) {
		value.kind = SIM_INTEGER;
		return mcp_decimal_parse_i64(bytes, &value.number) ? value : broken();
	}
	value.id = (uint16_t)(flags >> WRITER_SHIFT);
	sim_payload expected = sim_value_encode(&value, key);
	bool is_whole = expected.flags == flags &&
		mcp_bytes_equal(bytes, mcp_bytes_of(expected.bytes, expected.length));
	return is_whole ? value : broken();
}

int64_t sim_value_writer(const sim_value *number) {
	return number->number >> NUMBER_SHIFT;
}

bool sim_value_equals(const sim_value *a, const sim_value *b) {
	if (a->is_broken || b->is_broken) {
		return false;
	}
	if (sim_value_is_number(a) || sim_value_is_number(b)) {
		return sim_value_is_number(a) && sim_value_is_number(b) && a->number == b->number;
	}
	return a->kind == b->kind && a->id == b->id;
}

void sim_value_describe(const sim_value *value, char *out, size_t size) {
	if (value->is_broken) {
		snprintf(out, size, "something nobody wrote");
	} else if (sim_value_is_number(value)) {
		snprintf(out, size, "%lld", (long long)value->number);
	} else {
		snprintf(out, size, "%s #%u", value->kind == SIM_EMPTY ? "empty" : "text",
			(unsigned)value->id);
	}
}
