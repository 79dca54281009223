/* Remembers for the request which key was made of which parameters first, and where. Both tables have a
 * bound, so that a process that runs for days holds no more than one that ends. */
/* SPDX-License-Identifier: MIT */
#include "key_drift.h"

#include "../../core/key/key.h"
#include "../objects/failure.h"
#include "key_similarity.h"
#include "php_mcpatterns.h"

/* More than a request makes; at about 250 bytes each, a megabyte. Then it begins anew. */
#define KNOWN_MAX 4096
/* Places that were reported: more would say nothing new. */
#define REPORTED_MAX 1024
/* The empty values up to which parameters that differ in one of them are alike. */
#define EMPTIES_MAX 32
/* The hash at the end of a key. */
#define HASH_LENGTH 32

typedef struct place {
	zend_string *file; /* a reference */
	uint32_t line;
} place;

/* Parameters that were seen; `next` are others with the same likeness but for what is empty in them. */
typedef struct known {
	char hash[HASH_LENGTH];
	char empties[EMPTIES_MAX];
	uint8_t empties_count;
	char types[MCP_LIKENESS_TYPES_MAX + 1];
	place seen;
	struct known *next;
} known;

struct mcp_key_drift {
	HashTable known; /* hash of head and likeness -> known */
	size_t known_count;
	HashTable reported; /* "file:line" */
};

static void free_known(zval *entry) {
	known *at = Z_PTR_P(entry);
	while (at != NULL) {
		known *next = at->next;
		zend_string_release(at->seen.file);
		efree(at);
		at = next;
	}
}

static mcp_key_drift *get(void) {
	mcp_key_drift *drift = MCP_REQUEST(key_drift);
	if (drift == NULL) {
		drift = emalloc(sizeof(*drift));
		zend_hash_init(&drift->known, 64, NULL, free_known, false);
		zend_hash_init(&drift->reported, 8, NULL, NULL, false);
		drift->known_count = 0;
		MCP_REQUEST(key_drift) = drift;
	}
	return drift;
}

static place this_place(void) {
	zend_string *file = zend_get_executed_filename_ex();
	if (file == NULL) {
		return (place){ZSTR_EMPTY_ALLOC(), 0};
	}
	return (place){zend_string_copy(file), zend_get_executed_lineno()};
}

/* Takes the empty values; those too many to compare become part of the rest, which must be the same. */
static void take_empties(known *entry, mcp_key_likeness *likeness) {
	size_t count = likeness->empties.s == NULL ? 0 : ZSTR_LEN(likeness->empties.s);
	if (count > EMPTIES_MAX) {
		smart_str_append_smart_str(&likeness->form, &likeness->empties);
		return;
	}
	entry->empties_count = (uint8_t)count;
	if (count > 0) {
		memcpy(entry->empties, ZSTR_VAL(likeness->empties.s), count);
	}
}

static zend_string *hash_of(const mcp_key_likeness *likeness) {
	const zend_string *form = likeness->form.s;
	zend_string *hash = zend_string_alloc(HASH_LENGTH, false);
	mcp_key_hash_hex(ZSTR_VAL(hash), MCP_SPACE_CACHE, mcp_bytes_none(),
		mcp_bytes_of(ZSTR_VAL(form), ZSTR_LEN(form)));
	ZSTR_VAL(hash)[HASH_LENGTH] = '\0';
	return hash;
}

/* Fills in the entry but for its place, and answers what it is found by. */
static zend_string *describe(known *entry, zend_string *head, smart_str *canonical,
	const zend_string *key) {
	mcp_key_likeness likeness = {0};
	smart_str_append_unsigned(&likeness.form, ZSTR_LEN(head));
	smart_str_appendc(&likeness.form, ':');
	smart_str_append(&likeness.form, head);
	php_mcp_key_similarity_read(&likeness, canonical);
	*entry = (known){0};
	memcpy(entry->hash, ZSTR_VAL(key) + ZSTR_LEN(key) - HASH_LENGTH, HASH_LENGTH);
	memcpy(entry->types, likeness.types, sizeof(entry->types));
	take_empties(entry, &likeness);
	zend_string *hash = hash_of(&likeness);
	php_mcp_key_similarity_free(&likeness);
	return hash;
}

static bool are_alike(const known *one, const known *other) {
	return one->empties_count == other->empties_count &&
		php_mcp_key_similarity_are_empties_equal(one->empties, other->empties, one->empties_count);
}

/* True if these parameters have been seen. Otherwise `alike` becomes those that they make a second key of, or
 * NULL. */
static bool is_known(const known *first, const known *entry, const known **alike) {
	*alike = NULL;
	for (const known *at = first; at != NULL; at = at->next) {
		if (memcmp(at->hash, entry->hash, HASH_LENGTH) == 0) {
			return true;
		}
		if (are_alike(at, entry)) {
			*alike = at;
		}
	}
	return false;
}

static void keep(mcp_key_drift *drift, zend_string *likeness, const known *entry) {
	if (drift->known_count == KNOWN_MAX) {
		zend_hash_clean(&drift->known);
		drift->known_count = 0;
	}
	known *kept = emalloc(sizeof(*kept));
	*kept = *entry;
	zend_string_addref(kept->seen.file);
	zval *first = zend_hash_find(&drift->known, likeness);
	kept->next = first == NULL ? NULL : Z_PTR_P(first);
	if (first != NULL) {
		Z_PTR_P(first) = kept;
	} else {
		zend_hash_add_new_ptr(&drift->known, likeness, kept);
	}
	drift->known_count++;
}

static void append_place(smart_str *text, const place *where) {
	smart_str_append(text, where->file);
	smart_str_appendc(text, ':');
	smart_str_append_unsigned(text, where->line);
}

/* True if it is the first time at each place. */
static bool note_report(mcp_key_drift *drift, const place *where) {
	if (zend_hash_num_elements(&drift->reported) == REPORTED_MAX) {
		return false;
	}
	smart_str shown = {0};
	append_place(&shown, where);
	smart_str_0(&shown);
	bool is_first = zend_hash_add_empty_element(&drift->reported, shown.s) != NULL;
	smart_str_free(&shown);
	return is_first;
}

static const char *type_of(char letter) {
	switch (letter) {
		case 'N':
			return "null";
		case 'F':
		case 'T':
			return "bool";
		case 'i':
			return "int";
		case 'd':
			return "float";
		case 's':
			return "string";
		case 'l':
		case 'm':
			return "array";
		default:
			return "object";
	}
}

/* Appends "(int, string) in /shop/list.php:7" */
static void append_seen(smart_str *message, const known *entry) {
	smart_str_appendc(message, '(');
	for (size_t i = 0; entry->types[i] != '\0'; i++) {
		smart_str_appends(message, i == 0 ? "" : ", ");
		smart_str_appends(message, type_of(entry->types[i]));
	}
	smart_str_appends(message, ") in ");
	append_place(message, &entry->seen);
}

static zend_string *write_notice(const zend_string *head, const known *here, const known *there) {
	smart_str message = {0};
	zend_string *name = php_mcp_failure_show_name(head);
	smart_str_append_printf(&message, "McPatterns\\Key::of(): \"%s\" with ", ZSTR_VAL(name));
	zend_string_release(name);
	append_seen(&message, here);
	smart_str_appends(&message, " and with ");
	append_seen(&message, there);
	smart_str_appends(&message,
		" make two keys, although the parameters are equal by == or in another order");
	smart_str_0(&message);
	return message.s;
}

/* Returns the notice to raise, or NULL; the caller owns it. */
static zend_string *look(mcp_key_drift *drift, zend_string *head, zend_string *likeness,
	const known *entry) {
	const known *alike;
	if (is_known(zend_hash_find_ptr(&drift->known, likeness), entry, &alike)) {
		return NULL;
	}
	if (alike == NULL) {
		keep(drift, likeness, entry);
		return NULL;
	}
	return note_report(drift, &entry->seen) ? write_notice(head, entry, alike) : NULL;
}

bool php_mcp_key_drift_look(zend_string *head, smart_str *canonical, zend_string *key) {
	if (canonical->s == NULL) {
		return true;
	}
	known entry;
	zend_string *likeness = describe(&entry, head, canonical, key);
	entry.seen = this_place();
	zend_string *notice = look(get(), head, likeness, &entry);
	zend_string_release(entry.seen.file);
	zend_string_release(likeness);
	if (notice == NULL) {
		return true;
	}
	zend_error(E_NOTICE, "%s", ZSTR_VAL(notice));
	zend_string_release(notice);
	return EG(exception) == NULL;
}

void php_mcp_key_drift_reset(void) {
	mcp_key_drift *drift = MCP_REQUEST(key_drift);
	if (drift != NULL) {
		MCP_REQUEST(key_drift) = NULL;
		zend_hash_destroy(&drift->known);
		zend_hash_destroy(&drift->reported);
		efree(drift);
	}
}
