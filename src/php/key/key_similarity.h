/* The likeness of McPatterns\Key's parameters: all but the types that == overlooks and the order of their
 * lists. It is read off the canonical form, so it runs no user code and touches no user value. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_KEY_LIKENESS_H
#define MCP_PHP_KEY_LIKENESS_H

#include "php.h"
#include "zend_smart_str.h"

#define MCP_LIKENESS_TYPES_MAX 8

/* Zero-initialised, then freed by php_mcp_key_similarity_free. */
typedef struct mcp_key_likeness {
	/* A text that is equal for all parameters that are alike but for what is empty. */
	smart_str form;
	/* A letter for each empty value, in the form's order: == holds between some of them only. */
	smart_str empties;
	/* The first parameters' letters in the canonical form. */
	char types[MCP_LIKENESS_TYPES_MAX + 1];
} mcp_key_likeness;

/* Appends to the likeness; `canonical` is what php_mcp_canonical_append wrote. */
void php_mcp_key_similarity_read(mcp_key_likeness *likeness, const smart_str *canonical);

/* Says whether == holds between the empty values of two likenesses with the same form, one by one. */
bool php_mcp_key_similarity_are_empties_equal(const char *some, const char *others, size_t count);

void php_mcp_key_similarity_free(mcp_key_likeness *likeness);

#endif
