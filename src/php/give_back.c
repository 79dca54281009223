/* The per-request list of claims and locks still held, walked when the request ends. Intrusive and
 * doubly linked: registering allocates nothing, and a node leaves in constant time. */
/* SPDX-License-Identifier: MIT */
#include "give_back.h"

#include "php_mcpatterns.h"

#include <unistd.h>

static void link_first(mcp_give_back *node) {
	node->previous = NULL;
	node->next = MCP_G(held);
	if (node->next != NULL) {
		node->next->previous = node;
	}
	MCP_G(held) = node;
}

void mcp_give_back_register(mcp_give_back *node, mcp_give_back_function give_back) {
	if (node->give_back == NULL) {
		link_first(node);
	}
	node->give_back = give_back;
	node->pid = getpid();
}

void mcp_give_back_unregister(mcp_give_back *node) {
	if (node->give_back == NULL) {
		return;
	}
	if (node->previous != NULL) {
		node->previous->next = node->next;
	} else {
		MCP_G(held) = node->next;
	}
	if (node->next != NULL) {
		node->next->previous = node->previous;
	}
	*node = (mcp_give_back){0};
}

bool mcp_give_back_is_ours(const mcp_give_back *node) {
	return node->give_back != NULL && node->pid == getpid();
}

void mcp_give_back_all(void) {
	mcp_give_back *node;
	while ((node = MCP_G(held)) != NULL) {
		bool is_ours = mcp_give_back_is_ours(node);
		mcp_give_back_function give_back = node->give_back;
		mcp_give_back_unregister(node);
		if (is_ours) {
			give_back(node);
		}
	}
}
