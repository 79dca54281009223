/* Knows which serializers there are, and finds them by their case and by the type in an item's flags. */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

static const mcp_serializer_codec *const codecs[] = {
	[MCP_SERIALIZER_PHP] = &mcp_serializer_php,
};

#define CODEC_COUNT (sizeof(codecs) / sizeof(codecs[0]))

const mcp_serializer_codec *mcp_serializers_get(mcp_serializer which) {
	return codecs[which];
}

const mcp_serializer_codec *mcp_serializers_of_type(uint32_t type) {
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (codecs[i]->type == type) {
			return codecs[i];
		}
	}
	return NULL;
}
