/* Samples of envelopes, for the tests of what is written and read and of what is refused. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_SAMPLES_H
#define MCP_TESTS_SAMPLES_H

#include "../../src/core/envelope/envelope.h"

#define FINGERPRINT 0x636FE0779A486D8Dull
#define FLAGS MCP_FLAG_ENVELOPE
#define PAYLOAD_LENGTH 5

typedef struct samples_item {
	char bytes[MCP_ENVELOPE_MAX_LENGTH + PAYLOAD_LENGTH];
	size_t length;
} samples_item;

mcp_envelope samples_fresh(void);
/* Makes an envelope with a counter, a claim and a failure. */
mcp_envelope samples_full(void);
/* Makes one with a signature and two tags as well. */
mcp_envelope samples_tagged(void);
mcp_envelope samples_endless(void);
mcp_envelope samples_placeholder(void);

/* Stores the envelope before the first bytes of "hello". */
samples_item samples_store(const mcp_envelope *envelope, size_t payload_length);

/* Decodes from a heap block of exactly this length, so that a sanitizer sees every byte read beyond it. */
bool samples_decode(const char *bytes, size_t length, mcp_envelope *envelope, mcp_bytes *payload);

bool samples_are_read(const mcp_envelope *envelope, size_t payload_length);

/* Counts the fields of the layout that differ; the state bits are one. */
int samples_differences(const mcp_envelope *a, const mcp_envelope *b);

#endif
