/* Records, per request, which parameters first made which key, and where. Both tables are bounded, so that the memory
 * of a long-running process does not grow. */
/* SPDX-License-Identifier: MIT */
#include "key_drift.h"

#include "../../core/key/key.h"
#include "../objects/failure.h"
#include "php_mcpatterns.h"

/* Zero-initialize; free with free_likeness(). */
typedef struct mcp_key_likeness {
	/* Equal for all parameter lists that differ only in empty values. */
	smart_str form;
	/* A code per empty value, in the order of the form: == holds only between some kinds of empty values. */
	smart_str empties;
} mcp_key_likeness;

/* Placeholder for every empty value. In a form, numbers have no types, and lists have no order. */
#define EMPTY 'E'

/* Codes in `empties`. */
enum {
	EMPTY_NULL = 'N',
	EMPTY_FALSE = 'F',
	EMPTY_ZERO = 'i',        /* 0, 0.0 */
	EMPTY_ZERO_STRING = 'z', /* "0" */
	EMPTY_ZERO_TEXT = 'Z',   /* "0.0", " 0" */
	EMPTY_STRING = 's',
	EMPTY_ARRAY = 'a',
};

/* Element of a list or map, kept until all are sorted. */
typedef struct element {
	mcp_key_likeness value;
	const char *key; /* in the canonical form; NULL in a list */
	size_t key_length;
} element;

static void free_likeness(mcp_key_likeness *likeness) {
	smart_str_free(&likeness->form);
	smart_str_free(&likeness->empties);
}

/* `from`: in this module's own canonical form (docs/spec/keys.md), so its lengths are trusted. */
static void read_value(const char **from, mcp_key_likeness *to);

static zend_long read_number(const char **from) {
	char *end;
	zend_long number = ZEND_STRTOL(*from, &end, 10);
	*from = end + 1; /* ';' or ':' */
	return number;
}

static mcp_bytes read_text(const char **from) {
	size_t length = (size_t)read_number(from);
	*from += length;
	return mcp_bytes_of(*from - length, length);
}

static double read_float(const char **from) {
	uint64_t bits = 0;
	for (int i = 0; i < 8; i++) {
		bits = bits << 8 | (unsigned char)*(*from)++;
	}
	double number;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

static void append_empty(mcp_key_likeness *to, char kind) {
	smart_str_appendc(&to->form, EMPTY);
	smart_str_appendc(&to->empties, kind);
}

static void append_text(mcp_key_likeness *to, char type, mcp_bytes text) {
	smart_str_appendc(&to->form, type);
	smart_str_append_unsigned(&to->form, text.length);
	smart_str_appendc(&to->form, ':');
	smart_str_appendl(&to->form, text.data, text.length);
}

static void append_whole(mcp_key_likeness *to, zend_long number, char kind_of_zero) {
	if (number == 0) {
		append_empty(to, kind_of_zero);
		return;
	}
	smart_str_appendc(&to->form, 'n');
	smart_str_append_long(&to->form, number);
	smart_str_appendc(&to->form, ';');
}

/* Writes 1.0 as 1, because == does not distinguish them. */
static void append_float(mcp_key_likeness *to, double number, char kind_of_zero) {
	if (ZEND_DOUBLE_FITS_LONG(number) && (double)(zend_long)number == number) {
		append_whole(to, (zend_long)number, kind_of_zero);
		return;
	}
	smart_str_appendc(&to->form, 'f');
	smart_str_appendl(&to->form, (const char *)&number, sizeof(number));
}

/* A digit string that is too long for an integer remains text, because == also compares such strings as text. */
static void append_string(mcp_key_likeness *to, mcp_bytes text) {
	zend_long whole;
	double number;
	int overflow = 0;
	/* Copied, because PHP reads a number up to a zero byte. */
	zend_string *string = zend_string_init(text.data, text.length, false);
	bool is_nought = zend_string_equals_literal(string, "0");
	char zero = is_nought ? EMPTY_ZERO_STRING : EMPTY_ZERO_TEXT;
	uint8_t type = is_numeric_string_ex(ZSTR_VAL(string), text.length, &whole, &number, false,
		&overflow, NULL);
	zend_string_release(string);
	if (text.length == 0) {
		append_empty(to, EMPTY_STRING);
	} else if (type == IS_LONG) {
		append_whole(to, whole, zero);
	} else if (type == IS_DOUBLE && overflow == 0) {
		append_float(to, number, zero);
	} else {
		append_text(to, 's', text);
	}
}

static int compare_texts(const smart_str *one, const smart_str *other) {
	if (one->s == NULL || other->s == NULL) {
		return (one->s != NULL) - (other->s != NULL);
	}
	return zend_binary_strcmp(ZSTR_VAL(one->s), ZSTR_LEN(one->s), ZSTR_VAL(other->s),
		ZSTR_LEN(other->s));
}

static int compare_elements(const void *left, const void *right) {
	const mcp_key_likeness *one = &((const element *)left)->value;
	const mcp_key_likeness *other = &((const element *)right)->value;
	int difference = compare_texts(&one->form, &other->form);
	return difference != 0 ? difference : compare_texts(&one->empties, &other->empties);
}

/* True if the key is the integer `expected`. */
static bool read_key(const char **from, element *part, size_t expected) {
	part->key = *from;
	bool is_number = *(*from)++ == 'i';
	zend_long number = read_number(from);
	if (!is_number) {
		*from += number;
	}
	part->key_length = (size_t)(*from - part->key);
	return is_number && number == (zend_long)expected;
}

/* Frees the texts of the parts. */
static void append_parts(mcp_key_likeness *to, bool is_list, element *parts, size_t count) {
	smart_str_appendc(&to->form, is_list ? 'l' : 'm');
	smart_str_append_unsigned(&to->form, count);
	smart_str_appendc(&to->form, ':');
	for (element *part = parts; part < parts + count; part++) {
		if (!is_list) {
			smart_str_appendl(&to->form, part->key, part->key_length);
		}
		smart_str_append_smart_str(&to->form, &part->value.form);
		if (part->value.empties.s != NULL) {
			smart_str_append_smart_str(&to->empties, &part->value.empties);
		}
		free_likeness(&part->value);
	}
}

/* Reads a list, or a map with sorted keys. A map with the keys of a list equals that list under ==. */
static void read_array(const char **from, mcp_key_likeness *to, bool is_map) {
	size_t count = (size_t)read_number(from);
	if (count == 0) {
		append_empty(to, EMPTY_ARRAY);
		return;
	}
	bool is_list = true;
	element *parts = ecalloc(count, sizeof(*parts));
	for (size_t i = 0; i < count; i++) {
		bool has_key_of_list = !is_map || read_key(from, &parts[i], i);
		is_list = is_list && has_key_of_list;
		read_value(from, &parts[i].value);
	}
	if (is_list) {
		qsort(parts, count, sizeof(*parts), compare_elements);
	}
	append_parts(to, is_list, parts, count);
	efree(parts);
}

static void read_value(const char **from, mcp_key_likeness *to) {
	mcp_bytes text;
	char type = *(*from)++;
	switch (type) {
		case 'N':
			append_empty(to, EMPTY_NULL);
			return;
		case 'F':
			append_empty(to, EMPTY_FALSE);
			return;
		case 'T':
			append_whole(to, 1, EMPTY_ZERO);
			return;
		case 'i':
			append_whole(to, read_number(from), EMPTY_ZERO);
			return;
		case 'd':
			append_float(to, read_float(from), EMPTY_ZERO);
			return;
		case 's':
			append_string(to, read_text(from));
			return;
		case 'l':
		case 'm':
			read_array(from, to, type == 'm');
			return;
		case 'e': /* equals only itself, even if its name is numeric */
			append_text(to, 'e', read_text(from));
			(*from)++;
			append_text(to, 's', read_text(from));
			return;
		case 'D': /* without the timezone: == compares instants */
			text = read_text(from);
			text.length = (size_t)((const char *)memchr(text.data, ' ', text.length) - text.data);
			append_text(to, 'D', text);
			return;
		case 't': /* a Stringable object compares as its string */
			read_text(from);
			read_value(from, to);
			return;
		default: /* 'j' */
			append_text(to, 'j', read_text(from));
			read_value(from, to);
	}
}

/* Follows PHP's manual, "Comparison with various types". */
static bool are_empties_equal(char one, char other) {
	static const char *const equals[] = {
		[EMPTY_NULL] = "NFisa",
		[EMPTY_FALSE] = "NFizsa",
		[EMPTY_ZERO] = "NFizZ",
		[EMPTY_ZERO_STRING] = "FizZ",
		[EMPTY_ZERO_TEXT] = "izZ",
		[EMPTY_STRING] = "NFs",
		[EMPTY_ARRAY] = "NFa",
	};
	return strchr(equals[(unsigned char)one], other) != NULL;
}

/* Maximum number of known parameter lists, more than a usual request has: 1 MiB, at about 250 bytes each. A full table
 * is cleared. */
#define KNOWN_MAX 4096
/* Maximum number of reported places. Further reports would add nothing. */
#define REPORTED_MAX 1024
/* Maximum number of empty values that are compared. */
#define EMPTIES_MAX 32
#define TYPES_MAX 8
/* The hash at the end of a key. */
#define HASH_LENGTH 32

typedef struct place {
	zend_string *file; /* a reference */
	uint32_t line;
} place;

/* Parameters seen before. `next`: other parameters with the same likeness that differ in empty values. */
typedef struct known {
	char hash[HASH_LENGTH];
	char empties[EMPTIES_MAX];
	uint8_t empties_count;
	char types[TYPES_MAX + 1]; /* codes of the first parameters in the canonical form */
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

/* Take the empty values. If there are too many to compare, append them to the form, so that they must be equal. */
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

/* Fill in the entry except its place. Returns the lookup key. */
static zend_string *describe(known *entry, zend_string *head, const smart_str *canonical,
	const zend_string *key) {
	mcp_key_likeness likeness = {0};
	smart_str_append_unsigned(&likeness.form, ZSTR_LEN(head));
	smart_str_appendc(&likeness.form, ':');
	smart_str_append(&likeness.form, head);
	*entry = (known){0};
	memcpy(entry->hash, ZSTR_VAL(key) + ZSTR_LEN(key) - HASH_LENGTH, HASH_LENGTH);
	const char *from = ZSTR_VAL(canonical->s);
	const char *end = from + ZSTR_LEN(canonical->s);
	for (size_t i = 0; from < end; i++) {
		if (i < TYPES_MAX) {
			entry->types[i] = *from;
		}
		read_value(&from, &likeness);
	}
	take_empties(entry, &likeness);
	zend_string *hash = zend_string_alloc(HASH_LENGTH, false);
	mcp_key_hash_hex(ZSTR_VAL(hash), MCP_SPACE_CACHE, mcp_bytes_none(),
		mcp_bytes_of(ZSTR_VAL(likeness.form.s), ZSTR_LEN(likeness.form.s)));
	ZSTR_VAL(hash)[HASH_LENGTH] = '\0';
	free_likeness(&likeness);
	return hash;
}

/* True if == holds between the empty values, pair by pair. The forms are equal. */
static bool are_alike(const known *one, const known *other) {
	bool are_equal = one->empties_count == other->empties_count;
	for (size_t i = 0; i < one->empties_count && are_equal; i++) {
		are_equal = are_empties_equal(one->empties[i], other->empties[i]);
	}
	return are_equal;
}

/* True if these parameters were seen before. Otherwise sets `alike` to parameters that are alike but made another key,
 * or to NULL. */
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

static void keep_known(mcp_key_drift *drift, zend_string *likeness, const known *entry) {
	if (drift->known_count == KNOWN_MAX) {
		zend_hash_clean(&drift->known);
		drift->known_count = 0;
	}
	known *kept = emalloc(sizeof(*kept));
	*kept = *entry;
	zend_string_addref(kept->seen.file);
	zval *first = zend_hash_lookup(&drift->known, likeness);
	kept->next = Z_TYPE_P(first) == IS_NULL ? NULL : Z_PTR_P(first);
	ZVAL_PTR(first, kept);
	drift->known_count++;
}

static void append_place(smart_str *text, const place *where) {
	smart_str_append(text, where->file);
	smart_str_appendc(text, ':');
	smart_str_append_unsigned(text, where->line);
}

/* True at the first report for this place. */
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
	static const char *const types[UCHAR_MAX + 1] = {
		['N'] = "null",
		['F'] = "bool",
		['T'] = "bool",
		['i'] = "int",
		['d'] = "float",
		['s'] = "string",
		['l'] = "array",
		['m'] = "array",
	};
	const char *type = types[(unsigned char)letter];
	return type != NULL ? type : "object";
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
	zend_string *name = php_mcp_failure_show_name(mcp_bytes_of(ZSTR_VAL(head), ZSTR_LEN(head)));
	smart_str_append_printf(&message, "McPatterns\\Key::of(): \"%s\" with ", ZSTR_VAL(name));
	zend_string_release(name);
	append_seen(&message, here);
	smart_str_appends(&message, " and with ");
	append_seen(&message, there);
	smart_str_appends(&message,
		" produce different keys, although the parameters are equal by == or differ only in order");
	smart_str_0(&message);
	return message.s;
}

/* Returns the notice to raise, or NULL; the caller owns it. */
static zend_string *compare_with_known(mcp_key_drift *drift, zend_string *head,
	zend_string *likeness, const known *entry) {
	const known *alike;
	if (is_known(zend_hash_find_ptr(&drift->known, likeness), entry, &alike)) {
		return NULL;
	}
	if (alike == NULL) {
		keep_known(drift, likeness, entry);
		return NULL;
	}
	return note_report(drift, &entry->seen) ? write_notice(head, entry, alike) : NULL;
}

void php_mcp_key_drift_record(zend_string *head, const smart_str *canonical, zend_string *key) {
	if (canonical->s == NULL) {
		return;
	}
	known entry;
	zend_string *likeness = describe(&entry, head, canonical, key);
	entry.seen = this_place();
	zend_string *notice = compare_with_known(get(), head, likeness, &entry);
	zend_string_release(entry.seen.file);
	zend_string_release(likeness);
	if (notice != NULL) {
		zend_error(E_NOTICE, "%s", ZSTR_VAL(notice));
		zend_string_release(notice);
	}
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
