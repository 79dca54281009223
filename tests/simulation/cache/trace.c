/* Lines of a trace: calls as the server sees them, with decoded envelopes, and results of operations. */
/* SPDX-License-Identifier: MIT */
#include "cache/trace.h"

#include "cache/judges/checks.h"
#include "cache/client.h"
#include "cache/values.h"

static const char *status_name(mcp_status status) {
	static const char *const names[] = {
		[MCP_OK] = "ok",
		[MCP_NOT_FOUND] = "not found",
		[MCP_NOT_STORED] = "not stored",
		[MCP_EXISTS] = "exists",
		[MCP_NOT_A_NUMBER] = "not a number",
		[MCP_OUT_OF_RANGE] = "out of range",
		[MCP_TOO_LARGE] = "too large",
		[MCP_BAD_KEY] = "bad key",
		[MCP_REFUSED] = "refused",
		[MCP_UNSUPPORTED] = "unsupported",
		[MCP_UNREACHABLE] = "unreachable",
		[MCP_TIMEOUT] = "timeout",
		[MCP_UNKNOWN] = "unknown",
		[MCP_PROTOCOL] = "protocol error",
	};
	return names[status];
}

const char *sim_entry_name(sim_entry_kind kind) {
	static const char *const names[] = {
		[SIM_ENTRY_READ] = "read",
		[SIM_ENTRY_LOOKUP] = "lookup",
		[SIM_ENTRY_REMEMBER] = "remember",
		[SIM_ENTRY_PUBLISH] = "publish",
		[SIM_ENTRY_ABANDON] = "abandon",
		[SIM_ENTRY_REARM] = "rearm",
		[SIM_ENTRY_SET] = "set",
		[SIM_ENTRY_ADD] = "add",
		[SIM_ENTRY_REPLACE] = "replace",
		[SIM_ENTRY_UPDATE] = "update",
		[SIM_ENTRY_DELETE] = "delete",
		[SIM_ENTRY_EXPIRE] = "expire",
		[SIM_ENTRY_TOUCH] = "touch",
		[SIM_ENTRY_PULL] = "pull",
		[SIM_ENTRY_INCREMENT] = "increment",
		[SIM_ENTRY_LOST] = "lost",
		[SIM_ENTRY_SIDE_LOST] = "side key lost",
		[SIM_ENTRY_GARBLED] = "garbled",
		[SIM_ENTRY_PLAIN] = "stored without an envelope",
		[SIM_ENTRY_INVALIDATE] = "invalidate",
	};
	return names[kind];
}

static const char *verdict_name(mcp_verdict verdict) {
	static const char *const names[] = {
		[MCP_VERDICT_MISS] = "miss",
		[MCP_VERDICT_FRESH] = "fresh",
		[MCP_VERDICT_STALE] = "stale",
		[MCP_VERDICT_BUSY] = "busy",
		[MCP_VERDICT_ELECTED] = "elected",
	};
	return names[verdict];
}

static void print_head(const sim_world *world, const sim_client *client) {
	fprintf(world->log.trace, "%7llu ms  client %u  ", (unsigned long long)world->now_ms,
		client->index);
}

static int64_t relative(const sim_world *world, uint64_t wall_ms) {
	return wall_ms == MCP_NEVER_MS ? -1
								   : (int64_t)wall_ms - (int64_t)(SIM_EPOCH_MS + world->now_ms);
}

static void print_end(const sim_world *world, const char *name, uint64_t wall_ms) {
	if (wall_ms == MCP_NEVER_MS) {
		fprintf(world->log.trace, " %s never", name);
	} else {
		fprintf(world->log.trace, " %s %+lld", name, (long long)relative(world, wall_ms));
	}
}

static void print_envelope(const sim_world *world, const sim_envelope *found, unsigned key) {
	const mcp_envelope *envelope = &found->envelope;
	char text[48] = "no value";
	if (envelope->has_value) {
		sim_value value = sim_value_decode(found->payload, found->flags, key);
		sim_value_describe(&value, text, sizeof(text));
	}
	fprintf(world->log.trace, " [%s epoch %04x election %u/%u", text,
		(unsigned)(envelope->epoch & 0xFFFF), envelope->value_election, envelope->newest_election);
	if (envelope->has_value) {
		print_end(world, "soft", envelope->soft_ms);
		print_end(world, "hard", envelope->hard_ms);
	}
	if (envelope->has_claim) {
		fprintf(world->log.trace, " claim %04x", (unsigned)(envelope->claim_token & 0xFFFF));
		print_end(world, "until", envelope->claim_end_ms);
	}
	if (envelope->has_failure) {
		print_end(world, "pause until", envelope->pause_end_ms);
	}
	if (envelope->has_counter) {
		fprintf(world->log.trace, " counter %04x", envelope->counter_epoch & 0xFFFF);
	}
	fputc(']', world->log.trace);
}

static void print_item(const sim_world *world, const sim_item *item, unsigned index) {
	sim_envelope found;
	if (sim_item_is_other(index)) {
		fprintf(world->log.trace, " %.*s", (int)item->length, item->bytes);
	} else if (sim_item_is_side(index)) {
		fprintf(world->log.trace, " %.*s counter %04x", (int)item->length, item->bytes,
			item->flags & 0xFFFF);
	} else if (sim_open(item, index / 2, &found)) {
		print_envelope(world, &found, index / 2);
	} else {
		fputs(" something unreadable", world->log.trace);
	}
}

void sim_trace_effect(const sim_world *world, const sim_client *client, const sim_request *request,
	const sim_answer *answer) {
	if (world->log.trace == NULL) {
		return;
	}
	print_head(world, client);
	fprintf(world->log.trace, "%-9s %s", sim_verb_name(request->verb),
		sim_item_name(world, request->item));
	if (world->server_count > 1) {
		fprintf(world->log.trace, " at server %u", request->server);
	}
	bool is_count = sim_verb_counts(request->verb);
	if (is_count) {
		fprintf(world->log.trace, " by %llu", (unsigned long long)request->amount);
	}
	fprintf(world->log.trace, ": %s", status_name(answer->status));
	const sim_item *item = &world->servers[request->server].items[request->item];
	if (is_count && answer->status == MCP_OK) {
		fprintf(world->log.trace, ", %llu", (unsigned long long)answer->number);
	} else if (answer->status == MCP_OK && item->is_present) {
		print_item(world, item, request->item);
	}
	fputc('\n', world->log.trace);
}

void sim_trace_event(const sim_client *client, const char *text) {
	sim_log_trace(&client->world->log, "client %u  -- %s", client->index, text);
}

void sim_trace_begun(const sim_client *client, const sim_entry *entry) {
	const sim_world *world = client->world;
	if (world->log.trace == NULL) {
		return;
	}
	print_head(world, client);
	fprintf(world->log.trace, "%s(k%u", sim_entry_name(entry->kind), entry->key);
	if (entry->kind == SIM_ENTRY_INCREMENT) {
		fprintf(world->log.trace, ", %lld", (long long)entry->by);
	}
	fprintf(world->log.trace, ") #%d begins\n", (int)sim_entry_id(entry));
}

void sim_trace_ended(const sim_client *client, const sim_entry *entry) {
	const sim_world *world = client->world;
	if (world->log.trace == NULL) {
		return;
	}
	print_head(world, client);
	fprintf(world->log.trace, "%s(k%u) #%d = ", sim_entry_name(entry->kind), entry->key,
		(int)sim_entry_id(entry));
	bool is_look = entry->kind == SIM_ENTRY_READ || entry->kind == SIM_ENTRY_LOOKUP ||
		entry->kind == SIM_ENTRY_REMEMBER;
	fputs(is_look && entry->status == MCP_OK ? verdict_name(entry->verdict)
											 : status_name(entry->status),
		world->log.trace);
	if (entry->has_value) {
		char text[48];
		sim_value_describe(&entry->seen, text, sizeof(text));
		fprintf(world->log.trace, ", %s", text);
	}
	if (sim_entry_is_elected(entry)) {
		fprintf(world->log.trace, ", election %u%s", entry->claim.election,
			entry->claim.is_overdue ? ", overdue" : "");
	}
	if (entry->kind == SIM_ENTRY_INCREMENT && entry->status == MCP_OK) {
		fprintf(world->log.trace, ", %lld", (long long)entry->number);
	}
	fputc('\n', world->log.trace);
}

void sim_trace_scenario(const sim_world *world) {
	const sim_scenario *scenario = world->scenario;
	if (world->log.trace == NULL) {
		return;
	}
	fprintf(world->log.trace, "lease %u ms, wait %u ms, timeout %u ms; clocks:", scenario->lease_ms,
		scenario->wait_ms, scenario->timeout_ms);
	for (unsigned i = 0; i < scenario->client_count; i++) {
		fprintf(world->log.trace, " %+d", (int)scenario->skews_ms[i]);
	}
	fputs(" ms", world->log.trace);
	if (scenario->server_count > 1) {
		fprintf(world->log.trace, "; %u servers, %u copies", scenario->server_count,
			scenario->copies > 1 ? scenario->copies : 1);
	}
	fputc('\n', world->log.trace);
}
