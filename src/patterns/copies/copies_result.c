/* Elections and what comes of them: neither stands over a value that another copy has a newer version of (D2, D5). A
 * newer version there was written while the server of this one was away, for a writer takes copy 0 first. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

mcp_version mcp_copies_version_under(const mcp_copy *over) {
	mcp_version version = over->version;
	if (over->state == MCP_COPY_PLACEHOLDER) {
		version.created_ms = MCP_NEVER_MS;
	}
	return version;
}

/* Searches the copies surveyed; NULL if none is newer. */
static const mcp_copy *find_newer(const mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *over) {
	mcp_version newest = mcp_copies_version_under(over);
	const mcp_copy *newer = NULL;
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		const mcp_copy *copy = &write->copies[i];
		if (i != over->index && mcp_copy_is_version(copy) &&
			mcp_version_compare(&copy->version, &newest) > 0) {
			newest = copy->version;
			newer = copy;
		}
	}
	return newer;
}

/* Replaces by the cas id of what the caller has read, and no later one: as long as that is there no set or delete has
 * come, which would have replaced it first of all. */
mcp_status mcp_copies_give_way(mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *over) {
	const mcp_copy *newer = find_newer(copies, write, over);
	if (newer == NULL) {
		return MCP_OK;
	}
	mcp_status status = mcp_copies_put_back(copies, write->key, over, newer);
	return status == MCP_EXISTS || status == MCP_NOT_FOUND ? MCP_EXISTS : MCP_NOT_STORED;
}

/* Says whether copy 0 has got what was found elsewhere, so that the next look finds it there: two callers would be
 * elected otherwise, here and there (D6). */
static bool is_at_home(const mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *over) {
	const mcp_copy *home = &write->copies[0];
	return over->index > 0 && mcp_copies_is_alive(copies, home) &&
		mcp_version_compare(&home->version, &over->version) == 0;
}

/* Surveys before it claims: an old value with a new claim would be believed by who compares what a server came back
 * with (D4), until it is replaced. */
mcp_status mcp_copies_claim(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	if (over->state != MCP_COPY_ODD) {
		mcp_copies_survey(copies, write, over->index);
		bool gives_way = mcp_copies_give_way(copies, write, over) != MCP_OK;
		if (gives_way || is_at_home(copies, write, over)) {
			return MCP_NOT_STORED;
		}
	}
	return mcp_store_cas(over->store, write->key, &write->record, over->item.cas);
}

mcp_status mcp_copies_publish(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	mcp_copies_survey(copies, write, over->index);
	mcp_status status = mcp_copies_give_way(copies, write, over);
	if (status != MCP_OK) {
		return status;
	}
	if (!mcp_copies_has_reached_all(copies, write, over->index)) {
		/* A copy out of reach may bear a later election's number, and would come back as the newer one. */
		mcp_copies_stamp_result(copies, write, over);
	}
	status = mcp_copies_decide(copies, write, over);
	if (status != MCP_OK) {
		return status;
	}
	mcp_copies_carry(copies, write, over->index);
	/* Copy 0 may have been lost meanwhile, and a repair that had read another copy before may have put that back. */
	return write->has_met_newer ? MCP_NOT_STORED : mcp_copies_finish(copies, write);
}
