/* SHA-256 blocks with Armv8's cryptographic extension (Arm Architecture Reference Manual for A-profile,
 * SHA256H and related instructions). */
/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#if defined(MCP_SHA256_INSTRUCTIONS) && defined(__aarch64__)

#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>

#define BLOCK_LENGTH 64

typedef struct state {
	uint32x4_t abcd, efgh;
} state;

#ifdef __clang__
#define USES_SHA
#else
#define USES_SHA __attribute__((target("+crypto")))
#endif

/* Four words of the schedule from the previous 16. */
USES_SHA static inline uint32x4_t schedule(uint32x4_t w0, uint32x4_t w4, uint32x4_t w8,
	uint32x4_t w12) {
	return vsha256su1q_u32(vsha256su0q_u32(w0, w4), w8, w12);
}

USES_SHA static inline state four_rounds(state s, uint32x4_t w, const uint32_t *constants) {
	uint32x4_t wk = vaddq_u32(w, vld1q_u32(constants));
	return (state){vsha256hq_u32(s.abcd, s.efgh, wk), vsha256h2q_u32(s.efgh, s.abcd, wk)};
}

USES_SHA static state take(state s, const unsigned char *block) {
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

USES_SHA void mcp_sha256_blocks_by_instructions(uint32_t words[8], const unsigned char *blocks,
	size_t count) {
	state s = {vld1q_u32(words), vld1q_u32(words + 4)};
	for (size_t i = 0; i < count; i++) {
		s = take(s, blocks + BLOCK_LENGTH * i);
	}
	vst1q_u32(words, s.abcd);
	vst1q_u32(words + 4, s.efgh);
}

bool mcp_sha256_asks_processor(void) {
	return (getauxval(AT_HWCAP) & HWCAP_SHA2) != 0;
}

#endif
