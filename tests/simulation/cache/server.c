/* The semantics of memcached, from protocol.txt and measurements: replies, items, and changes of the CAS value.
 * Items never expire early. */
/* SPDX-License-Identifier: MIT */
#include "cache/server.h"

#include "../../../src/core/bytes.h"

#include <stdlib.h>

void sim_item_copy(sim_item *to, const sim_item *from) {
	to->is_present = from->is_present;
	to->length = from->length;
	to->flags = from->flags;
	to->cas = from->cas;
	to->expires_ms = from->expires_ms;
	to->stored_ms = from->stored_ms;
	memcpy(to->bytes, from->bytes, from->length);
}

static uint64_t end_of(uint64_t ttl_ms, const sim_moment *moment) {
	return ttl_ms == 0 ? 0 : moment->now_ms + ttl_ms + moment->slack_ms;
}

static void store(sim_item *item, const sim_request *request, const sim_moment *moment) {
	item->is_present = true;
	item->length = request->length;
	item->flags = request->flags;
	item->cas = moment->cas_id;
	item->expires_ms = end_of(request->ttl_ms, moment);
	item->stored_ms = moment->now_ms;
	memcpy(item->bytes, request->bytes, request->length);
}

static mcp_status prepend(sim_item *item, const sim_request *request, const sim_moment *moment) {
	size_t length = (size_t)item->length + request->length;
	if (!item->is_present || length > SIM_VALUE_MAX) {
		return MCP_NOT_STORED;
	}
	memmove(item->bytes + request->length, item->bytes, item->length);
	memcpy(item->bytes, request->bytes, request->length);
	item->length = (uint16_t)length;
	item->cas = moment->cas_id;
	return MCP_OK;
}

static mcp_status append(sim_item *item, const sim_request *request, const sim_moment *moment) {
	size_t length = (size_t)item->length + request->length;
	if (!item->is_present || length > SIM_VALUE_MAX) {
		return MCP_NOT_STORED;
	}
	memcpy(item->bytes + item->length, request->bytes, request->length);
	item->length = (uint16_t)length;
	item->cas = moment->cas_id;
	return MCP_OK;
}

static mcp_status compare(const sim_item *item, uint64_t cas) {
	if (!item->is_present) {
		return MCP_NOT_FOUND;
	}
	return item->cas == cas ? MCP_OK : MCP_EXISTS;
}

/* Parses digits, and the spaces that an earlier decr can have appended. */
static bool parse(const sim_item *item, uint64_t *number) {
	uint64_t sum = 0;
	size_t i = 0;
	for (; i < item->length && item->bytes[i] >= '0' && item->bytes[i] <= '9'; i++) {
		sum = sum * 10 + (uint64_t)(item->bytes[i] - '0');
	}
	size_t digits = i;
	while (i < item->length && item->bytes[i] == ' ') {
		i++;
	}
	*number = sum;
	return digits > 0 && i == item->length;
}

static mcp_status count(sim_item *item, const sim_request *request, const sim_moment *moment,
	uint64_t *number) {
	if (!item->is_present) {
		return MCP_NOT_FOUND;
	}
	uint64_t sum;
	if (!parse(item, &sum)) {
		return MCP_NOT_A_NUMBER;
	}
	if (request->verb == SIM_INCREMENT) {
		sum += request->amount;
	} else {
		sum = sum > request->amount ? sum - request->amount : 0;
	}
	char digits[SIM_VALUE_MAX];
	size_t length = mcp_decimal_format_u64(sum, digits);
	/* decr pads a shorter number. */
	for (; request->verb == SIM_DECREMENT && length < item->length; length++) {
		digits[length] = ' ';
	}
	memcpy(item->bytes, digits, length);
	item->length = (uint16_t)length;
	item->cas = moment->cas_id;
	*number = sum;
	return MCP_OK;
}

void sim_server_execute(sim_server *server, const sim_request *request, const sim_moment *moment,
	sim_answer *answer) {
	sim_item *item = &server->items[request->item];
	switch (request->verb) {
		case SIM_GET:
			answer->status = item->is_present ? MCP_OK : MCP_NOT_FOUND;
			sim_item_copy(&answer->item, item);
			break;
		case SIM_ADD:
			answer->status = item->is_present ? MCP_NOT_STORED : MCP_OK;
			break;
		case SIM_SET:
			answer->status = MCP_OK;
			break;
		case SIM_CAS:
		case SIM_DELETE_IF:
			answer->status = compare(item, request->cas);
			break;
		case SIM_PREPEND:
			answer->status = prepend(item, request, moment);
			return;
		case SIM_APPEND:
			answer->status = append(item, request, moment);
			return;
		case SIM_DELETE:
			answer->status = item->is_present ? MCP_OK : MCP_NOT_FOUND;
			break;
		case SIM_INCREMENT:
		case SIM_DECREMENT:
			answer->status = count(item, request, moment, &answer->number);
			return;
		case SIM_TOUCH:
			answer->status = item->is_present ? MCP_OK : MCP_NOT_FOUND;
			if (answer->status == MCP_OK) {
				item->expires_ms = end_of(request->ttl_ms, moment);
			}
			return;
		default:
			abort();
	}
	if (answer->status != MCP_OK || request->verb == SIM_GET) {
		return;
	}
	if (request->verb == SIM_DELETE || request->verb == SIM_DELETE_IF) {
		item->is_present = false;
		item->length = 0;
	} else {
		store(item, request, moment);
		answer->cas = moment->cas_id;
	}
}

void sim_server_restart(sim_server *server) {
	for (unsigned i = 0; i < SIM_ITEMS_MAX; i++) {
		server->items[i].is_present = false;
		server->items[i].length = 0;
	}
	server->last_cas = 0;
	server->generation++;
}
