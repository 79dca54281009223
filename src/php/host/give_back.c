/* Keeps the request's list of held claims and locks. Intrusive and doubly linked: registering does not
 * allocate, and removal takes constant time. */
/* SPDX-License-Identifier: MIT */
#include "give_back.h"

#include "../engine/bailout.h"
#include "environment.h"
#include "php_mcpatterns.h"
#include "process.h"

/* Sufficient for the default timeouts of two servers. */
#define WAIT_MAX_MS 1000
/* A release that took longer than this has waited for a server. */
#define PROMPT_MS 50

void php_mcp_give_back_register(mcp_give_back *node, mcp_give_back_function give_back) {
	if (node->give_back == NULL) {
		node->previous = NULL;
		node->next = MCP_REQUEST(held);
		if (node->next != NULL) {
			node->next->previous = node;
		}
		MCP_REQUEST(held) = node;
	}
	node->give_back = give_back;
	node->pid = php_mcp_process_id();
}

void php_mcp_give_back_unregister(mcp_give_back *node) {
	if (node->give_back == NULL) {
		return;
	}
	if (node->previous != NULL) {
		node->previous->next = node->next;
	} else {
		MCP_REQUEST(held) = node->next;
	}
	if (node->next != NULL) {
		node->next->previous = node->previous;
	}
	*node = (mcp_give_back){0};
}

static uint64_t now_ms(void) {
	return php_mcp_environment_measure_ns() / 1000000;
}

static bool is_shutting_down(void) {
	return (EG(flags) & EG_FLAGS_IN_SHUTDOWN) != 0;
}

void php_mcp_give_back_now(mcp_give_back *node) {
	bool may_wait = node->is_lost_otherwise || MCP_REQUEST(waited_to_give_back_ms) < WAIT_MAX_MS;
	bool is_ours = node->give_back != NULL && node->pid == php_mcp_process_id();
	mcp_give_back_function give_back = node->give_back;
	php_mcp_give_back_unregister(node);
	if (!is_ours || !may_wait) {
		return;
	}
	uint64_t began_ms = now_ms();
	give_back(node);
	if (UNEXPECTED(php_mcp_bailout_is_noted()) && EG(current_execute_data) != NULL) {
		/* The node's memory is not freed, because the code that would free it was skipped. */
		php_mcp_give_back_register(node, give_back);
		php_mcp_bailout_raise();
	}
	uint64_t lasted_ms = now_ms() - began_ms;
	if (lasted_ms > PROMPT_MS && (is_shutting_down() || MCP_REQUEST(is_between_requests))) {
		MCP_REQUEST(waited_to_give_back_ms) += lasted_ms;
	}
}

void php_mcp_give_back_all(void) {
	mcp_give_back *node;
	while ((node = MCP_REQUEST(held)) != NULL) {
		php_mcp_give_back_now(node);
	}
}

void php_mcp_give_back_lift_limit(void) {
	if (MCP_REQUEST(held) != NULL || MCP_G(connections).tls_count > 0) {
		MCP_REQUEST(memory_limit_is_lifted) = true;
		php_mcp_bailout_lift_limit();
	}
}

void php_mcp_give_back_restore_limit(void) {
	if (MCP_REQUEST(memory_limit_is_lifted)) {
		MCP_REQUEST(memory_limit_is_lifted) = false;
		php_mcp_bailout_restore_limit();
	}
}

/* Restart the time limit, so that the wait of one request does not shorten the wait of the next request. */
static void begin_to_wait(bool is_between) {
	MCP_REQUEST(is_between_requests) = is_between;
	if (!is_shutting_down()) {
		MCP_REQUEST(waited_to_give_back_ms) = 0;
	}
}

void php_mcp_give_back_between(void) {
	begin_to_wait(true);
	mcp_give_back *node = MCP_REQUEST(held);
	while (node != NULL) {
		mcp_give_back *next = node->next;
		if (!node->is_a_calls) {
			php_mcp_give_back_now(node);
		}
		node = next;
	}
	begin_to_wait(false);
}
