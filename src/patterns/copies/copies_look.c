/* Reads what one copy says, and sums up what several do. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

unsigned mcp_copies_count(const mcp_copies *copies) {
	size_t servers = mcp_store_member_count(copies->beneath);
	return servers < copies->wanted ? (unsigned)servers : copies->wanted;
}

static mcp_copy_state state_of(const mcp_envelope *envelope) {
	if (envelope->is_tombstone) {
		return MCP_COPY_TOMBSTONE;
	}
	return envelope->has_value ? MCP_COPY_VALUE : MCP_COPY_PLACEHOLDER;
}

/* Odd, so that no difference is lost: the golden ratio in 64 bits. */
#define SPREAD 0x9E3779B97F4A7C15u

uint64_t mcp_copies_claim_mark(const mcp_envelope *envelope) {
	uint64_t mark = envelope->newest_election;
	if (envelope->has_claim) {
		mark = mark * SPREAD + envelope->claim_token;
		mark = mark * SPREAD + envelope->claim_end_ms;
	}
	if (envelope->has_failure) {
		mark = mark * SPREAD + envelope->failures;
		mark = mark * SPREAD + envelope->pause_end_ms;
	}
	return mark;
}

static void weigh_item(mcp_copies *copies, const mcp_key *key, mcp_copy *copy) {
	mcp_envelope envelope;
	if (!mcp_envelope_decode(copy->item.value, copy->item.flags, key->fingerprint, &envelope,
			&copy->payload)) {
		copy->state = MCP_COPY_ODD;
		return;
	}
	copy->state = state_of(&envelope);
	copy->version = (mcp_version){
		.epoch = envelope.epoch,
		.created_ms = envelope.created_ms,
		.election = envelope.value_election,
	};
	copy->has_claim = envelope.has_claim;
	copy->claim_token = envelope.has_claim ? envelope.claim_token : 0;
	copy->claim_mark = mcp_copies_claim_mark(&envelope);
	copy->newest_election = envelope.newest_election;
	copy->claimed_us = mcp_copies_claimed_us(&envelope);
	copy->place_us = mcp_copies_place_us(&envelope, copy->claimed_us);
	copy->ends = mcp_ends_of(&envelope);
	copies->newest_us = copy->place_us > copies->newest_us ? copy->place_us : copies->newest_us;
}

void mcp_copies_weigh(mcp_copies *copies, const mcp_key *key, const mcp_reply *reply,
	mcp_copy *copy) {
	copy->status = reply->status;
	copy->item = (mcp_item){.value = mcp_bytes_none()};
	copy->version = (mcp_version){.epoch = 0};
	copy->has_claim = false;
	copy->claim_token = copy->claim_mark = copy->claimed_us = copy->place_us = 0;
	copy->newest_election = 0;
	copy->ends = (mcp_ends){.soft_ms = 0};
	if (reply->status == MCP_OK) {
		copy->item = reply->item;
		weigh_item(copies, key, copy);
	} else {
		copy->state = reply->status == MCP_NOT_FOUND ? MCP_COPY_ABSENT : MCP_COPY_UNREACHED;
	}
}

void mcp_copies_look(mcp_copies *copies, const mcp_key *key, unsigned index, mcp_copy *copy) {
	mcp_reply reply;
	copy->index = index;
	copy->store = mcp_store_candidate(copies->beneath, key, index);
	reply.status = mcp_store_get(copy->store, key, &reply.item);
	mcp_copies_weigh(copies, key, &reply, copy);
}

bool mcp_copies_is_alive(const mcp_copies *copies, const mcp_copy *copy) {
	return copy->state == MCP_COPY_VALUE && copy->ends.hard_ms > mcp_wall_ms(copies->host);
}

/* Says whether a value or a tombstone decides, so that no other copy need be asked. By D4 a copy that this process came back
 * to is believed once another one has been compared with it. Behind a copy 0 that has lost its own, a tombstone may
 * be older than the next copy's, and what is claimed over it would come before that. */
static bool decides(const mcp_copy *copy) {
	bool is_first_or_value = copy->index == 0 || copy->state == MCP_COPY_VALUE;
	return is_first_or_value && !copy->item.is_suspect;
}

/* Says whether the first copy has a value that is not to be believed beside the answer. */
static bool is_first_doubtful(const mcp_found *found) {
	return found->has_answer && found->first.state == MCP_COPY_VALUE &&
		found->first.item.is_suspect;
}

/* Takes one copy in. */
void mcp_copies_take(const mcp_copies *copies, mcp_found *found, const mcp_copy *copy) {
	if (copy->state == MCP_COPY_UNREACHED) {
		found->failure = found->failure == MCP_OK ? copy->status : found->failure;
		return;
	}
	found->reached++;
	found->newest_us = copy->place_us > found->newest_us ? copy->place_us : found->newest_us;
	if (!found->has_first) {
		found->has_first = true;
		found->first = *copy;
	}
	if (!mcp_copies_is_alive(copies, copy) && copy->state != MCP_COPY_TOMBSTONE) {
		return;
	}
	if (!found->has_answer || mcp_version_compare(&copy->version, &found->answer.version) > 0) {
		found->has_answer = true;
		found->answer = *copy;
	}
	found->is_decided = decides(copy);
}

/* Says whether what is on the first copy came after the answer: a value that has ended, or a claim over one. */
static bool is_later(const mcp_copy *first, const mcp_copy *answer) {
	if (first->state == MCP_COPY_PLACEHOLDER) {
		return first->has_claim && first->version.epoch > answer->version.epoch;
	}
	return first->state == MCP_COPY_VALUE &&
		mcp_version_compare(&first->version, &answer->version) > 0;
}

/* Chooses the answer. With nothing to serve, it is the first copy, where an election is held, so that others find it (D6).
 * But a value there that is older than a tombstone elsewhere is none. */
const mcp_copy *mcp_copies_choose(const mcp_found *found) {
	bool is_served = found->has_answer && found->answer.state == MCP_COPY_VALUE;
	if ((is_served && !is_later(&found->first, &found->answer)) || is_first_doubtful(found)) {
		return &found->answer;
	}
	return found->has_first ? &found->first : NULL;
}

void mcp_copies_answer(const mcp_found *found, mcp_reply *reply) {
	const mcp_copy *chosen = mcp_copies_choose(found);
	if (chosen == NULL) {
		reply->status = found->failure;
		return;
	}
	reply->status = chosen->status;
	reply->item = chosen->item;
	reply->item.is_suspect = chosen->item.is_suspect && found->reached < 2;
}

void mcp_copies_forget(mcp_copies *copies) {
	copies->newest_us = 0;
	mcp_buffer_clear(&copies->memos);
}

void mcp_copies_remember(mcp_copies *copies, const mcp_key *key, const mcp_found *found) {
	const mcp_copy *chosen = mcp_copies_choose(found);
	if (chosen == NULL) {
		return;
	}
	mcp_copies_memo memo = {
		.fingerprint = key->fingerprint,
		.copy = *chosen,
		.newest_us = found->newest_us,
		.has_all = found->failure == MCP_OK,
	};
	memo.copy.store = NULL;
	memo.copy.item = (mcp_item){.value = mcp_bytes_none()};
	memo.copy.payload = mcp_bytes_none();
	/* Without memory it is as if the key had not been asked for. */
	mcp_buffer_append(&copies->memos, mcp_bytes_of((const char *)&memo, sizeof(memo)));
}

const mcp_copies_memo *mcp_copies_recall(const mcp_copies *copies, uint64_t fingerprint) {
	const mcp_copies_memo *memos = (const void *)copies->memos.data;
	size_t count = copies->memos.length / sizeof(*memos);
	for (size_t i = 0; i < count; i++) {
		if (memos[i].fingerprint == fingerprint) {
			return &memos[i];
		}
	}
	return NULL;
}

mcp_store *mcp_copies_remembered(const mcp_copies *copies, const mcp_key *key,
	const mcp_copies_memo *memo) {
	return mcp_store_candidate(copies->beneath, key, memo->copy.index);
}
