/* Packs what is longer than the Pool's limit, and unpacks whatever this build can. */
/* SPDX-License-Identifier: MIT */
#include "session_packing.h"

static mcp_session_packer *packer_of(mcp_session_packing *packing) {
	return (mcp_session_packer *)packing;
}

static mcp_bytes pack(mcp_session_packing *packing, mcp_bytes plain, uint32_t *flags) {
	mcp_session_packer *packer = packer_of(packing);
	const mcp_compressor *compressor = packer->format->compressor;
	*flags = 0;
	if (compressor == NULL || plain.length <= packer->format->compress_above ||
		plain.length > php_mcp_compressors_inflated_max() ||
		!php_mcp_compressors_pack_into(&packer->packed, compressor, plain)) {
		return plain;
	}
	*flags = compressor->flags;
	return mcp_bytes_of(packer->packed.data, packer->packed.length);
}

static mcp_session_kind unpack(mcp_session_packing *packing, mcp_bytes packed, uint32_t flags,
	mcp_bytes *plain) {
	mcp_session_packer *packer = packer_of(packing);
	switch (php_mcp_compressors_unpack_into(&packer->plain, packed, flags)) {
		case MCP_UNPACKED:
			*plain = mcp_bytes_of(packer->plain.data, packer->plain.length);
			return MCP_SESSION_VALUE;
		case MCP_UNPACKED_NOT_HERE:
			return MCP_SESSION_UNREADABLE;
		default:
			return MCP_SESSION_STRANGE;
	}
}

void php_mcp_session_packing_init(mcp_session_packer *packer, const mcp_format *format) {
	*packer = (mcp_session_packer){.packing = {.pack = pack, .unpack = unpack}, .format = format};
}

void php_mcp_session_packing_free(mcp_session_packer *packer) {
	mcp_buffer_free(&packer->packed);
	mcp_buffer_free(&packer->plain);
}
