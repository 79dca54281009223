/* A mistake quotes what is printable, and no more than a line of it. */
/* SPDX-License-Identifier: MIT */
#include "server_text.h"

#define QUOTED_MAX 100

zend_string *php_mcp_server_text_mistake(const char *format, mcp_bytes part) {
	char quoted[QUOTED_MAX + 4];
	size_t length = part.length < QUOTED_MAX ? part.length : QUOTED_MAX;
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)part.data[i];
		quoted[i] = byte < 0x20 || byte == 0x7f ? '?' : part.data[i];
	}
	strcpy(quoted + length, length < part.length ? "..." : "");
	return zend_strpprintf(0, format, quoted);
}
