/* The number parser of memcached 1.6.18 as it answers on the wire, without strtoull's locale. Every
 * rule here was seen on a real server and is held to it by the conformance suite. */
/* SPDX-License-Identifier: MIT */
#include "memory_number.h"

static bool is_blank(char byte) {
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_digit(char byte) {
	return byte >= '0' && byte <= '9';
}

/* False if there are no digits or they exceed 64 bits; *at then stands anywhere. */
static bool read_digits(mcp_bytes value, size_t *at, uint64_t *number) {
	size_t first = *at;
	*number = 0;
	for (; *at < value.length && is_digit(value.data[*at]); ++*at) {
		uint64_t digit = (uint64_t)(value.data[*at] - '0');
		if (*number > (UINT64_MAX - digit) / 10) {
			return false;
		}
		*number = *number * 10 + digit;
	}
	return *at > first;
}

/* Says whether the server takes it for negative. It looks for a minus sign only when the number would be
 * negative as a signed one, and then everywhere up to a NUL (1.6.38 in the number alone): so
 * "-18446744073709551615" is 1. */
static bool is_negative(mcp_bytes value, uint64_t number) {
	if (number <= INT64_MAX) {
		return false;
	}
	const char *end = memchr(value.data, '\0', value.length);
	size_t length = end == NULL ? value.length : (size_t)(end - value.data);
	return memchr(value.data, '-', length) != NULL;
}

bool mcp_memory_number_parse(mcp_bytes value, uint64_t *number) {
	size_t at = 0;
	while (at < value.length && is_blank(value.data[at])) {
		at++;
	}
	bool has_minus = at < value.length && value.data[at] == '-';
	if (has_minus || (at < value.length && value.data[at] == '+')) {
		at++;
	}
	if (!read_digits(value, &at, number)) {
		return false;
	}
	if (at < value.length && value.data[at] != '\0' && !is_blank(value.data[at])) {
		return false;
	}
	if (has_minus) {
		*number = 0 - *number;
	}
	return !is_negative(value, *number);
}
