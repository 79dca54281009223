/* Decimal numbers as memcached and PHP write them: parsing, formatting, addition that sees overflow. */
/* SPDX-License-Identifier: MIT */
#include "decimal.h"

mcp_bytes mcp_decimal_trim(mcp_bytes text) {
	while (text.length > 0 && text.data[text.length - 1] == ' ') {
		text.length--;
	}
	return text;
}

/* Any number of so many digits fits in 64 bits. */
#define DIGITS_THAT_FIT 19

static bool is_digit(char letter) {
	return (unsigned char)(letter - '0') <= 9;
}

const char *mcp_decimal_scan_u64(const char *start, const char *end, uint64_t *number) {
	const char *fits = end - start > DIGITS_THAT_FIT ? start + DIGITS_THAT_FIT : end;
	const char *at = start;
	uint64_t sum = 0;
	for (; at < fits && is_digit(*at); at++) {
		sum = sum * 10 + (unsigned)(*at - '0');
	}
	for (; at >= fits && at < end && is_digit(*at); at++) {
		unsigned digit = (unsigned)(*at - '0');
		if (sum > (UINT64_MAX - digit) / 10) {
			return start;
		}
		sum = sum * 10 + digit;
	}
	*number = sum;
	return at;
}

bool mcp_decimal_parse_u64(mcp_bytes text, uint64_t *number) {
	text = mcp_decimal_trim(text);
	if (text.length == 0 || text.length > MCP_DECIMAL_MAX_LENGTH) {
		return false;
	}
	uint64_t sum;
	const char *end = text.data + text.length;
	if (mcp_decimal_scan_u64(text.data, end, &sum) != end) {
		return false;
	}
	*number = sum;
	return true;
}

bool mcp_decimal_parse_i64(mcp_bytes text, int64_t *number) {
	bool is_negative = text.length > 0 && text.data[0] == '-';
	if (is_negative) {
		text = mcp_bytes_of(text.data + 1, text.length - 1);
	}
	uint64_t magnitude;
	if (!mcp_decimal_parse_u64(text, &magnitude)) {
		return false;
	}
	if (!is_negative) {
		*number = (int64_t)magnitude;
		return magnitude <= INT64_MAX;
	}
	if (magnitude == 0 || magnitude > (uint64_t)INT64_MAX + 1) {
		return false;
	}
	*number = (int64_t)(0 - magnitude);
	return true;
}

static inline size_t length_of(uint64_t number) {
	size_t length = 1;
	for (; number >= 1000; number /= 1000) {
		length += 3;
	}
	return length + (number >= 10) + (number >= 100);
}

/* Two digits at a time take half the divisions. */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

size_t mcp_decimal_format_u64(uint64_t number, char *out) {
	size_t length = length_of(number);
	char *end = out + length;
	for (; number >= 100; number /= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (number % 100), 2);
	}
	if (number >= 10) {
		memcpy(out, pairs + 2 * number, 2);
	} else {
		out[0] = (char)('0' + number);
	}
	return length;
}

size_t mcp_decimal_format_i64(int64_t number, char *out) {
	if (number >= 0) {
		return mcp_decimal_format_u64((uint64_t)number, out);
	}
	out[0] = '-';
	return 1 + mcp_decimal_format_u64(0 - (uint64_t)number, out + 1);
}

bool mcp_decimal_add(int64_t a, int64_t b, int64_t *sum) {
	if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
		return false;
	}
	*sum = a + b;
	return true;
}
