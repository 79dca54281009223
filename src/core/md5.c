/* MD5 (RFC 1321) with 64 unrolled steps, which take a third of the instructions of a loop over tables. */
/* SPDX-License-Identifier: MIT */
#include "md5.h"

#include "bytes.h"
#include "compiler.h"

#include <string.h>

#define BLOCK_LENGTH 64
#define BLOCK_WORDS 16
/* Padding: a byte of 0x80, zeros, and the length in bits. */
#define LENGTH_LENGTH 8
#define ONE_BLOCK_MAX (BLOCK_LENGTH - LENGTH_LENGTH - 1)

typedef struct state {
	uint32_t a, b, c, d;
} state;

static const state beginning = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

static inline uint32_t rotate(uint32_t word, unsigned by) {
	return word << by | word >> (32 - by);
}

/* The RFC's functions. */
typedef uint32_t mix(uint32_t b, uint32_t c, uint32_t d);

static inline uint32_t f(uint32_t b, uint32_t c, uint32_t d) {
	return d ^ (b & (c ^ d));
}

static inline uint32_t g(uint32_t b, uint32_t c, uint32_t d) {
	return c ^ (d & (b ^ c));
}

static inline uint32_t h(uint32_t b, uint32_t c, uint32_t d) {
	return b ^ c ^ d;
}

static inline uint32_t i(uint32_t b, uint32_t c, uint32_t d) {
	return c ^ (b | ~d);
}

/* Four steps. `left`: the rotations, a byte each. The others: message words plus constants. */
MCP_INLINED state steps(state s, mix *of, uint32_t left, uint32_t a, uint32_t d, uint32_t c,
	uint32_t b) {
	s.a = s.b + rotate(s.a + of(s.b, s.c, s.d) + a, left >> 24);
	s.d = s.a + rotate(s.d + of(s.a, s.b, s.c) + d, left >> 16 & 31);
	s.c = s.d + rotate(s.c + of(s.d, s.a, s.b) + c, left >> 8 & 31);
	s.b = s.c + rotate(s.b + of(s.c, s.d, s.a) + b, left & 31);
	return s;
}

static state digest_block(state before, const unsigned char *block) {
	uint32_t m[BLOCK_WORDS];
	for (unsigned at = 0; at < BLOCK_WORDS; at++) {
		m[at] = mcp_load_u32(block + 4 * at);
	}
	state s = before;
	s = steps(s, f, 0x070c1116, m[0] + 0xd76aa478, m[1] + 0xe8c7b756, m[2] + 0x242070db,
		m[3] + 0xc1bdceee);
	s = steps(s, f, 0x070c1116, m[4] + 0xf57c0faf, m[5] + 0x4787c62a, m[6] + 0xa8304613,
		m[7] + 0xfd469501);
	s = steps(s, f, 0x070c1116, m[8] + 0x698098d8, m[9] + 0x8b44f7af, m[10] + 0xffff5bb1,
		m[11] + 0x895cd7be);
	s = steps(s, f, 0x070c1116, m[12] + 0x6b901122, m[13] + 0xfd987193, m[14] + 0xa679438e,
		m[15] + 0x49b40821);
	s = steps(s, g, 0x05090e14, m[1] + 0xf61e2562, m[6] + 0xc040b340, m[11] + 0x265e5a51,
		m[0] + 0xe9b6c7aa);
	s = steps(s, g, 0x05090e14, m[5] + 0xd62f105d, m[10] + 0x02441453, m[15] + 0xd8a1e681,
		m[4] + 0xe7d3fbc8);
	s = steps(s, g, 0x05090e14, m[9] + 0x21e1cde6, m[14] + 0xc33707d6, m[3] + 0xf4d50d87,
		m[8] + 0x455a14ed);
	s = steps(s, g, 0x05090e14, m[13] + 0xa9e3e905, m[2] + 0xfcefa3f8, m[7] + 0x676f02d9,
		m[12] + 0x8d2a4c8a);
	s = steps(s, h, 0x040b1017, m[5] + 0xfffa3942, m[8] + 0x8771f681, m[11] + 0x6d9d6122,
		m[14] + 0xfde5380c);
	s = steps(s, h, 0x040b1017, m[1] + 0xa4beea44, m[4] + 0x4bdecfa9, m[7] + 0xf6bb4b60,
		m[10] + 0xbebfbc70);
	s = steps(s, h, 0x040b1017, m[13] + 0x289b7ec6, m[0] + 0xeaa127fa, m[3] + 0xd4ef3085,
		m[6] + 0x04881d05);
	s = steps(s, h, 0x040b1017, m[9] + 0xd9d4d039, m[12] + 0xe6db99e5, m[15] + 0x1fa27cf8,
		m[2] + 0xc4ac5665);
	s = steps(s, i, 0x060a0f15, m[0] + 0xf4292244, m[7] + 0x432aff97, m[14] + 0xab9423a7,
		m[5] + 0xfc93a039);
	s = steps(s, i, 0x060a0f15, m[12] + 0x655b59c3, m[3] + 0x8f0ccc92, m[10] + 0xffeff47d,
		m[1] + 0x85845dd1);
	s = steps(s, i, 0x060a0f15, m[8] + 0x6fa87e4f, m[15] + 0xfe2ce6e0, m[6] + 0xa3014314,
		m[13] + 0x4e0811a1);
	s = steps(s, i, 0x060a0f15, m[4] + 0xf7537e82, m[11] + 0xbd3af235, m[2] + 0x2ad7d2bb,
		m[9] + 0xeb86d391);
	return (state){before.a + s.a, before.b + s.b, before.c + s.c, before.d + s.d};
}

/* Digest the rest of a message of `length` bytes after its whole blocks. */
static state digest_end(state s, const char *rest, size_t left, size_t length) {
	unsigned char end[2 * BLOCK_LENGTH] = {0};
	size_t padded = left <= ONE_BLOCK_MAX ? BLOCK_LENGTH : 2 * BLOCK_LENGTH;
	if (left > 0) {
		memcpy(end, rest, left);
	}
	end[left] = 0x80;
	mcp_store_u64(end + padded - LENGTH_LENGTH, (uint64_t)length << 3);
	s = digest_block(s, end);
	return padded == BLOCK_LENGTH ? s : digest_block(s, end + BLOCK_LENGTH);
}

static state digest(mcp_bytes message) {
	state s = beginning;
	size_t done = 0;
	for (; message.length - done >= BLOCK_LENGTH; done += BLOCK_LENGTH) {
		s = digest_block(s, (const unsigned char *)message.data + done);
	}
	const char *rest = done > 0 ? message.data + done : message.data; /* can be NULL */
	return digest_end(s, rest, message.length - done, message.length);
}

void mcp_md5(mcp_bytes message, uint32_t words[MCP_MD5_WORDS]) {
	state s = digest(message);
	words[0] = s.a;
	words[1] = s.b;
	words[2] = s.c;
	words[3] = s.d;
}
