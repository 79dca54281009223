/* The server's side of a connection: memcached's text protocol, as far as a cache speaks it. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_TEXT_SERVER_H
#define PLAIN_TEXT_SERVER_H

#include "plain/world.h"

enum { PLAIN_ANSWER_MAX = 4096 };

/* The views point into what has arrived. */
typedef struct plain_command {
	size_t length; /* of its bytes; 0: it has not arrived as a whole */
	bool is_write;
	sim_request request; /* of a write */
	mcp_bytes line;      /* of anything else, without its end */
} plain_command;

typedef struct plain_answer {
	size_t length;
	char bytes[PLAIN_ANSWER_MAX];
} plain_answer;

/* Reads the first command of what this client has sent. */
plain_command plain_text_read(mcp_bytes arrived, const plain_client *client);
/* Carries it out, and puts its answer behind what stands there. */
void plain_text_carry_out(plain_world *world, const plain_command *command, plain_answer *answer);
void plain_text_add(plain_answer *answer, const char *line);

#endif
