/* Puts TLS on an existing socket instead of opening one, so that connecting, waiting and deadlines are those of
 * other connections. */
/* SPDX-License-Identifier: MIT */
#include "tls_stream.h"

#include "../engine/bailout.h"
#include "../engine/user_call.h"
#include "zend_exceptions.h"
#include "ext/standard/file.h"
#include "php_globals.h"
#include "php_network.h"
#include "php_streams.h"

#include <stddef.h>
#include <string.h>

/* Size for the start of a warning, with OpenSSL's text. */
#define MCP_STREAM_WARNING_MAX 512

/* A call and its result. */
typedef struct mcp_stream_call {
	void (*run)(void *context);
	void *context;
	char warning[MCP_STREAM_WARNING_MAX]; /* the last suppressed warning; "": none */
} mcp_stream_call;

/* Suppresses warnings: no user handler, no report, no conversion to an exception, and error_get_last() is restored.
 * A fatal error keeps its effects. */

/* Engine state that controls warnings. */
typedef struct listening {
	zval handler;
	mcp_exception_aside exception;
	int reporting;
	zend_error_handling handling;
	zend_execute_data *frame;
	int last_type;
	uint32_t last_line;
	zend_string *last_message, *last_file;
} listening;

/* True if a fatal error was already reported, and this call is the last of the interrupted ones or at request end. */
static bool has_ended_fatally(void) {
	bool is_running = EG(current_execute_data) != NULL;
	return php_mcp_bailout_is_noted() || (CG(unclean_shutdown) && !is_running);
}

static void begin(listening *before) {
	/* Before a fatal error, PHP would report a current exception as a warning, with its __toString(). */
	php_mcp_exception_put_aside(&before->exception);
	ZVAL_COPY_VALUE(&before->handler, &EG(user_error_handler));
	ZVAL_UNDEF(&EG(user_error_handler));
	before->reporting = EG(error_reporting);
	EG(error_reporting) &= has_ended_fatally() ? 0 : E_FATAL_ERRORS;
	before->frame = EG(current_execute_data);
	before->last_type = PG(last_error_type);
	before->last_line = (uint32_t)PG(last_error_lineno);
	before->last_message = PG(last_error_message);
	before->last_file = PG(last_error_file);
	PG(last_error_message) = NULL;
	PG(last_error_file) = NULL;
	zend_replace_error_handling(EH_NORMAL, NULL, &before->handling);
}

static void drop(zend_string *text) {
	if (text != NULL) {
		zend_string_release(text);
	}
}

static void listen_again(listening *before) {
	zend_restore_error_handling(&before->handling);
	ZVAL_COPY_VALUE(&EG(user_error_handler), &before->handler);
	EG(error_reporting) = before->reporting;
	EG(current_execute_data) = before->frame;
	php_mcp_exception_put_back_alone(&before->exception);
}

static void keep_warning(mcp_stream_call *call) {
	const zend_string *message = PG(last_error_message);
	size_t length = 0;
	if (message != NULL) {
		length = MIN(ZSTR_LEN(message), sizeof(call->warning) - 1);
		memcpy(call->warning, ZSTR_VAL(message), length);
	}
	call->warning[length] = '\0';
}

static void end(listening *before, mcp_stream_call *call) {
	listen_again(before);
	keep_warning(call);
	drop(PG(last_error_message));
	drop(PG(last_error_file));
	PG(last_error_message) = before->last_message;
	PG(last_error_file) = before->last_file;
	PG(last_error_type) = before->last_type;
	PG(last_error_lineno) = (int)before->last_line;
}

/* End after a fatal error, which stays the last error. */
static void end_fatally(listening *before, mcp_stream_call *call) {
	listen_again(before);
	drop(before->last_message);
	drop(before->last_file);
	call->warning[0] = '\0';
	php_mcp_bailout_note();
}

/* Run the call. Returns false if it bailed out: the bailout is recorded (bailout.h), and the call is incomplete. */
static bool php_mcp_stream_call_run(mcp_stream_call *call) {
	listening before;
	volatile bool has_returned = false;
	begin(&before);
	zend_try {
		call->run(call->context);
		has_returned = true;
	}
	zend_end_try();
	if (EXPECTED(has_returned)) {
		end(&before, call);
	} else {
		end_fatally(&before, call);
	}
	return has_returned;
}

/* Matches messages of PHP's ext/openssl (xp_ssl.c) and of OpenSSL. The first match counts, so special lines precede
 * general ones. */

typedef struct meaning {
	const char *part; /* of the warning */
	const char *words;
} meaning;

#define UNTRUSTED "has a certificate that this host does not trust, or that has expired"
#define ANOTHERS "has a certificate for a different name"
#define UNACCEPTED "rejected this client's certificate"
#define NOT_ASKED "received no TLS request: "

static const meaning meanings[] = {
	{"certificate verify failed", UNTRUSTED},
	{"did not match expected", ANOTHERS},
	{"Unable to locate peer certificate CN", ANOTHERS},
	{"Could not get peer certificate", "has no certificate"},
	{"fingerprint match failure", "has a certificate with a different fingerprint"},
	{"certificate required", "requires a client certificate, and none was sent"},
	{"alert bad certificate", UNACCEPTED},
	{"alert unknown ca", UNACCEPTED},
	{"alert unsupported certificate", UNACCEPTED},
	{"alert certificate expired", UNACCEPTED},
	{"alert certificate revoked", UNACCEPTED},
	{"alert certificate unknown", UNACCEPTED},
	{"alert access denied", UNACCEPTED},
	{"alert decrypt error", UNACCEPTED},
	{"wrong version number", "does not use TLS on this port"},
	{"http request", "does not use TLS on this port"},
	{"alert protocol version", "supports no version of TLS that is allowed here"},
	{"unsupported protocol", "supports no version of TLS that is allowed here"},
	{"no cipher", "has no cipher in common with this host"},
	{"handshake failure",
		"ended the TLS handshake: no common parameters, or no client certificate"},
	{"local cert", NOT_ASKED "this client's own certificate (local_cert) cannot be used"},
	{"private key", NOT_ASKED "this client's own key (local_pk, passphrase) cannot be used"},
	{"cafile", NOT_ASKED "the certificates of cafile or capath cannot be read"},
	{"verify locations", NOT_ASKED "the certificates of cafile or capath cannot be read"},
	{"cipher list", NOT_ASKED "ciphers names no cipher of this host"},
	{"context creation", NOT_ASKED "OpenSSL rejected the options"},
	{"unexpected eof", "closed the connection without ending TLS"},
	{"Connection reset", "broke the connection: connection reset"},
	{"Broken pipe", "broke the connection: connection closed"},
};

/* Meaning of a PHP warning. Always a fixed text, because a warning may quote a certificate. */
static const char *php_mcp_tls_words_for(const char *warning) {
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strstr(warning, meanings[i].part) != NULL) {
			return meanings[i].words;
		}
	}
	return "ended the connection, or violated the TLS protocol";
}

#ifdef PHP_WIN32

/* Unsupported: carrier_stream.c has no channel on this system. */
bool php_mcp_tls_stream_is_supported(void) {
	return false;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Any name except a path: it opens nothing. */
#define TRANSPORT "tls"
#define NOT_NOW "received no request: this process is out of memory"
/* "tls://[host]:1" and the NUL. */
#define URL_MAX (255 + 16)

bool php_mcp_tls_stream_is_supported(void) {
	return zend_hash_str_exists(php_stream_xport_get_hash(), ZEND_STRL(TRANSPORT));
}

static mcp_tls_outcome break_with(mcp_tls_stream *self, const char *words) {
	self->words = words;
	return MCP_TLS_BROKEN;
}

/* Run a call. Returns false, with its reason, if the stream is broken. */
static bool run(mcp_tls_stream *self, mcp_stream_call *call) {
	self->words = NULL;
	if (php_mcp_bailout_is_noted() || !php_mcp_stream_call_run(call)) {
		self->words = NOT_NOW;
		return false;
	}
	return true;
}

typedef struct opening {
	mcp_tls_stream *self;
	int descriptor;
	const char *name;
	const mcp_tls_options *options;
	bool is_open;
} opening;

/* Remove the stream from the engine's lists, which would close it with the request or before this module's
 * connections. Only its owner knows it afterwards. */
static void make_private(php_stream *stream, const char *id) {
	zend_resource *listed = zend_hash_str_find_ptr(&EG(persistent_list), id, strlen(id));
	if (listed != NULL) {
		listed->type = -1;
		zend_hash_str_del(&EG(persistent_list), id, strlen(id));
	}
	if (stream->res != NULL) {
		stream->res->type = -1;
		stream->res->ptr = NULL;
		zend_list_delete(stream->res);
		stream->res = NULL;
	}
}

static void open_stream(void *context) {
	opening *work = context;
	char url[URL_MAX + 1], id[64];
	bool is_ipv6 = strchr(work->name, ':') != NULL;
	int length = snprintf(url, sizeof(url), is_ipv6 ? TRANSPORT "://[%s]:1" : TRANSPORT "://%s:1",
		work->name);
	snprintf(id, sizeof(id), "mcpatterns|%p|%d", (void *)work->self, work->descriptor);
	php_stream_context *options = php_mcp_tls_options_context(work->options);
	php_stream *stream = php_stream_xport_create(url, (size_t)length, 0, STREAM_XPORT_CLIENT, id,
		NULL, options, NULL, NULL);
	zend_list_delete(options->res); /* owned by the stream */
	if (stream == NULL) {
		return;
	}
	make_private(stream, id);
	stream->flags |= PHP_STREAM_FLAG_NO_BUFFER | PHP_STREAM_FLAG_NO_SEEK;
	php_netstream_data_t *net = stream->abstract;
	net->socket = work->descriptor;
	net->is_blocked = false;
	work->self->stream = stream;
	work->is_open =
		php_stream_xport_crypto_setup(stream,
			(php_stream_xport_crypt_method_t)php_mcp_tls_options_method(work->options), NULL) >= 0;
}

/* Drop data that only the handshake needs and that ends with the request. */
static void drop_context(void *context) {
	php_stream_context_set(context, NULL);
}

bool php_mcp_tls_stream_open(mcp_tls_stream *self, int descriptor, const char *name,
	const mcp_tls_options *options) {
	opening work = {self, descriptor, name, options, false};
	mcp_stream_call call = {.run = open_stream, .context = &work};
	self->stream = NULL;
	bool has_run = run(self, &call);
	if (has_run && work.is_open) {
		return true;
	}
	if (has_run) {
		self->words = call.warning[0] != '\0' ? php_mcp_tls_words_for(call.warning)
											  : NOT_ASKED "OpenSSL rejected the options";
	}
	if (self->stream != NULL) {
		php_netstream_data_t *net = self->stream->abstract;
		net->socket = -1;
		php_mcp_tls_stream_close(self);
	}
	return false;
}

/* --- steps --- */

typedef struct step {
	php_stream *stream;
	char *bytes;
	size_t count;
	ssize_t done;
	int error;
} step;

static void shake(void *context) {
	step *work = context;
	errno = 0;
	work->done = php_stream_xport_crypto_enable(work->stream, 1);
}

mcp_tls_outcome php_mcp_tls_stream_shake_hands(mcp_tls_stream *self) {
	step work = {.stream = self->stream};
	mcp_stream_call call = {.run = shake, .context = &work};
	if (!run(self, &call)) {
		return MCP_TLS_BROKEN;
	}
	if (work.done < 0 || call.warning[0] != '\0') {
		return break_with(self, php_mcp_tls_words_for(call.warning));
	}
	if (work.done == 0) {
		return MCP_TLS_WOULD_WAIT;
	}
	mcp_stream_call end = {.run = drop_context, .context = self->stream};
	return run(self, &end) ? MCP_TLS_DONE : MCP_TLS_BROKEN;
}

static void read_some(void *context) {
	step *work = context;
	errno = 0;
	work->done = work->stream->ops->read(work->stream, work->bytes, work->count);
}

static void write_some(void *context) {
	step *work = context;
	errno = 0;
	work->done = work->stream->ops->write(work->stream, work->bytes, work->count);
}

/* Evaluate a step. An end or a warning breaks the connection. */
static mcp_tls_outcome judge(mcp_tls_stream *self, const mcp_stream_call *call, size_t *length) {
	const step *work = call->context;
	if (work->done > 0) {
		*length = (size_t)work->done;
		return MCP_TLS_DONE;
	}
	if (call->warning[0] != '\0') {
		return break_with(self, php_mcp_tls_words_for(call->warning));
	}
	return work->stream->eof ? break_with(self, NULL) : MCP_TLS_WOULD_WAIT;
}

mcp_tls_outcome php_mcp_tls_stream_read(mcp_tls_stream *self, char *into, size_t room,
	size_t *length) {
	step work = {.stream = self->stream, .bytes = into, .count = room};
	mcp_stream_call call = {.run = read_some, .context = &work};
	return run(self, &call) ? judge(self, &call, length) : MCP_TLS_BROKEN;
}

mcp_tls_outcome php_mcp_tls_stream_write(mcp_tls_stream *self, const char *bytes, size_t count,
	size_t *length) {
	step work = {.stream = self->stream, .bytes = (char *)(uintptr_t)bytes, .count = count};
	mcp_stream_call call = {.run = write_some, .context = &work};
	return run(self, &call) ? judge(self, &call, length) : MCP_TLS_BROKEN;
}

/* --- closing --- */

static void free_stream(void *context) {
	drop_context(context);
	php_stream_free(context, PHP_STREAM_FREE_CLOSE | PHP_STREAM_FREE_RSRC_DTOR);
}

/* Closes even while a bailout is recorded. A bailout here leaks its memory. */
void php_mcp_tls_stream_close(mcp_tls_stream *self) {
	php_stream *stream = self->stream;
	mcp_stream_call call = {.run = free_stream, .context = stream};
	self->stream = NULL;
	if (stream != NULL) {
		php_mcp_stream_call_run(&call);
	}
}

/* Let TLS send its close message to /dev/null. If that cannot be opened, leave it out. */
void php_mcp_tls_stream_disown(mcp_tls_stream *self) {
	if (self->stream == NULL) {
		return;
	}
	php_netstream_data_t *net = self->stream->abstract;
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (nowhere >= 0) {
		dup2(nowhere, net->socket);
		close(nowhere);
	} else {
		close(net->socket);
	}
	php_mcp_tls_stream_close(self);
}

#endif
