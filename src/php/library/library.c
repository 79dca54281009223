/* Compiles the parts on their first call in a request, and keeps their closures until the request ends. The parts do
 * not declare names, so opcache, preloading and other extensions ignore them. */
/* SPDX-License-Identifier: MIT */
#include "library.h"

#include "../engine/bailout.h"
#include "library_generated.h"
#include "php_mcpatterns.h"
#include "ext/standard/html.h"
#include "main/snprintf.h"
#include "Zend/zend_smart_str.h"
#include "zend_closures.h"
#include "zend_compile.h"

typedef struct part {
	const char *text;
	size_t length;
	const char *file; /* shown in traces */
} part;

#define PART(name) \
	{ name##_text, sizeof(name##_text) - 1, "mcpatterns:" #name ".php" }

static const part parts[MCP_LIBRARY_PARTS] = {
	[MCP_LIBRARY_PROMETHEUS] = PART(prometheus),
	[MCP_LIBRARY_DIAGNOSIS] = PART(diagnosis),
};

/* Creates the closure that a part returns, without executing the part: the part's frame would use the symbol table of
 * the user's function. */
static bool compile(zval *closure, const part *from) {
	zend_string *text = zend_string_init(from->text, from->length, false);
	zend_op_array *code = zend_compile_string(text, from->file, ZEND_COMPILE_POSITION_AT_OPEN_TAG);
	zend_string_release(text);
	ZVAL_NULL(closure);
	if (code == NULL) {
		return false;
	}
	zend_create_closure(closure, (zend_function *)code->dynamic_func_defs[0], NULL, NULL, NULL);
	destroy_op_array(code);
	efree_size(code, sizeof(*code));
	return true;
}

/* Returns a reference to a part's closure; NULL with an exception. The closure must survive Pool::endRequest(), because
 * each compilation uses the engine's arena until the request ends, so the memory of a scraped worker would grow. During
 * the end of the request, keep no closure: RSHUTDOWN might have run already. */
static zend_object *hold(mcp_library_part which) {
	zval *kept =
		MCP_REQUEST(library) == NULL ? NULL : zend_hash_index_find(MCP_REQUEST(library), which);
	if (kept != NULL) {
		GC_ADDREF(Z_OBJ_P(kept));
		return Z_OBJ_P(kept);
	}
	zval made;
	if (!compile(&made, &parts[which])) {
		return NULL;
	}
	if ((EG(flags) & EG_FLAGS_IN_SHUTDOWN) == 0) {
		if (MCP_REQUEST(library) == NULL) {
			MCP_REQUEST(library) = zend_new_array(MCP_LIBRARY_PARTS);
		}
		zend_hash_index_update(MCP_REQUEST(library), which, &made);
		GC_ADDREF(Z_OBJ(made));
	}
	return Z_OBJ(made);
}

bool php_mcp_library_call(mcp_library_part which, zval *arguments, uint32_t count, zval *result) {
	php_mcp_bailout_raise();
	ZVAL_UNDEF(result);
	zend_object *closure = hold(which);
	if (closure != NULL) {
		zval callable;
		ZVAL_OBJ(&callable, closure);
		call_user_function(NULL, NULL, &callable, result, count, arguments);
		OBJ_RELEASE(closure);
	}
	for (uint32_t i = 0; i < count; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
	return EG(exception) == NULL && !Z_ISUNDEF_P(result);
}

void php_mcp_library_release(void) {
	HashTable *closures = MCP_REQUEST(library);
	MCP_REQUEST(library) = NULL;
	if (closures != NULL) {
		zend_array_release(closures);
	}
}

/* --- texts --- */

/* Appends valid UTF-8, because a scraper rejects a page with other bytes. Each invalid byte becomes its own escape,
 * such as \xE9, because one replacement character could make 2 names equal. */
static void append_label(smart_str *text, const zend_string *value) {
	const unsigned char *bytes = (const unsigned char *)ZSTR_VAL(value);
	for (size_t at = 0, end = 0; at < ZSTR_LEN(value); at = end) {
		zend_result result;
		php_next_utf8_char(bytes, ZSTR_LEN(value), &end, &result);
		if (result != SUCCESS) {
			smart_str_append_printf(text, "\\\\x%02X", bytes[at]);
			end = at + 1;
			continue;
		}
		/* A label's value needs a backslash before 3 bytes only. */
		for (size_t i = at; i < end; i++) {
			if (bytes[i] == '\n' || bytes[i] == '"' || bytes[i] == '\\') {
				smart_str_appendc(text, '\\');
			}
			smart_str_appendc(text, bytes[i] == '\n' ? 'n' : (char)bytes[i]);
		}
	}
}

#define UNIT 1024.0

/* For example "64 MiB". */
static void append_bytes(smart_str *text, double number) {
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	size_t unit = 0;
	while (number >= UNIT && unit + 1 < sizeof(units) / sizeof(*units)) {
		number /= UNIT;
		unit++;
	}
	bool is_whole = number == (double)(uint64_t)number;
	smart_str_append_printf(text, is_whole ? "%.0f %s" : "%.1f %s", number, units[unit]);
}

/* For example "3 days". */
static void append_seconds(smart_str *text, double seconds) {
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{86400, "days"}, {3600, "hours"}, {60, "minutes"}};
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (seconds >= 2 * units[i].seconds) {
			smart_str_append_printf(text, "%.0f %s", seconds / units[i].seconds, units[i].name);
			return;
		}
	}
	bool is_whole = seconds == (double)(uint64_t)seconds;
	smart_str_append_printf(text, is_whole ? "%.0f second%s" : "%.3g second%s", seconds,
		seconds == 1 ? "" : "s");
}

static void append_formatted(smart_str *text, const HashTable *pair) {
	const zend_string *kind = Z_STR_P(zend_hash_index_find(pair, 0));
	const zval *value = zend_hash_index_find(pair, 1);
	if (zend_string_equals_literal(kind, "label")) {
		append_label(text, Z_STR_P(value));
	} else if (zend_string_equals_literal(kind, "bytes")) {
		append_bytes(text, zval_get_double((zval *)value));
	} else if (zend_string_equals_literal(kind, "seconds")) {
		append_seconds(text, zval_get_double((zval *)value));
	} else { /* "mode" */
		smart_str_append_printf(text, "%04o", (unsigned)Z_LVAL_P(value));
	}
}

#define NUMBER_MAX 48

static void append_piece(smart_str *text, const zval *piece) {
	if (Z_TYPE_P(piece) == IS_STRING) {
		smart_str_append(text, Z_STR_P(piece));
	} else if (Z_TYPE_P(piece) == IS_LONG) {
		smart_str_append_long(text, Z_LVAL_P(piece));
	} else if (Z_TYPE_P(piece) == IS_DOUBLE) {
		char number[NUMBER_MAX];
		smart_str_appends(text, php_gcvt(Z_DVAL_P(piece), 17, '.', 'e', number));
	} else if (Z_TYPE_P(piece) == IS_ARRAY) {
		append_formatted(text, Z_ARRVAL_P(piece));
	}
}

zend_string *php_mcp_library_join(HashTable *pieces) {
	smart_str text = {0};
	zval *piece;
	ZEND_HASH_FOREACH_VAL(pieces, piece) {
		append_piece(&text, piece);
	}
	ZEND_HASH_FOREACH_END();
	return smart_str_extract(&text);
}
