/* By what PHP's ext/openssl (xp_ssl.c) and OpenSSL's own list of errors say. The first line that is found counts: the special
 * stands before the general. */
/* SPDX-License-Identifier: MIT */
#include "tls_words.h"

#include <stddef.h>
#include <string.h>

typedef struct meaning {
	const char *part; /* of the warning */
	const char *words;
} meaning;

#define UNTRUSTED "has a certificate that this host does not trust, or that has expired"
#define ANOTHERS "has a certificate for another name than its own"
#define UNACCEPTED "did not accept this client's certificate"
#define NOT_ASKED "was not asked by TLS: "

static const meaning meanings[] = {
	{"certificate verify failed", UNTRUSTED},
	{"did not match expected", ANOTHERS},
	{"Unable to locate peer certificate CN", ANOTHERS},
	{"Could not get peer certificate", "has no certificate"},
	{"fingerprint match failure", "has a certificate with another fingerprint"},
	{"certificate required", "wants a certificate of this client, and was given none"},
	{"alert bad certificate", UNACCEPTED},
	{"alert unknown ca", UNACCEPTED},
	{"alert unsupported certificate", UNACCEPTED},
	{"alert certificate expired", UNACCEPTED},
	{"alert certificate revoked", UNACCEPTED},
	{"alert certificate unknown", UNACCEPTED},
	{"alert access denied", UNACCEPTED},
	{"alert decrypt error", UNACCEPTED},
	{"wrong version number", "does not speak TLS there"},
	{"http request", "does not speak TLS there"},
	{"alert protocol version", "speaks no version of TLS that is allowed here"},
	{"unsupported protocol", "speaks no version of TLS that is allowed here"},
	{"no cipher", "has no cipher in common with this host"},
	{"handshake failure",
		"broke off the TLS handshake: nothing that both would take, or no certificate of this client"},
	{"local cert", NOT_ASKED "this client's own certificate (local_cert) cannot be used"},
	{"private key", NOT_ASKED "this client's own key (local_pk, passphrase) cannot be used"},
	{"cafile", NOT_ASKED "the certificates of cafile or capath cannot be read"},
	{"verify locations", NOT_ASKED "the certificates of cafile or capath cannot be read"},
	{"cipher list", NOT_ASKED "ciphers names none that this host has"},
	{"context creation", NOT_ASKED "OpenSSL does not take the options"},
	{"unexpected eof", "closed the connection within TLS"},
	{"Connection reset", "broke the connection: connection reset"},
	{"Broken pipe", "broke the connection: connection closed"},
};

const char *php_mcp_tls_words_for(const char *warning) {
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strstr(warning, meanings[i].part) != NULL) {
			return meanings[i].words;
		}
	}
	return "broke off, or does not speak TLS as it should";
}
