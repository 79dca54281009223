/* Discovers servers. A process publishes a list in the host's registry only in its turn, and only if the list follows
 * the published list. A failed query, an unusable list and a lower version that was not repeated have no effect. */
/* SPDX-License-Identifier: MIT */
#include "discovered.h"

#include <inttypes.h>
#include <stdio.h>

/* Minimum delay before the next query if no list is known. */
#define RETRY_MS_MIN 1000
/* Interval between reads during the wait for a list from another process. */
#define WAIT_MS 1
/* Margin of a turn for name resolution and a loaded machine. */
#define TURN_MS_MORE 1000
#define TURN_MS_MAX (MCP_BOARD_MINUTE_MS - 1)

static void adopt(mcp_discovered *self, const mcp_discovery_registry_list *list, bool is_shared) {
	self->list = *list;
	self->is_shared = is_shared;
	self->changes++;
}

/* Above 0: the list follows the known list. */
static int order_of(const mcp_discovered *self, const mcp_discovery_registry_list *list) {
	return mcp_discovered_is_known(self) ? mcp_discovery_registry_compare(list, &self->list) : 1;
}

/* Take the published list if it follows the known list. */
static void look_at_board(mcp_discovered *self, const mcp_discovered_settings *settings) {
	mcp_discovery_registry_list list;
	if (mcp_discovery_registry_edition(self->record) == self->looked_at) {
		return;
	}
	self->is_shared = false;
	if (!mcp_discovery_registry_read(self->record, &list, &self->looked_at)) {
		return;
	}
	int order = order_of(self, &list);
	self->is_shared = order == 0;
	if (order > 0 && settings->is_usable(settings->context, &list.cluster)) {
		adopt(self, &list, true);
	}
}

/* --- the turn --- */

/* Publish the list. Returns false if the turn has expired. */
static bool publish(mcp_discovered *self, uint64_t *claim,
	const mcp_discovery_registry_list *list) {
	if (!mcp_discovery_registry_write(self->record, claim, list)) {
		return false;
	}
	self->looked_at = *claim;
	return true;
}

/* Publish the known list, unless it is already published. */
static void share_list(mcp_discovered *self, uint64_t *claim) {
	bool is_published =
		self->is_shared && mcp_discovery_registry_edition(self->record) == self->looked_at;
	if (mcp_discovered_is_known(self) && !is_published) {
		self->is_shared = publish(self, claim, &self->list);
	}
}

/* Accept a lower version after enough repetitions, but only if the list could be published. If it could not, another
 * process might have received a newer list. */
static bool judge_lower(mcp_discovered *self, uint64_t *claim,
	mcp_discovery_registry_list *received, mcp_reason *reason) {
	uint64_t known = self->list.cluster.version;
	unsigned repeats = mcp_discovery_registry_count(self->record, *claim, received);
	received->era++;
	received->after = known;
	if (repeats >= MCP_DISCOVERED_REPEATS && publish(self, claim, received)) {
		adopt(self, received, true);
		return true;
	}
	snprintf(reason->text, sizeof(reason->text),
		"replied with version %" PRIu64 " of its list after version %" PRIu64,
		received->cluster.version, known);
	return false;
}

/* Accept the list that the endpoint returned. Returns false with a reason if it is rejected. */
static bool judge_answer(mcp_discovered *self, uint64_t *claim,
	mcp_discovery_registry_list *received, mcp_reason *reason) {
	int order = order_of(self, received);
	if (order < 0) {
		return judge_lower(self, claim, received, reason);
	}
	mcp_discovery_registry_count(self->record, *claim, NULL);
	if (order > 0) {
		adopt(self, received, false);
	}
	return true;
}

/* Give a list without a version a number. Only the number of a published list is unique. */
static bool judge_unversioned(mcp_discovered *self, uint64_t *claim,
	mcp_discovery_registry_list *received) {
	const mcp_cluster *known = &self->list.cluster;
	received->cluster.version = known->version + 1;
	if (!mcp_bytes_equal(mcp_bytes_of(known->text, known->length),
			mcp_bytes_of(received->cluster.text, received->cluster.length)) &&
		publish(self, claim, received)) {
		adopt(self, received, true);
	}
	return true;
}

static void ask_endpoint(mcp_discovered *self, const mcp_discovered_settings *settings,
	uint64_t *claim) {
	mcp_discovery_registry_list received = {.era = self->list.era};
	mcp_reason reason = {.text = ""};
	bool is_received = settings->ask(settings->context, &received.cluster, &reason) == MCP_OK;
	if (is_received && !settings->is_usable(settings->context, &received.cluster)) {
		mcp_reason_say(&reason, "replied with an invalid list of servers");
		is_received = false;
	}
	self->has_failed = !is_received ||
		!(settings->is_unversioned ? judge_unversioned(self, claim, &received)
								   : judge_answer(self, claim, &received, &reason));
	self->asked_ms = mcp_wall_ms(settings->environment);
	self->reason = reason;
}

static uint64_t retry_ms(const mcp_discovered_settings *settings) {
	uint64_t retry_ms =
		settings->retry_after_ms > RETRY_MS_MIN ? settings->retry_after_ms : RETRY_MS_MIN;
	return retry_ms < MCP_BOARD_MINUTE_MS ? retry_ms : MCP_BOARD_MINUTE_MS;
}

/* Read the registry at the end, because another process might have published a newer list if the turn has expired. */
static void take_turn(mcp_discovered *self, const mcp_discovered_settings *settings,
	uint64_t claim) {
	share_list(self, &claim);
	ask_endpoint(self, settings, &claim);
	share_list(self, &claim);
	uint64_t pause_ms = mcp_discovered_is_known(self) ? settings->refresh_ms : retry_ms(settings);
	mcp_discovery_registry_release(self->record, claim,
		mcp_monotonic_ms(settings->environment) + pause_ms);
	look_at_board(self, settings);
}

/* --- the turn of another process --- */

/* Wait, because every operation fails without a list. The sleep advances a frozen clock. Signal handlers run after
 * the wait, as after a request. */
static void wait_for_another(mcp_discovered *self, const mcp_discovered_settings *settings) {
	const mcp_environment *environment = settings->environment;
	uint64_t now_ms = mcp_monotonic_ms(environment);
	uint64_t end_ms = now_ms + settings->connect_timeout_ms + settings->timeout_ms;
	if (now_ms < self->waits_again_ms) {
		return;
	}
	while (!mcp_discovered_is_known(self) && now_ms < end_ms &&
		mcp_discovery_registry_is_claimed(self->record, now_ms)) {
		mcp_sleep_ms(environment, WAIT_MS);
		look_at_board(self, settings);
		now_ms = mcp_monotonic_ms(environment);
	}
	if (now_ms >= end_ms) {
		self->waits_again_ms = now_ms + retry_ms(settings);
	}
}

bool mcp_discovered_is_outdated(const mcp_discovered *self, const mcp_environment *environment) {
	return mcp_discovery_registry_edition(self->record) != self->looked_at ||
		mcp_discovery_registry_is_due(self->record, mcp_monotonic_ms(environment));
}

void mcp_discovered_renew(mcp_discovered *self, const mcp_discovered_settings *settings) {
	look_at_board(self, settings);
	uint64_t claim = mcp_discovery_registry_turn(self->record);
	uint64_t now_ms = mcp_monotonic_ms(settings->environment);
	uint64_t needed_ms =
		(uint64_t)settings->connect_timeout_ms + 2 * (uint64_t)settings->timeout_ms + TURN_MS_MORE;
	uint64_t turn_ms = needed_ms < TURN_MS_MAX ? needed_ms : TURN_MS_MAX;
	if (mcp_discovery_registry_claim(self->record, now_ms, turn_ms, &claim)) {
		look_at_board(self, settings);
		take_turn(self, settings, claim);
	} else {
		wait_for_another(self, settings);
	}
}
