/* Decimal numbers in the format of memcached and PHP: parsing, formatting and addition with overflow check. */
/* SPDX-License-Identifier: MIT */
#include "bytes.h"

#include <stdint.h>

mcp_bytes mcp_decimal_trim(mcp_bytes text) {
	while (text.length > 0 && text.data[text.length - 1] == ' ') {
		text.length--;
	}
	return text;
}

/* Any number with this many digits fits in 64 bits. */
#define DIGITS_THAT_FIT 19

/* Read the digits from `at`, beyond those that fit; `sum` is the value of the previous digits. */
static MCP_SELDOM const char *scan_beyond(const char *start, const char *at, const char *end,
	uint64_t sum, uint64_t *number) {
	for (; at < end && mcp_is_digit(*at); at++) {
		unsigned digit = (unsigned)(*at - '0');
		if (sum > (UINT64_MAX - digit) / 10) {
			return start;
		}
		sum = sum * 10 + digit;
	}
	*number = sum;
	return at;
}

/* Optimized for few digits with enough bytes after them. The number in two words (16 digits) always fits. */
const char *mcp_decimal_scan_u64(const char *start, const char *end, uint64_t *number) {
	const char *at = start;
	uint64_t sum = 0;
	if (end - at >= MCP_DIGITS_READ) {
		mcp_digits few = mcp_digits_read(at);
		sum = few.number;
		at += few.count;
		if (few.count < MCP_DIGITS_READ) {
			*number = sum;
			return at;
		}
		if (end - at >= MCP_DIGITS_READ) {
			few = mcp_digits_read(at);
			sum = mcp_digits_append(sum, few);
			at += few.count;
		}
	}
	const char *fits = end - start > DIGITS_THAT_FIT ? start + DIGITS_THAT_FIT : end;
	for (; at < fits && mcp_is_digit(*at); at++) {
		sum = sum * 10 + (unsigned)(*at - '0');
	}
	*number = sum;
	return at < fits || at == end ? at : scan_beyond(start, at, end, sum, number);
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

/* Two digits at a time need half the divisions. */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

#define TEN_TO_4 10000u
#define TEN_TO_8 100000000u

/* Write a number below 100 as two digits. */
static inline char *write_two(uint32_t number, char *to) {
	memcpy(to, pairs + 2 * number, 2);
	return to + 2;
}

static inline char *write_four(uint32_t number, char *to) {
	return write_two(number % 100, write_two(number / 100, to));
}

static inline char *write_eight(uint32_t number, char *to) {
	return write_four(number % TEN_TO_4, write_four(number / TEN_TO_4, to));
}

/* Write a number below 10,000 without leading zeros. */
static inline char *write_at_most_four(uint32_t number, char *to) {
	uint32_t high = number / 100;
	if (high == 0) {
		high = number;
	}
	if (high < 10) {
		*to++ = (char)('0' + high);
	} else {
		to = write_two(high, to);
	}
	return number < 100 ? to : write_two(number % 100, to);
}

/* Write a number below 10^8 without leading zeros. */
static inline char *write_at_most_eight(uint32_t number, char *to) {
	if (number < TEN_TO_4) {
		return write_at_most_four(number, to);
	}
	return write_four(number % TEN_TO_4, write_at_most_four(number / TEN_TO_4, to));
}

static char *write_many(uint64_t number, char *to) {
	uint64_t high = number / TEN_TO_8;
	to = high < TEN_TO_8 ? write_at_most_eight((uint32_t)high, to) : write_many(high, to);
	return write_eight((uint32_t)(number % TEN_TO_8), to);
}

size_t mcp_decimal_format_u64(uint64_t number, char *out) {
	char *end =
		number < TEN_TO_8 ? write_at_most_eight((uint32_t)number, out) : write_many(number, out);
	return (size_t)(end - out);
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
