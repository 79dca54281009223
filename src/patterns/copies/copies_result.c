/* Elections and what comes of them: neither stands over a value that another copy has a newer version of (D2, D5). A
 * newer version there was written while the server of this one was away, for a writer takes copy 0 first. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

/* Takes a placeholder for later than the value that it was placed over. */
static mcp_version version_under(const mcp_copy *over) {
	mcp_version version = over->version;
	if (over->state == MCP_COPY_PLACEHOLDER) {
		version.created_ms = MCP_NEVER_MS;
	}
	return version;
}

/* Searches the copies surveyed; NULL if none is newer. Another client's value has no order, but is the answer. */
static const mcp_copy *find_newer(const mcp_copies *copies, const mcp_copies_write *write,
	const mcp_copy *over) {
	mcp_version newest = version_under(over);
	const mcp_copy *newer = NULL;
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		const mcp_copy *copy = &write->copies[i];
		if (i == over->index) {
			continue;
		}
		if (copy->state == MCP_COPY_FOREIGN) {
			return copy;
		}
		if (mcp_copy_is_version(copy) && mcp_version_compare(&copy->version, &newest) > 0) {
			newest = copy->version;
			newer = copy;
		}
	}
	return newer;
}

/* Replaces by the cas id of what the caller has read, and no later one: as long as that is there no set or delete has
 * come, which would have replaced it first of all. MCP_EXISTS, MCP_NOT_FOUND: one has. */
static mcp_status replace(mcp_copies *copies, const mcp_copies_write *write, const mcp_copy *over,
	const mcp_copy *newer) {
	return mcp_copy_is_version(newer) ? mcp_copies_put_back(copies, write->key, over, newer)
									  : MCP_OK;
}

/* Surveys before it claims: an old value with a new claim would be believed by who compares what a server came back
 * with (D4), until it is replaced. */
mcp_status mcp_copies_claim(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	if (over->state != MCP_COPY_ODD) {
		mcp_copies_survey(copies, write, over->index);
		const mcp_copy *newer = find_newer(copies, write, over);
		if (newer != NULL) {
			replace(copies, write, over, newer);
			return MCP_NOT_STORED;
		}
	}
	return mcp_store_cas(over->store, write->key, &write->record, over->item.cas);
}

static bool has_reached_all(const mcp_copies *copies, const mcp_copies_write *write,
	unsigned except) {
	for (unsigned i = 0; i < mcp_copies_count(copies); i++) {
		if (i != except && write->copies[i].state == MCP_COPY_UNREACHED) {
			return false;
		}
	}
	return true;
}

mcp_status mcp_copies_publish(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	mcp_copies_survey(copies, write, over->index);
	const mcp_copy *newer = find_newer(copies, write, over);
	if (newer != NULL) {
		mcp_status status = replace(copies, write, over, newer);
		return status == MCP_EXISTS || status == MCP_NOT_FOUND ? MCP_EXISTS : MCP_NOT_STORED;
	}
	if (!has_reached_all(copies, write, over->index)) {
		/* A copy out of reach may bear a later election's number, and would come back as the newer one. */
		mcp_copies_restamp(copies, write);
	}
	mcp_status status = mcp_copies_decide(copies, write, over);
	if (status != MCP_OK) {
		return status;
	}
	mcp_copies_carry(copies, write, over->index);
	/* Copy 0 may have been lost meanwhile, and a repair that had read another copy before may have put that back. */
	return write->has_met_newer ? MCP_NOT_STORED : mcp_copies_finish(copies, write);
}
