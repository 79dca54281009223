/* Makes the Entry that a computation is given and the one that a remember() leaves in its caller's variable. */
/* SPDX-License-Identifier: MIT */
#include "remember_story.h"

#include "../../host/environment.h"
#include "../../engine/reference.h"
#include "remember_cause.h"

bool mcp_remember_story_is_wanted(const mcp_remembering *remembering) {
	return mcp_user_call_takes(&remembering->compute, mcp_entry_class_entry, MCP_OFFER_IF_NAMED);
}

mcp_entry_story mcp_remember_story_of_old(const mcp_remembering *remembering) {
	mcp_entry_story story = remembering->old_story;
	bool is_old =
		story.soft_ms != MCP_NEVER_MS && mcp_wall_ms(mcp_environment_get()) >= story.soft_ms;
	story.status = is_old ? MCP_ENTRY_STALE : MCP_ENTRY_FRESH;
	return story;
}

bool mcp_remember_story_offer(mcp_remembering *remembering, zval *entry) {
	ZVAL_UNDEF(entry);
	if (!mcp_remember_story_is_wanted(remembering)) {
		return true;
	}
	zval value;
	bool is_read =
		remembering->old_payload != NULL && mcp_remembering_decode_old(remembering, &value);
	if (EG(exception) != NULL) { /* of the old value's own code: for the computation it is none */
		mcp_remember_cause_keep(&remembering->undecodable);
		if (EG(exception) != NULL) {
			return false;
		}
	}
	mcp_entry_story story = {.status = MCP_ENTRY_MISS};
	if (is_read) {
		story = mcp_remember_story_of_old(remembering);
	}
	mcp_class_entry_make(entry, &story, is_read ? &value : NULL,
		mcp_wall_ms(mcp_environment_get()));
	return true;
}

void mcp_remember_story_tell(const mcp_remembering *remembering, zval *return_value) {
	/* By call_user_func() it comes as a value, and nothing can be told. */
	if (remembering->entry == NULL || !Z_ISREF_P(remembering->entry) || EG(exception) != NULL) {
		return;
	}
	zval value;
	zval entry;
	ZVAL_COPY(&value, return_value);
	mcp_class_entry_make(&entry, &remembering->story, &value, mcp_wall_ms(mcp_environment_get()));
	mcp_reference_assign(remembering->entry, &entry);
	if (EG(exception) != NULL) {
		zval_ptr_dtor(return_value);
		ZVAL_UNDEF(return_value);
	}
}
