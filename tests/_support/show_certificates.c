/* Preloaded into PHP if all tests run over TLS. Each OpenSSL context trusts the authority in the folder
 * MCPATTERNS_TLS and uses its client certificate, unless options of a Pool or stream override this. */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILETYPE_PEM 1

typedef struct ssl_ctx_st context;
typedef struct ssl_method_st method;
typedef context *maker(const method *how);

context *SSL_CTX_new(const method *how);
int SSL_CTX_load_verify_locations(context *made, const char *file, const char *folder);
int SSL_CTX_use_certificate_chain_file(context *made, const char *file);
int SSL_CTX_use_PrivateKey_file(context *made, const char *file, int type);

/* Copied before main(): the workers of php-fpm have no environment. */
static char authority[4096], certificate[4096], key[4096];

__attribute__((constructor)) static void find(void) {
	const char *folder = getenv("MCPATTERNS_TLS");
	if (folder != NULL && strlen(folder) < sizeof(authority) - 32) {
		sprintf(authority, "%s/authority.pem", folder);
		sprintf(certificate, "%s/client.pem", folder);
		sprintf(key, "%s/client.key", folder);
	}
}

context *SSL_CTX_new(const method *how) {
	context *made = ((maker *)dlsym(RTLD_NEXT, "SSL_CTX_new"))(how);
	if (made != NULL && authority[0] != '\0' &&
		(SSL_CTX_load_verify_locations(made, authority, NULL) != 1 ||
			SSL_CTX_use_certificate_chain_file(made, certificate) != 1 ||
			SSL_CTX_use_PrivateKey_file(made, key, FILETYPE_PEM) != 1)) {
		fputs("show_certificates.c: the certificates cannot be used\n", stderr);
	}
	return made;
}
