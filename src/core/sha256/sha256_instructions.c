/* Processes SHA-256 blocks with the processor's SHA instructions.
 * Intel's SHA extensions: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter "Intel SHA
 * extensions". Available since Goldmont and Ice Lake, and on all AMD Zen.
 * Armv8's cryptographic extension: Arm Architecture Reference Manual for A-profile, SHA256H and related instructions. */
/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#if defined(MCP_SHA256_INSTRUCTIONS)

#ifdef __aarch64__

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

typedef struct state {
	uint32x4_t abcd, efgh;
} state;

#ifdef __clang__
#define USES_SHA
#else
#define USES_SHA __attribute__((target("+crypto")))
#endif

USES_SHA static state load(const uint32_t words[8]) {
	return (state){vld1q_u32(words), vld1q_u32(words + 4)};
}

USES_SHA static void store(uint32_t words[8], state s) {
	vst1q_u32(words, s.abcd);
	vst1q_u32(words + 4, s.efgh);
}

/* Four words of the schedule from the previous 16. */
USES_SHA static inline uint32x4_t schedule(uint32x4_t w0, uint32x4_t w4, uint32x4_t w8,
	uint32x4_t w12) {
	return vsha256su1q_u32(vsha256su0q_u32(w0, w4), w8, w12);
}

USES_SHA static inline state four_rounds(state s, uint32x4_t w, const uint32_t *constants) {
	uint32x4_t wk = vaddq_u32(w, vld1q_u32(constants));
	return (state){vsha256hq_u32(s.abcd, s.efgh, wk), vsha256h2q_u32(s.efgh, s.abcd, wk)};
}

USES_SHA static state take_block(state s, const unsigned char *block) {
	const uint32_t *constants = mcp_sha256_constants;
	const state before = s;
	uint32x4_t w[4];
	for (size_t i = 0; i < 4; i++) {
		w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(block + 16 * i)));
		s = four_rounds(s, w[i], constants + 4 * i);
	}
	for (size_t i = 16; i < 64; i += 16) {
		for (size_t j = 0; j < 4; j++) {
			w[j] = schedule(w[j], w[(j + 1) % 4], w[(j + 2) % 4], w[(j + 3) % 4]);
			s = four_rounds(s, w[j], constants + i + 4 * j);
		}
	}
	return (state){vaddq_u32(s.abcd, before.abcd), vaddq_u32(s.efgh, before.efgh)};
}

bool mcp_sha256_asks_processor(void) {
	return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0;
}

#else

#include <cpuid.h>
#include <immintrin.h>

/* SHA256RNDS2 needs the words a b e f and c d g h, highest first; FIPS orders them from a to h. */
typedef struct state {
	__m128i abef, cdgh;
} state;

#define USES_SHA __attribute__((target("sha,sse4.1")))

USES_SHA static state load(const uint32_t words[8]) {
	__m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)words), 0xB1);
	__m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(words + 4)), 0x1B);
	return (state){_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xF0)};
}

USES_SHA static void store(uint32_t words[8], state s) {
	__m128i feba = _mm_shuffle_epi32(s.abef, 0x1B);
	__m128i dchg = _mm_shuffle_epi32(s.cdgh, 0xB1);
	_mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xF0));
	_mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* Four words of the schedule from the previous 16. */
USES_SHA static inline __m128i schedule(__m128i w0, __m128i w4, __m128i w8, __m128i w12) {
	__m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), _mm_alignr_epi8(w12, w8, 4));
	return _mm_sha256msg2_epu32(sum, w12);
}

USES_SHA static inline state four_rounds(state s, __m128i w, const uint32_t *constants) {
	__m128i wk = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)constants));
	s.cdgh = _mm_sha256rnds2_epu32(s.cdgh, s.abef, wk);
	s.abef = _mm_sha256rnds2_epu32(s.abef, s.cdgh, _mm_shuffle_epi32(wk, 0x0E));
	return s;
}

USES_SHA static state take_block(state s, const unsigned char *block) {
	const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
	const uint32_t *constants = mcp_sha256_constants;
	const state before = s;
	__m128i w[4];
	for (size_t i = 0; i < 4; i++) {
		w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * i)), big_endian);
		s = four_rounds(s, w[i], constants + 4 * i);
	}
	for (size_t i = 16; i < 64; i += 16) {
		for (size_t j = 0; j < 4; j++) {
			w[j] = schedule(w[j], w[(j + 1) % 4], w[(j + 2) % 4], w[(j + 3) % 4]);
			s = four_rounds(s, w[j], constants + i + 4 * j);
		}
	}
	return (state){_mm_add_epi32(s.abef, before.abef), _mm_add_epi32(s.cdgh, before.cdgh)};
}

bool mcp_sha256_asks_processor(void) {
	unsigned a, b, c, d;
	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_1) != 0 &&
		__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}

#endif

USES_SHA void mcp_sha256_blocks_by_instructions(uint32_t words[8], const unsigned char *blocks,
	size_t count) {
	state s = load(words);
	for (size_t i = 0; i < count; i++) {
		s = take_block(s, blocks + MCP_SHA256_BLOCK * i);
	}
	store(words, s);
}

#endif
