/* Of a whole message at once: what is hashed here is a key or a host's name, and mostly one block. */
/* SPDX-License-Identifier: MIT */
#include "md5.h"

#include "little_endian.h"

#include <string.h>

enum { BLOCK = 64, LENGTH_AT = 56, STEPS = 64, STEPS_PER_ROUND = 16 };

/* The whole part of 2^32 times |sin(i + 1)| (RFC 1321, 3.4). */
static const uint32_t table[STEPS] = {
	0xd76aa478,
	0xe8c7b756,
	0x242070db,
	0xc1bdceee,
	0xf57c0faf,
	0x4787c62a,
	0xa8304613,
	0xfd469501,
	0x698098d8,
	0x8b44f7af,
	0xffff5bb1,
	0x895cd7be,
	0x6b901122,
	0xfd987193,
	0xa679438e,
	0x49b40821,
	0xf61e2562,
	0xc040b340,
	0x265e5a51,
	0xe9b6c7aa,
	0xd62f105d,
	0x02441453,
	0xd8a1e681,
	0xe7d3fbc8,
	0x21e1cde6,
	0xc33707d6,
	0xf4d50d87,
	0x455a14ed,
	0xa9e3e905,
	0xfcefa3f8,
	0x676f02d9,
	0x8d2a4c8a,
	0xfffa3942,
	0x8771f681,
	0x6d9d6122,
	0xfde5380c,
	0xa4beea44,
	0x4bdecfa9,
	0xf6bb4b60,
	0xbebfbc70,
	0x289b7ec6,
	0xeaa127fa,
	0xd4ef3085,
	0x04881d05,
	0xd9d4d039,
	0xe6db99e5,
	0x1fa27cf8,
	0xc4ac5665,
	0xf4292244,
	0x432aff97,
	0xab9423a7,
	0xfc93a039,
	0x655b59c3,
	0x8f0ccc92,
	0xffeff47d,
	0x85845dd1,
	0x6fa87e4f,
	0xfe2ce6e0,
	0xa3014314,
	0x4e0811a1,
	0xf7537e82,
	0xbd3af235,
	0x2ad7d2bb,
	0xeb86d391,
};

static const unsigned char rotations[4][4] = {
	{7, 12, 17, 22},
	{5, 9, 14, 20},
	{4, 11, 16, 23},
	{6, 10, 15, 21},
};

static inline uint32_t rotate(uint32_t word, unsigned by) {
	return word << by | word >> (32 - by);
}

/* The round's function of three words, and which word of the block the step takes. */
static inline uint32_t mix(unsigned step, const uint32_t s[4], unsigned *word) {
	switch (step / STEPS_PER_ROUND) {
		case 0:
			*word = step;
			return (s[1] & s[2]) | (~s[1] & s[3]);
		case 1:
			*word = (5 * step + 1) % STEPS_PER_ROUND;
			return (s[1] & s[3]) | (s[2] & ~s[3]);
		case 2:
			*word = (3 * step + 5) % STEPS_PER_ROUND;
			return s[1] ^ s[2] ^ s[3];
		default:
			*word = 7 * step % STEPS_PER_ROUND;
			return s[2] ^ (s[1] | ~s[3]);
	}
}

static void add_block(uint32_t state[4], const unsigned char *block) {
	uint32_t s[4] = {state[0], state[1], state[2], state[3]};
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned word;
		uint32_t sum = s[0] + mix(step, s, &word) + table[step] + mcp_load_u32(block + 4 * word);
		uint32_t turned = rotate(sum, rotations[step / STEPS_PER_ROUND][step % 4]);
		s[0] = s[3];
		s[3] = s[2];
		s[2] = s[1];
		s[1] += turned;
	}
	for (unsigned i = 0; i < 4; i++) {
		state[i] += s[i];
	}
}

/* What is left of the message, a bit, zeroes, and the message's length in bits at a block's end. */
static void add_rest(uint32_t state[4], mcp_bytes rest, uint64_t length) {
	unsigned char last[2 * BLOCK] = {0};
	size_t size = rest.length < LENGTH_AT ? BLOCK : 2 * BLOCK;
	if (rest.length > 0) {
		memcpy(last, rest.data, rest.length);
	}
	last[rest.length] = 0x80;
	mcp_store_u64(last + size - 8, 8 * length);
	for (size_t at = 0; at < size; at += BLOCK) {
		add_block(state, last + at);
	}
}

void mcp_md5(mcp_bytes message, unsigned char digest[MCP_MD5_LENGTH]) {
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	size_t whole = message.length / BLOCK * BLOCK;
	for (size_t at = 0; at < whole; at += BLOCK) {
		add_block(state, (const unsigned char *)message.data + at);
	}
	add_rest(state, mcp_bytes_of(message.data + whole, message.length - whole), message.length);
	for (unsigned i = 0; i < 4; i++) {
		mcp_store_u32(digest + 4 * i, state[i]);
	}
}
