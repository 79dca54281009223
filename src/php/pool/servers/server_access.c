/* Credentials and their fingerprint: a hash of all parts, in which each text is preceded by its length. */
/* SPDX-License-Identifier: MIT */
#include "server_access.h"

#include "../../../core/vendor/sha256.h"
#include "../../tls/tls_stream.h"

static void hash_option(void *context, const void *bytes, size_t length) {
	crypto_hash_sha256_update(context, bytes, length);
}

mcp_server_access *php_mcp_server_access_create(const mcp_server_secret *secret,
	mcp_tls_options *tls) {
	if (!php_mcp_server_secret_is_given(secret) && !php_mcp_tls_options_are_given(tls)) {
		return NULL;
	}
	mcp_server_access *access = pecalloc(1, sizeof(*access), 1);
	access->users = 1;
	access->secret = *secret;
	access->tls = *tls;
	*tls = (mcp_tls_options){0};
	crypto_hash_sha256_state state;
	crypto_hash_sha256_init(&state);
	hash_option(&state, &access->secret.length, sizeof(access->secret.length));
	hash_option(&state, access->secret.text, access->secret.length);
	php_mcp_tls_options_visit(&access->tls, hash_option, &state);
	crypto_hash_sha256_final(&state, access->fingerprint);
	return access;
}

void php_mcp_server_access_free(mcp_server_access *access) {
	if (access != NULL && --access->users == 0) {
		php_mcp_tls_options_free(&access->tls);
		memset(&access->secret, 0, sizeof(access->secret));
		pefree(access, 1);
	}
}

mcp_channel php_mcp_server_access_carrier(const mcp_server_access *access, const char *host) {
	static const mcp_tls_options defaults;
	return php_mcp_channel_stream_create(host, access != NULL ? &access->tls : &defaults);
}
