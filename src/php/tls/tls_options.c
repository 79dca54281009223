/* Defines the TLS options in one table. Other options of PHP's context are not for clients, or would run user code. */
/* SPDX-License-Identifier: MIT */
#include "tls_options.h"

#include "../objects/failure.h"
#include "php_streams.h"
#include "zend_exceptions.h"

typedef enum kind {
	TEXT,
	SECRET,
	SWITCH,
	METHOD,
} kind;

typedef struct known {
	const char *name;
	kind kind;
} known;

static const known options_known[MCP_TLS_OPTIONS] = {
	[MCP_TLS_CAFILE] = {"cafile", TEXT},
	[MCP_TLS_CAPATH] = {"capath", TEXT},
	[MCP_TLS_PEER_NAME] = {"peer_name", TEXT},
	[MCP_TLS_VERIFY_PEER] = {"verify_peer", SWITCH},
	[MCP_TLS_VERIFY_PEER_NAME] = {"verify_peer_name", SWITCH},
	[MCP_TLS_ALLOW_SELF_SIGNED] = {"allow_self_signed", SWITCH},
	[MCP_TLS_PEER_FINGERPRINT] = {"peer_fingerprint", TEXT},
	[MCP_TLS_LOCAL_CERT] = {"local_cert", TEXT},
	[MCP_TLS_LOCAL_PK] = {"local_pk", TEXT},
	[MCP_TLS_PASSPHRASE] = {"passphrase", SECRET},
	[MCP_TLS_CIPHERS] = {"ciphers", TEXT},
	[MCP_TLS_CRYPTO_METHOD] = {"crypto_method", METHOD},
};

#define METHODS_ALLOWED (STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT | STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT)

const char *php_mcp_tls_options_name(mcp_tls_option option) {
	return options_known[option].name;
}

static zend_string *keep_text(mcp_tls_options *options, mcp_tls_option option, const char *text,
	size_t length) {
	const char *name = options_known[option].name;
	if (length == 0 || memchr(text, '\0', length) != NULL) {
		return zend_strpprintf(0, "have a non-empty string without null bytes for \"%s\"", name);
	}
	if (options->texts[option] != NULL) {
		zend_string_release(options->texts[option]);
	}
	options->texts[option] = zend_string_init(text, length, 1);
	return NULL;
}

/* Accept PHP's constants for TLS 1.2, 1.3 or both. Older ones are rejected. */
static zend_string *keep_method(mcp_tls_options *options, zend_long method) {
	if (method == 0 || (method & ~(zend_long)METHODS_ALLOWED) != 0 || (method & 1) == 0 ||
		method == 1) {
		return zend_strpprintf(0,
			"have STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT, STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT or both"
			" for \"crypto_method\"");
	}
	options->method = method;
	return NULL;
}

static zend_string *refuse_type(mcp_tls_option option, const char *wanted, const zval *given) {
	return zend_strpprintf(0, "have %s for \"%s\", %s given", wanted, options_known[option].name,
		zend_zval_type_name(given));
}

void php_mcp_tls_options_switch(mcp_tls_options *options, mcp_tls_option option, bool is_on) {
	options->is_given[option] = true;
	options->switches[option] = is_on;
}

static zend_string *keep_switch(mcp_tls_options *options, mcp_tls_option option,
	const zval *given) {
	if (Z_TYPE_P(given) != IS_TRUE && Z_TYPE_P(given) != IS_FALSE) {
		return refuse_type(option, "a bool", given);
	}
	php_mcp_tls_options_switch(options, option, Z_TYPE_P(given) == IS_TRUE);
	return NULL;
}

static zend_string *keep(mcp_tls_options *options, mcp_tls_option option, const zval *given) {
	switch (options_known[option].kind) {
		case SWITCH:
			return keep_switch(options, option, given);
		case METHOD:
			return Z_TYPE_P(given) == IS_LONG ? keep_method(options, Z_LVAL_P(given))
											  : refuse_type(option, "an int", given);
		default:
			return Z_TYPE_P(given) == IS_STRING
				? keep_text(options, option, Z_STRVAL_P(given), Z_STRLEN_P(given))
				: refuse_type(option, "a string", given);
	}
}

/* Returns MCP_TLS_OPTIONS if there is no such option. */
static mcp_tls_option find(const zend_string *name) {
	mcp_tls_option option = 0;
	while (option < MCP_TLS_OPTIONS &&
		(name == NULL || strcmp(ZSTR_VAL(name), options_known[option].name) != 0)) {
		option++;
	}
	return option;
}

static zend_string *refuse_name(const zend_string *name) {
	if (name == NULL) {
		return zend_strpprintf(0, "be an array of options by name");
	}
	zend_string *shown = php_mcp_failure_show_name(mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)));
	zend_string *mistake = zend_strpprintf(0,
		"have no \"%s\": the options are cafile, capath, peer_name, verify_peer, verify_peer_name,"
		" allow_self_signed, peer_fingerprint, local_cert, local_pk, passphrase, ciphers and"
		" crypto_method",
		ZSTR_VAL(shown));
	zend_string_release(shown);
	return mistake;
}

zend_string *php_mcp_tls_options_read(mcp_tls_options *options, HashTable *given) {
	zend_string *name, *mistake = NULL;
	zval *value;
	*options = (mcp_tls_options){0};
	ZEND_HASH_FOREACH_STR_KEY_VAL(given, name, value) {
		mcp_tls_option option = find(name);
		ZVAL_DEREF(value);
		if (option == MCP_TLS_OPTIONS) {
			mistake = refuse_name(name);
		} else if (Z_TYPE_P(value) != IS_NULL) {
			mistake = keep(options, option, value);
		}
		if (mistake != NULL) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (mistake != NULL) {
		php_mcp_tls_options_free(options);
	}
	return mistake;
}

/* Parse "TLSv1.2", "TLSv1.3" or both, separated by a comma. */
static zend_string *set_method(mcp_tls_options *options, const char *text) {
	static const struct {
		const char *text;
		zend_long method;
	} methods[] = {
		{"TLSv1.2", STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT},
		{"TLSv1.3", STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT},
		{"TLSv1.2,TLSv1.3", METHODS_ALLOWED},
	};
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		if (strcasecmp(text, methods[i].text) == 0) {
			return keep_method(options, methods[i].method);
		}
	}
	return zend_strpprintf(0, "be \"TLSv1.2\", \"TLSv1.3\" or \"TLSv1.2,TLSv1.3\"");
}

zend_string *php_mcp_tls_options_set(mcp_tls_options *options, mcp_tls_option option,
	const char *text) {
	if (text == NULL || *text == '\0') {
		return NULL;
	}
	return options_known[option].kind == METHOD ? set_method(options, text)
												: keep_text(options, option, text, strlen(text));
}

void php_mcp_tls_options_free(mcp_tls_options *options) {
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		if (options->texts[option] != NULL) {
			zend_string_release(options->texts[option]);
		}
	}
	*options = (mcp_tls_options){0};
}

bool php_mcp_tls_options_are_given(const mcp_tls_options *options) {
	bool are = options->method != 0;
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		are |= options->texts[option] != NULL || options->is_given[option];
	}
	return are;
}

void php_mcp_tls_options_visit(const mcp_tls_options *options,
	void (*visit)(void *context, const void *bytes, size_t length), void *context) {
	visit(context, &options->method, sizeof(options->method));
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		const zend_string *text = options->texts[option];
		size_t length = text != NULL ? ZSTR_LEN(text) : 0;
		visit(context, &length, sizeof(length));
		if (length > 0) {
			visit(context, ZSTR_VAL(text), length);
		}
		visit(context, &options->is_given[option], sizeof(bool));
		visit(context, &options->switches[option], sizeof(bool));
	}
}

static void set_option(php_stream_context *context, mcp_tls_option option, zval *value) {
	php_stream_context_set_option(context, "ssl", options_known[option].name, value);
	zval_ptr_dtor(value);
}

/* Copies the texts: the context belongs to the request. */
struct _php_stream_context *php_mcp_tls_options_context(const mcp_tls_options *options) {
	php_stream_context *context = php_stream_context_alloc();
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		const zend_string *text = options->texts[option];
		zval value;
		if (text != NULL) {
			ZVAL_STRINGL(&value, ZSTR_VAL(text), ZSTR_LEN(text));
		} else if (options->is_given[option]) {
			ZVAL_BOOL(&value, options->switches[option]);
		} else {
			continue;
		}
		set_option(context, option, &value);
	}
	return context;
}

/* Exclude versions before TLS 1.2, unless this host's OpenSSL does so already. */
int php_mcp_tls_options_method(const mcp_tls_options *options) {
	return (int)(options->method != 0 ? options->method : METHODS_ALLOWED);
}

void php_mcp_tls_options_show(zval *array, const mcp_tls_options *options) {
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		const char *name = options_known[option].name;
		const zend_string *text = options->texts[option];
		if (text != NULL && options_known[option].kind == SECRET) {
			add_assoc_bool(array, name, true);
		} else if (text != NULL) {
			add_assoc_stringl(array, name, ZSTR_VAL(text), ZSTR_LEN(text));
		} else if (options->is_given[option]) {
			add_assoc_bool(array, name, options->switches[option]);
		}
	}
	if (options->method != 0) {
		add_assoc_long(array, options_known[MCP_TLS_CRYPTO_METHOD].name, options->method);
	}
}
