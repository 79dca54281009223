/* Reads a canonical form (docs/spec/keys.md) and writes one in which numbers have no type, lists no
 * order, and all empty values are one letter. */
/* SPDX-License-Identifier: MIT */
#include "key_similarity.h"

/* The letter that stands in the form for every empty value. */
#define EMPTY 'E'

/* The letters in `empties`. */
enum {
	EMPTY_NULL = 'N',
	EMPTY_FALSE = 'F',
	EMPTY_ZERO = 'i',        /* 0, 0.0 */
	EMPTY_ZERO_STRING = 'z', /* "0" */
	EMPTY_ZERO_TEXT = 'Z',   /* "0.0", " 0" */
	EMPTY_STRING = 's',
	EMPTY_ARRAY = 'a',
};

/* The form is our own: what it says of lengths is believed. */
typedef struct reader {
	const char *at;
} reader;

/* One of a list or map, while it waits to be sorted. */
typedef struct element {
	mcp_key_likeness value;
	const char *key; /* in the canonical form; NULL in a list */
	size_t key_length;
} element;

static void read_value(reader *from, mcp_key_likeness *to);

static zend_long read_number(reader *from) {
	char *end;
	zend_long number = ZEND_STRTOL(from->at, &end, 10);
	from->at = end + 1; /* ';' or ':' */
	return number;
}

static zend_string *read_text(reader *from) {
	size_t length = (size_t)read_number(from);
	const char *bytes = from->at;
	from->at += length;
	return zend_string_init(bytes, length, false);
}

static double read_float(reader *from) {
	uint64_t bits = 0;
	for (int i = 0; i < 8; i++) {
		bits = bits << 8 | (unsigned char)*from->at++;
	}
	double number;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

static void append_empty(mcp_key_likeness *to, char kind) {
	smart_str_appendc(&to->form, EMPTY);
	smart_str_appendc(&to->empties, kind);
}

static void append_text(mcp_key_likeness *to, char type, const char *bytes, size_t length) {
	smart_str_appendc(&to->form, type);
	smart_str_append_unsigned(&to->form, length);
	smart_str_appendc(&to->form, ':');
	smart_str_appendl(&to->form, bytes, length);
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

/* Appends 1.0 as 1, because == says so. */
static void append_float(mcp_key_likeness *to, double number, char kind_of_zero) {
	if (ZEND_DOUBLE_FITS_LONG(number) && (double)(zend_long)number == number) {
		append_whole(to, (zend_long)number, kind_of_zero);
		return;
	}
	smart_str_appendc(&to->form, 'f');
	smart_str_appendl(&to->form, (const char *)&number, sizeof(number));
}

/* Appends a string of digits too long for an integer as text: == compares it as text, too. */
static void append_string(mcp_key_likeness *to, const zend_string *string) {
	zend_long whole;
	double number;
	int overflow = 0;
	bool is_nought = zend_string_equals_literal(string, "0");
	char zero = is_nought ? EMPTY_ZERO_STRING : EMPTY_ZERO_TEXT;
	uint8_t type = is_numeric_string_ex(ZSTR_VAL(string), ZSTR_LEN(string), &whole, &number, false,
		&overflow, NULL);
	if (ZSTR_LEN(string) == 0) {
		append_empty(to, EMPTY_STRING);
	} else if (type == IS_LONG) {
		append_whole(to, whole, zero);
	} else if (type == IS_DOUBLE && overflow == 0) {
		append_float(to, number, zero);
	} else {
		append_text(to, 's', ZSTR_VAL(string), ZSTR_LEN(string));
	}
}

static void read_string(reader *from, mcp_key_likeness *to) {
	zend_string *string = read_text(from);
	append_string(to, string);
	zend_string_release(string);
}

/* Reads the date without the timezone: == compares instants. */
static void read_date(reader *from, mcp_key_likeness *to) {
	zend_string *date = read_text(from);
	append_text(to, 'D', ZSTR_VAL(date), strcspn(ZSTR_VAL(date), " "));
	zend_string_release(date);
}

static void read_class(reader *from, mcp_key_likeness *to, char type) {
	zend_string *class_name = read_text(from);
	append_text(to, type, ZSTR_VAL(class_name), ZSTR_LEN(class_name));
	zend_string_release(class_name);
}

/* Reads a case, which is equal to itself alone, also where its name is a number. */
static void read_enum(reader *from, mcp_key_likeness *to) {
	read_class(from, to, 'e');
	from->at++;
	read_class(from, to, 's');
}

/* Counts as its string. */
static void read_stringable(reader *from, mcp_key_likeness *to) {
	zend_string_release(read_text(from));
	read_value(from, to);
}

static size_t length_of(const smart_str *text) {
	return text->s == NULL ? 0 : ZSTR_LEN(text->s);
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

/* Frees the element's. */
static void append_element(mcp_key_likeness *to, element *part) {
	if (part->key != NULL) {
		smart_str_appendl(&to->form, part->key, part->key_length);
	}
	smart_str_append_smart_str(&to->form, &part->value.form);
	if (length_of(&part->value.empties) > 0) {
		smart_str_append_smart_str(&to->empties, &part->value.empties);
	}
	php_mcp_key_similarity_free(&part->value);
}

static void append_elements(mcp_key_likeness *to, char type, element *parts, size_t count) {
	smart_str_appendc(&to->form, type);
	smart_str_append_unsigned(&to->form, count);
	smart_str_appendc(&to->form, ':');
	for (size_t i = 0; i < count; i++) {
		append_element(to, &parts[i]);
	}
}

static void append_list(mcp_key_likeness *to, element *parts, size_t count) {
	qsort(parts, count, sizeof(*parts), compare_elements);
	append_elements(to, 'l', parts, count);
}

static void read_list(reader *from, mcp_key_likeness *to) {
	size_t count = (size_t)read_number(from);
	if (count == 0) {
		append_empty(to, EMPTY_ARRAY);
		return;
	}
	element *parts = ecalloc(count, sizeof(*parts));
	for (size_t i = 0; i < count; i++) {
		read_value(from, &parts[i].value);
	}
	append_list(to, parts, count);
	efree(parts);
}

/* True if the key is the integer `expected`. */
static bool read_key(reader *from, element *part, size_t expected) {
	part->key = from->at;
	bool is_number = *from->at++ == 'i';
	zend_long number = read_number(from);
	if (!is_number) {
		from->at += number;
	}
	part->key_length = (size_t)(from->at - part->key);
	return is_number && number == (zend_long)expected;
}

static void forget_keys(element *parts, size_t count) {
	for (size_t i = 0; i < count; i++) {
		parts[i].key = NULL;
	}
}

/* Reads a map, whose keys come sorted. If they are a list's, == holds between the two. */
static void read_map(reader *from, mcp_key_likeness *to) {
	size_t count = (size_t)read_number(from);
	bool has_keys_of_list = true;
	element *parts = ecalloc(count, sizeof(*parts));
	for (size_t i = 0; i < count; i++) {
		has_keys_of_list &= read_key(from, &parts[i], i);
		read_value(from, &parts[i].value);
	}
	if (has_keys_of_list) {
		forget_keys(parts, count);
		append_list(to, parts, count);
	} else {
		append_elements(to, 'm', parts, count);
	}
	efree(parts);
}

static void read_value(reader *from, mcp_key_likeness *to) {
	switch (*from->at++) {
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
			read_string(from, to);
			return;
		case 'l':
			read_list(from, to);
			return;
		case 'm':
			read_map(from, to);
			return;
		case 'e':
			read_enum(from, to);
			return;
		case 'D':
			read_date(from, to);
			return;
		case 't':
			read_stringable(from, to);
			return;
		default: /* 'j' */
			read_class(from, to, 'j');
			read_value(from, to);
	}
}

void php_mcp_key_similarity_read(mcp_key_likeness *likeness, const smart_str *canonical) {
	reader from = {ZSTR_VAL(canonical->s)};
	const char *end = from.at + ZSTR_LEN(canonical->s);
	for (size_t i = 0; from.at < end; i++) {
		if (i < MCP_LIKENESS_TYPES_MAX) {
			likeness->types[i] = *from.at;
		}
		read_value(&from, likeness);
	}
}

/* Follows PHP's manual, "Comparison with various types". */
static bool are_equal(char one, char other) {
	static const struct {
		char empty;
		const char *equals;
	} rules[] = {
		{EMPTY_NULL, "NFisa"},
		{EMPTY_FALSE, "NFizsa"},
		{EMPTY_ZERO, "NFizZ"},
		{EMPTY_ZERO_STRING, "FizZ"},
		{EMPTY_ZERO_TEXT, "izZ"},
		{EMPTY_STRING, "NFs"},
		{EMPTY_ARRAY, "NFa"},
	};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (rules[i].empty == one) {
			return strchr(rules[i].equals, other) != NULL;
		}
	}
	return false;
}

bool php_mcp_key_similarity_are_empties_equal(const char *some, const char *others, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (!are_equal(some[i], others[i])) {
			return false;
		}
	}
	return true;
}

void php_mcp_key_similarity_free(mcp_key_likeness *likeness) {
	smart_str_free(&likeness->form);
	smart_str_free(&likeness->empties);
}
