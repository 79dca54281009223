/* MD5 (RFC 1321) with 64 unrolled steps, which take a third of the instructions of a loop over tables. */
/* SPDX-License-Identifier: MIT */
#include "md5.h"

#include "bytes.h"

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

/* Steps with the RFC's functions F, G, H and I. `added`: message word plus constant. */
static inline uint32_t f(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t added,
	unsigned by) {
	return b + rotate(a + (d ^ (b & (c ^ d))) + added, by);
}

static inline uint32_t g(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t added,
	unsigned by) {
	return b + rotate(a + (c ^ (d & (b ^ c))) + added, by);
}

static inline uint32_t h(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t added,
	unsigned by) {
	return b + rotate(a + (b ^ c ^ d) + added, by);
}

static inline uint32_t i(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t added,
	unsigned by) {
	return b + rotate(a + (c ^ (b | ~d)) + added, by);
}

static inline state round_f(state s, const uint32_t m[BLOCK_WORDS]) {
	s.a = f(s.a, s.b, s.c, s.d, m[0] + 0xd76aa478, 7);
	s.d = f(s.d, s.a, s.b, s.c, m[1] + 0xe8c7b756, 12);
	s.c = f(s.c, s.d, s.a, s.b, m[2] + 0x242070db, 17);
	s.b = f(s.b, s.c, s.d, s.a, m[3] + 0xc1bdceee, 22);
	s.a = f(s.a, s.b, s.c, s.d, m[4] + 0xf57c0faf, 7);
	s.d = f(s.d, s.a, s.b, s.c, m[5] + 0x4787c62a, 12);
	s.c = f(s.c, s.d, s.a, s.b, m[6] + 0xa8304613, 17);
	s.b = f(s.b, s.c, s.d, s.a, m[7] + 0xfd469501, 22);
	s.a = f(s.a, s.b, s.c, s.d, m[8] + 0x698098d8, 7);
	s.d = f(s.d, s.a, s.b, s.c, m[9] + 0x8b44f7af, 12);
	s.c = f(s.c, s.d, s.a, s.b, m[10] + 0xffff5bb1, 17);
	s.b = f(s.b, s.c, s.d, s.a, m[11] + 0x895cd7be, 22);
	s.a = f(s.a, s.b, s.c, s.d, m[12] + 0x6b901122, 7);
	s.d = f(s.d, s.a, s.b, s.c, m[13] + 0xfd987193, 12);
	s.c = f(s.c, s.d, s.a, s.b, m[14] + 0xa679438e, 17);
	s.b = f(s.b, s.c, s.d, s.a, m[15] + 0x49b40821, 22);
	return s;
}

static inline state round_g(state s, const uint32_t m[BLOCK_WORDS]) {
	s.a = g(s.a, s.b, s.c, s.d, m[1] + 0xf61e2562, 5);
	s.d = g(s.d, s.a, s.b, s.c, m[6] + 0xc040b340, 9);
	s.c = g(s.c, s.d, s.a, s.b, m[11] + 0x265e5a51, 14);
	s.b = g(s.b, s.c, s.d, s.a, m[0] + 0xe9b6c7aa, 20);
	s.a = g(s.a, s.b, s.c, s.d, m[5] + 0xd62f105d, 5);
	s.d = g(s.d, s.a, s.b, s.c, m[10] + 0x02441453, 9);
	s.c = g(s.c, s.d, s.a, s.b, m[15] + 0xd8a1e681, 14);
	s.b = g(s.b, s.c, s.d, s.a, m[4] + 0xe7d3fbc8, 20);
	s.a = g(s.a, s.b, s.c, s.d, m[9] + 0x21e1cde6, 5);
	s.d = g(s.d, s.a, s.b, s.c, m[14] + 0xc33707d6, 9);
	s.c = g(s.c, s.d, s.a, s.b, m[3] + 0xf4d50d87, 14);
	s.b = g(s.b, s.c, s.d, s.a, m[8] + 0x455a14ed, 20);
	s.a = g(s.a, s.b, s.c, s.d, m[13] + 0xa9e3e905, 5);
	s.d = g(s.d, s.a, s.b, s.c, m[2] + 0xfcefa3f8, 9);
	s.c = g(s.c, s.d, s.a, s.b, m[7] + 0x676f02d9, 14);
	s.b = g(s.b, s.c, s.d, s.a, m[12] + 0x8d2a4c8a, 20);
	return s;
}

static inline state round_h(state s, const uint32_t m[BLOCK_WORDS]) {
	s.a = h(s.a, s.b, s.c, s.d, m[5] + 0xfffa3942, 4);
	s.d = h(s.d, s.a, s.b, s.c, m[8] + 0x8771f681, 11);
	s.c = h(s.c, s.d, s.a, s.b, m[11] + 0x6d9d6122, 16);
	s.b = h(s.b, s.c, s.d, s.a, m[14] + 0xfde5380c, 23);
	s.a = h(s.a, s.b, s.c, s.d, m[1] + 0xa4beea44, 4);
	s.d = h(s.d, s.a, s.b, s.c, m[4] + 0x4bdecfa9, 11);
	s.c = h(s.c, s.d, s.a, s.b, m[7] + 0xf6bb4b60, 16);
	s.b = h(s.b, s.c, s.d, s.a, m[10] + 0xbebfbc70, 23);
	s.a = h(s.a, s.b, s.c, s.d, m[13] + 0x289b7ec6, 4);
	s.d = h(s.d, s.a, s.b, s.c, m[0] + 0xeaa127fa, 11);
	s.c = h(s.c, s.d, s.a, s.b, m[3] + 0xd4ef3085, 16);
	s.b = h(s.b, s.c, s.d, s.a, m[6] + 0x04881d05, 23);
	s.a = h(s.a, s.b, s.c, s.d, m[9] + 0xd9d4d039, 4);
	s.d = h(s.d, s.a, s.b, s.c, m[12] + 0xe6db99e5, 11);
	s.c = h(s.c, s.d, s.a, s.b, m[15] + 0x1fa27cf8, 16);
	s.b = h(s.b, s.c, s.d, s.a, m[2] + 0xc4ac5665, 23);
	return s;
}

static inline state round_i(state s, const uint32_t m[BLOCK_WORDS]) {
	s.a = i(s.a, s.b, s.c, s.d, m[0] + 0xf4292244, 6);
	s.d = i(s.d, s.a, s.b, s.c, m[7] + 0x432aff97, 10);
	s.c = i(s.c, s.d, s.a, s.b, m[14] + 0xab9423a7, 15);
	s.b = i(s.b, s.c, s.d, s.a, m[5] + 0xfc93a039, 21);
	s.a = i(s.a, s.b, s.c, s.d, m[12] + 0x655b59c3, 6);
	s.d = i(s.d, s.a, s.b, s.c, m[3] + 0x8f0ccc92, 10);
	s.c = i(s.c, s.d, s.a, s.b, m[10] + 0xffeff47d, 15);
	s.b = i(s.b, s.c, s.d, s.a, m[1] + 0x85845dd1, 21);
	s.a = i(s.a, s.b, s.c, s.d, m[8] + 0x6fa87e4f, 6);
	s.d = i(s.d, s.a, s.b, s.c, m[15] + 0xfe2ce6e0, 10);
	s.c = i(s.c, s.d, s.a, s.b, m[6] + 0xa3014314, 15);
	s.b = i(s.b, s.c, s.d, s.a, m[13] + 0x4e0811a1, 21);
	s.a = i(s.a, s.b, s.c, s.d, m[4] + 0xf7537e82, 6);
	s.d = i(s.d, s.a, s.b, s.c, m[11] + 0xbd3af235, 10);
	s.c = i(s.c, s.d, s.a, s.b, m[2] + 0x2ad7d2bb, 15);
	s.b = i(s.b, s.c, s.d, s.a, m[9] + 0xeb86d391, 21);
	return s;
}

static state digest_block(state before, const unsigned char *block) {
	uint32_t words[BLOCK_WORDS];
	for (unsigned at = 0; at < BLOCK_WORDS; at++) {
		words[at] = mcp_load_u32(block + 4 * at);
	}
	state s = round_i(round_h(round_g(round_f(before, words), words), words), words);
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
