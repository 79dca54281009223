/* No mistake says what was given for a secret. */
/* SPDX-License-Identifier: MIT */
#include "access_arguments.h"

#include "php_mcpatterns.h"

/* Where they stand in the constructor's signature. */
enum {
	TLS_ARGUMENT = 15,
	USER_ARGUMENT,
	PASSWORD_ARGUMENT,
};

#define USER_SETTING "mcpatterns.user"
#define PASSWORD_SETTING "mcpatterns.password"
#define DIRECT_ALONE "not be given without Transport::Direct: libmemcached "

static mcp_bytes bytes_of(const zend_string *text) {
	return text != NULL ? mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text)) : mcp_bytes_of("", 0);
}

static mcp_access_mistake none(void) {
	return (mcp_access_mistake){0};
}

static mcp_access_mistake at_password(zend_string *words) {
	return (mcp_access_mistake){PASSWORD_ARGUMENT, PASSWORD_SETTING, words};
}

/* Reads both or neither. */
static mcp_access_mistake read_secret(mcp_server_secret *secret, bool has_user, mcp_bytes user,
	bool has_password, mcp_bytes password) {
	if (!has_user && !has_password) {
		return none();
	}
	if (!has_password) {
		return at_password(zend_strpprintf(0, "be given with a user"));
	}
	if (!has_user) {
		return (mcp_access_mistake){USER_ARGUMENT, USER_SETTING,
			zend_strpprintf(0, "be given with a password")};
	}
	return at_password(php_mcp_server_secret_make(secret, user, password));
}

mcp_access_mistake php_mcp_access_arguments_read(const mcp_access_arguments *arguments,
	mcp_server_access **access) {
	mcp_server_secret secret = {0};
	mcp_tls_options tls = {0};
	*access = NULL;
	mcp_access_mistake mistake = read_secret(&secret, arguments->user != NULL,
		bytes_of(arguments->user), arguments->password != NULL, bytes_of(arguments->password));
	if (mistake.words == NULL && arguments->tls != NULL) {
		mistake = (mcp_access_mistake){TLS_ARGUMENT, NULL,
			php_mcp_tls_options_read(&tls, arguments->tls)};
	}
	if (mistake.words == NULL) {
		*access = php_mcp_server_access_create(&secret, &tls);
	}
	return mistake;
}

static mcp_bytes setting_of(const char *text) {
	return mcp_bytes_of(text, strlen(text));
}

/* The settings by name, where a mistake is possible. */
static const char *const settings[MCP_TLS_OPTIONS] = {
	[MCP_TLS_CAFILE] = "mcpatterns.tls_cafile",
	[MCP_TLS_CAPATH] = "mcpatterns.tls_capath",
	[MCP_TLS_PEER_NAME] = "mcpatterns.tls_peer_name",
	[MCP_TLS_PEER_FINGERPRINT] = "mcpatterns.tls_peer_fingerprint",
	[MCP_TLS_LOCAL_CERT] = "mcpatterns.tls_local_cert",
	[MCP_TLS_LOCAL_PK] = "mcpatterns.tls_local_pk",
	[MCP_TLS_PASSPHRASE] = "mcpatterns.tls_passphrase",
	[MCP_TLS_CIPHERS] = "mcpatterns.tls_ciphers",
	[MCP_TLS_CRYPTO_METHOD] = "mcpatterns.tls_crypto_method",
};

/* Takes the switches where they say something else than PHP's own defaults do. */
static void read_switches(mcp_tls_options *tls) {
	if (!MCP_G(tls_verify_peer)) {
		php_mcp_tls_options_switch(tls, MCP_TLS_VERIFY_PEER, false);
	}
	if (!MCP_G(tls_verify_peer_name)) {
		php_mcp_tls_options_switch(tls, MCP_TLS_VERIFY_PEER_NAME, false);
	}
	if (MCP_G(tls_allow_self_signed)) {
		php_mcp_tls_options_switch(tls, MCP_TLS_ALLOW_SELF_SIGNED, true);
	}
}

static mcp_access_mistake read_tls_settings(mcp_tls_options *tls) {
	read_switches(tls);
	for (mcp_tls_option option = 0; option < MCP_TLS_OPTIONS; option++) {
		zend_string *words = settings[option] != NULL
			? php_mcp_tls_options_set(tls, option, MCP_G(tls)[option])
			: NULL;
		if (words != NULL) {
			php_mcp_tls_options_free(tls);
			return (mcp_access_mistake){0, settings[option], words};
		}
	}
	return none();
}

mcp_access_mistake php_mcp_access_arguments_read_settings(mcp_server_access **access) {
	mcp_server_secret secret = {0};
	mcp_tls_options tls = {0};
	mcp_bytes user = setting_of(MCP_G(server_user)), password = setting_of(MCP_G(server_password));
	*access = NULL;
	mcp_access_mistake mistake =
		read_secret(&secret, user.length > 0, user, password.length > 0, password);
	if (mistake.words == NULL) {
		mistake = read_tls_settings(&tls);
	}
	if (mistake.words == NULL) {
		*access = php_mcp_server_access_create(&secret, &tls);
	}
	return mistake;
}

mcp_access_mistake php_mcp_access_arguments_refuse(const mcp_server_access *access) {
	if (access == NULL) {
		return none();
	}
	if (php_mcp_server_secret_is_given(&access->secret)) {
		return at_password(zend_strpprintf(0, DIRECT_ALONE "cannot say it"));
	}
	return (mcp_access_mistake){TLS_ARGUMENT, "mcpatterns.transport",
		zend_strpprintf(0, DIRECT_ALONE "has no TLS")};
}
