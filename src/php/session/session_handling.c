/* Keeps which session is open, and which answer is kept for the call that follows. */
/* SPDX-License-Identifier: MIT */
#include "session_handling.h"

#include "php_mcpatterns.h"
#include "session_module.h"

#define DRAWS_MAX 16

static void replace(zend_string **kept, zend_string *by) {
	if (*kept != NULL) {
		zend_string_release(*kept);
	}
	*kept = by != NULL ? zend_string_copy(by) : NULL;
}

static void set_created(mcp_session_handling *self, zend_string *id) {
	replace(&self->created, id);
}

void php_mcp_session_handling_keep(mcp_session_handling *self, zend_string *id, zend_string *data) {
	replace(&self->written_id, id);
	replace(&self->written, data);
	self->was_dropped = self->was_dropped && id != NULL;
}

void php_mcp_session_handling_close(mcp_session_handling *self) {
	php_mcp_open_session_end(&self->open);
	set_created(self, NULL);
	self->has_answer = false;
}

/* --- ids --- */

static bool is_any_server_well(const mcp_session_handling *self) {
	mcp_store *store = php_mcp_pool_store(self->terms.pool);
	for (size_t i = 0; i < mcp_store_member_count(store); i++) {
		if (!mcp_store_is_tripped(mcp_store_member(store, i))) {
			return true;
		}
	}
	return false;
}

static bool is_tripped(const mcp_session_handling *self, const zend_string *id) {
	return mcp_store_is_tripped(php_mcp_open_session_owner_of(&self->terms, id));
}

zend_string *php_mcp_session_handling_create_id(mcp_session_handling *self) {
	zend_string *id = php_mcp_session_module_create_id();
	for (int draw = 1; id != NULL && draw < DRAWS_MAX && is_tripped(self, id); draw++) {
		if (!is_any_server_well(self)) {
			break;
		}
		zend_string_release(id);
		id = php_mcp_session_module_create_id();
	}
	set_created(self, id);
	return id;
}

static bool is_created(const mcp_session_handling *self, const zend_string *id) {
	return self->created != NULL && zend_string_equals(self->created, id);
}

static bool was_written_last(const mcp_session_handling *self, const zend_string *id) {
	return self->written_id != NULL && zend_string_equals(self->written_id, id);
}

/* Starts it, unless validate has; `answer` then says what came of it. */
static void start(mcp_session_handling *self, zend_string *id) {
	if (!php_mcp_open_session_is(&self->open, id)) {
		php_mcp_open_session_end(&self->open);
		php_mcp_open_session_begin(&self->open, &self->terms, id);
		self->has_answer = false;
	}
	if (!self->has_answer) {
		self->answer = php_mcp_open_session_start(&self->open, is_created(self, id));
		self->has_answer = true;
		self->was_dropped = self->was_dropped && !was_written_last(self, id);
	}
}

/* Looks at a session while another one is open. One that could not be asked for may be there. */
static bool is_other_there(const mcp_session_handling *self, zend_string *id) {
	mcp_open_session other;
	php_mcp_open_session_begin(&other, &self->terms, id);
	mcp_status status = php_mcp_open_session_look(&other);
	bool is_there = status != MCP_OK || mcp_session_is_there(&other.known);
	php_mcp_open_session_end(&other);
	return is_there;
}

bool php_mcp_session_handling_validate(mcp_session_handling *self, zend_string *id) {
	if (is_created(self, id) || (self->terms.fails_over && is_tripped(self, id))) {
		return false;
	}
	if (self->open.id != NULL && !php_mcp_open_session_is(&self->open, id)) {
		return is_other_there(self, id);
	}
	start(self, id);
	if (self->answer != MCP_OK || mcp_session_is_there(&self->open.known)) {
		return true;
	}
	php_mcp_open_session_end(&self->open);
	return false;
}

/* --- read, write and destroy --- */

static bool fail_to_start(const mcp_open_session *open, mcp_status status,
	mcp_session_trouble *trouble) {
	*trouble = php_mcp_session_trouble_of_start(open, status);
	return false;
}

bool php_mcp_session_handling_read(mcp_session_handling *self, zend_string *id, mcp_bytes *data,
	mcp_session_trouble *trouble) {
	start(self, id);
	self->has_answer = false;
	set_created(self, NULL);
	if (self->answer != MCP_OK) {
		return fail_to_start(&self->open, self->answer, trouble);
	}
	const mcp_session_known *known = &self->open.known;
	bool has_data = mcp_session_has_data(known) && known->data.length > 0;
	*data = has_data ? mcp_bytes_of(known->data.data, known->data.length) : mcp_bytes_of("", 0);
	return true;
}

/* Tells the log, once for each request: an error of PHP's would become an exception in many applications. */
static void log_conflicts(unsigned conflicts) {
	if (conflicts > 0 && !MCP_REQUEST(has_told_conflicts)) {
		zend_string *line = zend_strpprintf(0,
			"mcpatterns: %u key%s of a session %s changed by two requests that ran side by side;"
			" the later one's value was stored",
			conflicts, conflicts > 1 ? "s" : "", conflicts > 1 ? "were" : "was");
		MCP_REQUEST(has_told_conflicts) = true;
		php_log_err(ZSTR_VAL(line));
		zend_string_release(line);
	}
}

void php_mcp_session_handling_end_request(void) {
	MCP_REQUEST(has_told_conflicts) = false;
}

static bool conclude(const mcp_open_session *open, const mcp_session_report *report, mcp_bytes data,
	mcp_session_trouble *trouble) {
	log_conflicts(report->conflicts);
	if (report->outcome == MCP_SESSION_STORED || report->outcome == MCP_SESSION_DROPPED) {
		return true;
	}
	*trouble = php_mcp_session_trouble_of_write(open, report, data);
	return false;
}

/* Returns the data that a write without a read is made of. */
static mcp_bytes base_of(const mcp_session_handling *self, const zend_string *id) {
	return was_written_last(self, id)
		? mcp_bytes_of(ZSTR_VAL(self->written), ZSTR_LEN(self->written))
		: mcp_bytes_of("", 0);
}

/* Says what has come of a session since it was written last: it was destroyed, or was lost and begun anew by another request. */
static mcp_session_outcome end_since(const mcp_session_handling *self, const zend_string *id,
	const mcp_session_known *found) {
	bool is_there = found->kind == MCP_SESSION_VALUE || found->kind == MCP_SESSION_PLACEHOLDER;
	bool is_another = is_there && found->birth != self->written_birth;
	if (!was_written_last(self, id) || (!is_another && found->kind != MCP_SESSION_TOMBSTONE)) {
		return MCP_SESSION_STORED;
	}
	bool was_destroyed = !is_there || found->head.is_over_tombstone;
	return was_destroyed ? MCP_SESSION_DROPPED : MCP_SESSION_BEGUN_ANEW;
}

/* Writes what is not open, or was written before: over whatever is there, of which it keeps the keys that it knows nothing of. */
static bool write_other(mcp_session_handling *self, zend_string *id, mcp_bytes data,
	mcp_session_report *report, mcp_session_trouble *trouble) {
	mcp_open_session other;
	php_mcp_open_session_begin(&other, &self->terms, id);
	mcp_status status = php_mcp_open_session_start(&other, is_created(self, id));
	bool is_stored = false;
	*report = (mcp_session_report){.outcome = end_since(self, id, &other.known)};
	if (status == MCP_OK && !mcp_session_rebase(&other.known, base_of(self, id))) {
		status = MCP_UNREACHABLE;
	}
	if (status != MCP_OK) {
		fail_to_start(&other, status, trouble);
	} else {
		if (report->outcome == MCP_SESSION_STORED) {
			php_mcp_open_session_write(&other, data, report);
		}
		is_stored = conclude(&other, report, data, trouble);
		self->written_birth = other.known.birth;
	}
	if (is_stored && is_created(self, id)) {
		set_created(self, NULL); /* it is there from now on */
	}
	php_mcp_open_session_end(&other);
	return is_stored;
}

/* Refuses what was made without the session that is there: a handler above this one may hide that it could not be read. */
bool php_mcp_session_handling_write(mcp_session_handling *self, zend_string *id, mcp_bytes data,
	mcp_session_trouble *trouble) {
	mcp_session_report report;
	bool is_open = php_mcp_open_session_is(&self->open, id);
	if (is_open && self->answer != MCP_OK) {
		return fail_to_start(&self->open, self->answer, trouble);
	}
	if (self->was_dropped && was_written_last(self, id)) {
		return true;
	}
	bool is_stored;
	if (!is_open || self->open.was_written) {
		is_stored = write_other(self, id, data, &report, trouble);
	} else {
		php_mcp_open_session_write(&self->open, data, &report);
		is_stored = conclude(&self->open, &report, data, trouble);
		self->written_birth = self->open.known.birth;
	}
	self->was_dropped = is_stored && report.outcome == MCP_SESSION_DROPPED;
	return is_stored;
}

static bool destroy_other(const mcp_session_handling *self, zend_string *id,
	mcp_session_trouble *trouble) {
	mcp_open_session other;
	mcp_session_report report;
	php_mcp_open_session_begin(&other, &self->terms, id);
	mcp_status status = php_mcp_open_session_look(&other);
	bool is_destroyed = false;
	if (status == MCP_OK || status == MCP_FOREIGN) {
		php_mcp_open_session_destroy(&other, &report);
		is_destroyed = conclude(&other, &report, mcp_bytes_of("", 0), trouble);
	} else {
		fail_to_start(&other, status, trouble);
	}
	php_mcp_open_session_end(&other);
	return is_destroyed;
}

bool php_mcp_session_handling_destroy(mcp_session_handling *self, zend_string *id,
	mcp_session_trouble *trouble) {
	mcp_session_report report;
	if (!php_mcp_open_session_is(&self->open, id)) {
		return destroy_other(self, id, trouble);
	}
	php_mcp_open_session_destroy(&self->open, &report);
	return conclude(&self->open, &report, mcp_bytes_of("", 0), trouble);
}
