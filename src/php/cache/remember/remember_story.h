/* The story that a remember() tells: its computation of what there was, its caller of what is answered (C17). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_STORY_H
#define MCP_PHP_REMEMBER_STORY_H

#include "remembering.h"

/* Says whether the computation is given an Entry: a parameter that must be given, or one whose type is Entry. */
bool php_mcp_remember_story_is_wanted(const mcp_remembering *remembering);

/* Tells what the old value is now, fresh or stale. */
mcp_entry_story php_mcp_remember_story_of_old(const mcp_remembering *remembering);

/* Makes the Entry for the computation: the old value, or a Miss when there is none or it cannot be read; UNDEF
 * when none is wanted. Runs user code. False if that has ended the script. */
bool php_mcp_remember_story_offer(mcp_remembering *remembering, zval *entry);

/* Puts the story of what is answered into the caller's variable, if it gave one. Runs user code: when that throws,
 * the answer is taken back. */
void php_mcp_remember_story_tell(const mcp_remembering *remembering, zval *return_value);

#endif
