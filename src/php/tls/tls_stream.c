/* The socket is put beneath the stream instead of being opened by it: so connecting, waiting and deadlines are those of every
 * other connection here. All calls go through stream_call.h. */
/* SPDX-License-Identifier: MIT */
#include "tls_stream.h"

#include "../engine/bailout.h"
#include "ext/standard/file.h"
#include "php_network.h"
#include "php_streams.h"
#include "stream_call.h"
#include "tls_words.h"

#ifdef PHP_WIN32

/* Says no: carrier_stream.c has no carrier there. */
bool php_mcp_tls_stream_is_supported(void) {
	return false;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Any, but no path: nothing is opened by it. */
#define TRANSPORT "tls"
#define NOT_NOW "was not asked: this process has no memory for it"
/* "tls://[host]:1", and the end. */
#define URL_MAX (255 + 16)

bool php_mcp_tls_stream_is_supported(void) {
	return zend_hash_str_exists(php_stream_xport_get_hash(), ZEND_STRL(TRANSPORT));
}

static mcp_tls_outcome break_with(mcp_tls_stream *self, const char *words) {
	self->words = words;
	return MCP_TLS_BROKEN;
}

/* Runs a call; false, with its reason, if it must not go on. */
static bool run(mcp_tls_stream *self, mcp_stream_call *call) {
	self->words = NULL;
	if (php_mcp_bailout_is_noted() || !php_mcp_stream_call_run(call)) {
		self->words = NOT_NOW;
		return false;
	}
	return true;
}

/* --- opening --- */

typedef struct opening {
	mcp_tls_stream *self;
	int descriptor;
	const char *name;
	const mcp_tls_options *options;
	bool is_open;
} opening;

/* Takes it out of the engine's lists, which end it with the request or before our own connections: from here on it is
 * known to its owner alone. */
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
	zend_list_delete(options->res); /* the stream has it */
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

/* Drops what lives for a request alone, and is needed for the handshake alone. */
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
		self->words = call.warning[0] != '\0'
			? php_mcp_tls_words_for(call.warning)
			: "was not asked by TLS: OpenSSL does not take the options";
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

/* Judges what a step did. Its end, and any warning, is the connection's. */
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

/* Closes it also when a bailout is noted. One that bails out here leaves its memory behind. */
void php_mcp_tls_stream_close(mcp_tls_stream *self) {
	php_stream *stream = self->stream;
	mcp_stream_call call = {.run = free_stream, .context = stream};
	self->stream = NULL;
	if (stream != NULL) {
		php_mcp_stream_call_run(&call);
	}
}

/* Lets TLS say its goodbye to /dev/null. Without that there is nothing to say it to. */
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
