/* The TLS channel: runs PHP's TLS on an existing socket, so that connecting, waiting and deadlines are the same as for
 * other connections. Waits for the socket itself, so that deadlines hold even if records arrive slowly. Not linked to
 * OpenSSL. */
/* SPDX-License-Identifier: MIT */
#include "tls_stream.h"

#include "php.h"

#ifdef PHP_WIN32

/* Unsupported: PHP's streams over Winsock sockets are untested here, so tls:// is rejected. */
bool php_mcp_tls_stream_is_supported(void) {
	return false;
}

mcp_channel php_mcp_channel_stream_create(const char *name, const mcp_tls_options *options) {
	(void)name;
	(void)options;
	return (mcp_channel){0};
}

#else

#include "../engine/bailout.h"
#include "../engine/user_call.h"
#include "zend_exceptions.h"
#include "ext/standard/file.h"
#include "php_globals.h"
#include "php_network.h"
#include "php_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Name of the stream: any name that is not a path, because nothing is opened. */
#define TRANSPORT "tls"
#define NOT_NOW "received no request: this process is out of memory"
/* "tls://[host]:1" and the NUL. */
#define URL_MAX (255 + 16)
/* Maximum size of a record (RFC 8446, section 5.1). */
#define RECORD_MAX 16384
/* Size for the start of a warning, with OpenSSL's text. */
#define WARNING_MAX 512

bool php_mcp_tls_stream_is_supported(void) {
	return zend_hash_str_exists(php_stream_xport_get_hash(), ZEND_STRL(TRANSPORT));
}

/* malloc'ed. The wire knows only its socket, which must be the first member. */
typedef struct stream_socket {
	mcp_socket socket;
	php_stream *stream; /* outlives requests; NULL: closed */
	/* reason for a failure, in this module's words; NULL: closed without a reason */
	const char *words;
	const mcp_tls_options *options;
	/* the last read filled its buffer, so more data can be available even if the socket is not readable */
	bool may_have_more;
	bool has_early; /* a byte read by is_silent() */
	char early;
	char record[RECORD_MAX];
	char name[]; /* NUL-terminated */
} stream_socket;

static stream_socket *of(mcp_socket *socket) {
	return (stream_socket *)socket;
}

/* --- calls of PHP's stream --- */

/* A call of the stream, and its result. */
typedef struct stream_call {
	stream_socket *self;
	char *bytes; /* bytes to write, or buffer to read into */
	size_t count;
	ssize_t done;
	char warning[WARNING_MAX]; /* the last suppressed warning; "": none */
} stream_call;

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

/* True if a fatal error has been reported, and this call is the last of the interrupted calls, or runs at request
 * end. */
static bool has_ended_fatally(void) {
	bool is_running = EG(current_execute_data) != NULL;
	return php_mcp_bailout_is_noted() || (CG(unclean_shutdown) && !is_running);
}

static void begin_listening(listening *before) {
	/* PHP would report a current exception as a warning before a fatal error, and would run the exception's
	 * __toString(). */
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

/* End a call. A fatal error remains the last error. */
static void end_listening(listening *before, stream_call *call, bool has_returned) {
	zend_restore_error_handling(&before->handling);
	ZVAL_COPY_VALUE(&EG(user_error_handler), &before->handler);
	EG(error_reporting) = before->reporting;
	EG(current_execute_data) = before->frame;
	php_mcp_exception_put_back_alone(&before->exception);
	call->warning[0] = '\0';
	if (UNEXPECTED(!has_returned)) {
		drop(before->last_message);
		drop(before->last_file);
		php_mcp_bailout_note();
		return;
	}
	if (PG(last_error_message) != NULL) {
		strlcpy(call->warning, ZSTR_VAL(PG(last_error_message)), sizeof(call->warning));
	}
	drop(PG(last_error_message));
	drop(PG(last_error_file));
	PG(last_error_message) = before->last_message;
	PG(last_error_file) = before->last_file;
	PG(last_error_type) = before->last_type;
	PG(last_error_lineno) = (int)before->last_line;
}

/* Returns false if the call bailed out: the bailout is recorded (bailout.h), and the call is incomplete. */
static bool run_even_now(stream_call *call, void (*step)(stream_call *)) {
	listening before;
	volatile bool has_returned = false;
	begin_listening(&before);
	zend_try {
		step(call);
		has_returned = true;
	}
	zend_end_try();
	end_listening(&before, call, has_returned);
	return has_returned;
}

/* Returns false if the stream is broken. `words` of the socket is then the reason. */
static bool run(stream_call *call, void (*step)(stream_call *)) {
	call->self->words = NULL;
	if (php_mcp_bailout_is_noted() || !run_even_now(call, step)) {
		call->self->words = NOT_NOW;
		return false;
	}
	return true;
}

/* Remove the stream from the engine's lists, which would close it at request end or before this module's connections.
 * Afterwards, only its owner refers to it. */
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

static void open_stream(stream_call *call) {
	stream_socket *self = call->self;
	char url[URL_MAX + 1], id[64];
	bool is_ipv6 = strchr(self->name, ':') != NULL;
	int length = snprintf(url, sizeof(url), is_ipv6 ? TRANSPORT "://[%s]:1" : TRANSPORT "://%s:1",
		self->name);
	snprintf(id, sizeof(id), "mcpatterns|%p|%d", (void *)self, self->socket.descriptor);
	php_stream_context *options = php_mcp_tls_options_context(self->options);
	php_stream *stream = php_stream_xport_create(url, (size_t)length, 0, STREAM_XPORT_CLIENT, id,
		NULL, options, NULL, NULL);
	zend_list_delete(options->res); /* owned by the stream */
	if (stream == NULL) {
		return;
	}
	make_private(stream, id);
	stream->flags |= PHP_STREAM_FLAG_NO_BUFFER | PHP_STREAM_FLAG_NO_SEEK;
	php_netstream_data_t *net = stream->abstract;
	net->socket = self->socket.descriptor;
	net->is_blocked = false;
	self->stream = stream;
	call->done = php_stream_xport_crypto_setup(stream,
		(php_stream_xport_crypt_method_t)php_mcp_tls_options_method(self->options), NULL);
}

/* Drop data that only the handshake needs and that ends with the request. */
static void drop_context(stream_call *call) {
	php_stream_context_set(call->self->stream, NULL);
}

static void shake(stream_call *call) {
	errno = 0;
	call->done = php_stream_xport_crypto_enable(call->self->stream, 1);
}

static void read_some(stream_call *call) {
	php_stream *stream = call->self->stream;
	errno = 0;
	call->done = stream->ops->read(stream, call->bytes, call->count);
}

static void write_some(stream_call *call) {
	php_stream *stream = call->self->stream;
	errno = 0;
	call->done = stream->ops->write(stream, call->bytes, call->count);
}

static void free_stream(stream_call *call) {
	php_stream *stream = call->self->stream;
	call->self->stream = NULL;
	php_stream_context_set(stream, NULL);
	php_stream_free(stream, PHP_STREAM_FREE_CLOSE | PHP_STREAM_FREE_RSRC_DTOR);
}

/* Matches messages of PHP's ext/openssl (xp_ssl.c) and of OpenSSL. The first match counts, so special rows precede
 * general rows. */

typedef struct meaning {
	const char *part; /* part of the warning */
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

/* Meaning of a PHP warning. Always a fixed text, because a warning can quote a certificate. */
static const char *words_for(const char *warning) {
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (strstr(warning, meanings[i].part) != NULL) {
			return meanings[i].words;
		}
	}
	return "ended the connection, or violated the TLS protocol";
}

/* --- opening and closing --- */

/* Close the stream and its descriptor, even while a bailout is recorded. A bailout during this call leaks the stream's
 * memory. */
static void close_stream(stream_socket *self) {
	stream_call call = {.self = self};
	if (self->stream != NULL) {
		run_even_now(&call, free_stream);
	}
}

static void close_all(mcp_socket *socket) {
	stream_socket *self = of(socket);
	close_stream(self);
	socket->descriptor = -1;
	self->may_have_more = false;
	self->has_early = false;
}

/* Let TLS send its close message to /dev/null, so that neither the peer nor the parent notices. If /dev/null cannot be
 * opened, send no close message. */
static void disown(mcp_socket *socket) {
	const php_stream *stream = of(socket)->stream;
	if (stream != NULL) {
		php_netstream_data_t *net = stream->abstract;
		int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (nowhere >= 0) {
			dup2(nowhere, net->socket);
			close(nowhere);
		} else {
			close(net->socket);
		}
	}
	close_all(socket);
}

static mcp_socket_outcome broken(stream_socket *self) {
	self->socket.error = 0;
	return MCP_SOCKET_BROKEN;
}

/* Wait again after a record without data. Checks the deadline, because the socket never stops being ready if the peer
 * keeps sending such records. */
static mcp_socket_outcome await_more(stream_socket *self, mcp_socket_readiness readiness,
	mcp_deadline *deadline) {
	return mcp_deadline_left_ms(deadline) > 0 ? mcp_socket_await(&self->socket, readiness, deadline)
											  : MCP_SOCKET_LATE;
}

/* Put the stream on the connected socket. Returns false on failure; the caller then keeps the descriptor. */
static bool open_on_socket(stream_socket *self) {
	stream_call call = {.self = self, .done = -1};
	bool has_run = run(&call, open_stream);
	if (has_run && call.done >= 0) {
		return true;
	}
	if (has_run) {
		self->words = call.warning[0] != '\0' ? words_for(call.warning)
											  : NOT_ASKED "OpenSSL rejected the options";
	}
	if (self->stream != NULL) {
		php_netstream_data_t *net = self->stream->abstract;
		net->socket = -1;
		close_stream(self);
	}
	return false;
}

static mcp_socket_outcome shake_hands(stream_socket *self, mcp_deadline *deadline) {
	for (;;) {
		stream_call call = {.self = self};
		if (!run(&call, shake)) {
			return broken(self);
		}
		if (call.done < 0 || call.warning[0] != '\0') {
			self->words = words_for(call.warning);
			return broken(self);
		}
		if (call.done > 0) {
			return run(&call, drop_context) ? MCP_SOCKET_DONE : broken(self);
		}
		/* TLS's own messages fit any socket buffer, so wait only for the reply. */
		mcp_socket_outcome outcome = await_more(self, MCP_SOCKET_TO_RECEIVE, deadline);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome;
		}
	}
}

static mcp_socket_outcome connect_all(mcp_socket *socket, const mcp_socket_address *address,
	mcp_deadline *deadline, uint32_t answer_timeout_ms) {
	stream_socket *self = of(socket);
	self->words = NULL;
	mcp_socket_outcome outcome = mcp_socket_connect(socket, address, deadline, answer_timeout_ms);
	if (outcome != MCP_SOCKET_DONE) {
		return outcome;
	}
	fcntl(socket->descriptor, F_SETFL, fcntl(socket->descriptor, F_GETFL) | O_NONBLOCK);
	if (!open_on_socket(self)) {
		mcp_socket_close(socket);
		return broken(self);
	}
	outcome = shake_hands(self, deadline);
	if (outcome != MCP_SOCKET_DONE) {
		const char *words =
			self->words != NULL ? self->words : "closed the connection during the TLS handshake";
		close_all(socket);
		self->words = outcome == MCP_SOCKET_BROKEN ? words : NULL;
	}
	return outcome;
}

/* --- sending and receiving --- */

typedef enum step_outcome {
	STEP_DONE,
	STEP_WOULD_WAIT, /* the peer must send or receive first */
	STEP_BROKEN,
} step_outcome;

/* Read or write without waiting. *length is above 0 if bytes were read or written. An end of the stream or a warning
 * breaks the connection. */
static step_outcome take_step(stream_socket *self, void (*step)(stream_call *), char *bytes,
	size_t count, size_t *length) {
	stream_call call = {.self = self, .bytes = bytes, .count = count};
	*length = 0;
	if (!run(&call, step)) {
		return STEP_BROKEN;
	}
	if (call.done > 0) {
		*length = (size_t)call.done;
		return STEP_DONE;
	}
	if (call.warning[0] != '\0') {
		self->words = words_for(call.warning);
		return STEP_BROKEN;
	}
	return self->stream->eof ? STEP_BROKEN : STEP_WOULD_WAIT;
}

/* Fail in a send. If the peer sent a last message before it closed the connection, this message gives a better
 * reason. */
static mcp_socket_outcome broken_in_send(stream_socket *self) {
	size_t length;
	char byte;
	const char *sent = self->words;
	if (take_step(self, read_some, &byte, 1, &length) != STEP_BROKEN || self->words == NULL) {
		self->words = sent;
	}
	return broken(self);
}

/* Send as many bytes as possible without waiting. *sent is above 0 if bytes were sent. A record that was partly sent
 * counts as sent, because it can still arrive. */
static step_outcome write_now(stream_socket *self, const char *bytes, size_t count, size_t *sent) {
	step_outcome outcome = take_step(self, write_some, (char *)(uintptr_t)bytes, count, sent);
	self->socket.took_nothing &= outcome == STEP_BROKEN;
	return outcome;
}

static mcp_socket_outcome send_bytes(stream_socket *self, const char *bytes, size_t count,
	mcp_deadline *deadline) {
	bool has_waited = false;
	while (count > 0) {
		size_t sent;
		step_outcome written = write_now(self, bytes, count, &sent);
		if (written == STEP_BROKEN) {
			return broken_in_send(self);
		}
		deadline->moved += has_waited ? sent : 0;
		bytes += sent;
		count -= sent;
		if (written == STEP_WOULD_WAIT) {
			has_waited = true;
			mcp_socket_outcome outcome = await_more(self, MCP_SOCKET_TO_SEND, deadline);
			if (outcome != MCP_SOCKET_DONE) {
				return outcome;
			}
		}
	}
	return MCP_SOCKET_DONE;
}

static mcp_socket_outcome send_all(mcp_socket *socket, const mcp_bytes *pieces, size_t number,
	mcp_deadline *deadline) {
	stream_socket *self = of(socket);
	size_t filled = 0;
	socket->took_nothing = true;
	for (size_t i = 0; i < number; i++) {
		for (size_t at = 0; at < pieces[i].length;) {
			size_t part = MIN(pieces[i].length - at, RECORD_MAX - filled);
			memcpy(self->record + filled, pieces[i].data + at, part);
			at += part;
			filled += part;
			if (filled < RECORD_MAX) {
				continue;
			}
			mcp_socket_outcome outcome = send_bytes(self, self->record, filled, deadline);
			if (outcome != MCP_SOCKET_DONE) {
				return outcome;
			}
			filled = 0;
		}
	}
	return send_bytes(self, self->record, filled, deadline);
}

static size_t try_to_send(mcp_socket *socket, mcp_bytes bytes) {
	size_t sent;
	socket->took_nothing = true;
	write_now(of(socket), bytes.data, bytes.length, &sent);
	return sent;
}

static step_outcome read_now(stream_socket *self, char *into, size_t size, size_t *received) {
	step_outcome outcome = take_step(self, read_some, into, size, received);
	self->may_have_more = outcome == STEP_DONE && *received == size;
	return outcome;
}

static mcp_socket_outcome receive(mcp_socket *socket, char *into, size_t size,
	mcp_deadline *deadline, size_t *received) {
	stream_socket *self = of(socket);
	*received = 0;
	if (self->has_early) {
		self->has_early = false;
		into[0] = self->early;
		*received = 1;
		return MCP_SOCKET_DONE;
	}
	mcp_socket_outcome outcome = self->may_have_more
		? MCP_SOCKET_DONE
		: mcp_socket_await(socket, MCP_SOCKET_TO_RECEIVE, deadline);
	while (outcome == MCP_SOCKET_DONE) {
		step_outcome read = read_now(self, into, size, received);
		if (read == STEP_DONE) {
			deadline->moved += *received;
			break;
		}
		outcome =
			read == STEP_BROKEN ? broken(self) : await_more(self, MCP_SOCKET_TO_RECEIVE, deadline);
	}
	return outcome;
}

/* Check by reading, because TLS's own messages (a session ticket) are not data. A byte that is read is kept. */
static bool is_silent(mcp_socket *socket) {
	stream_socket *self = of(socket);
	size_t received;
	if (self->has_early) {
		return false;
	}
	if (!self->may_have_more && mcp_socket_is_silent(socket)) {
		return true;
	}
	step_outcome outcome = read_now(self, &self->early, 1, &received);
	self->has_early = outcome == STEP_DONE;
	return outcome == STEP_WOULD_WAIT;
}

/* Returns a duplicate of the descriptor. Closing the stream sends TLS's close message, after which no more data
 * follows. */
static mcp_socket let_go(mcp_socket *socket) {
	mcp_socket bare = *socket;
	bare.descriptor = fcntl(socket->descriptor, F_DUPFD_CLOEXEC, 0);
	close_all(socket);
	return bare;
}

static const char *words(const mcp_socket *socket) {
	return ((const stream_socket *)socket)->words;
}

static void free_closed(mcp_socket *socket) {
	free(of(socket));
}

static const mcp_channel_operations operations = {
	.connect = connect_all,
	.send = send_all,
	.try_to_send = try_to_send,
	.receive = receive,
	.is_silent = is_silent,
	.close = close_all,
	.disown = disown,
	.let_go = let_go,
	.words = words,
	.free = free_closed,
};

mcp_channel php_mcp_channel_stream_create(const char *name, const mcp_tls_options *options) {
	size_t length = strlen(name) + 1;
	stream_socket *self = pecalloc(1, sizeof(*self) + length, 1);
	self->socket.descriptor = -1;
	self->options = options;
	memcpy(self->name, name, length);
	return (mcp_channel){&operations, &self->socket};
}

#endif
