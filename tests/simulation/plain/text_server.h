/* The server's end of a connection: the part of memcached's text protocol that a cache uses. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_TEXT_SERVER_H
#define PLAIN_TEXT_SERVER_H

#include "plain/world.h"

enum { PLAIN_ANSWER_MAX = 4096 };

/* Views of the received data. */
typedef struct plain_command {
	size_t length; /* of its bytes; 0: incomplete */
	bool is_write;
	sim_request request; /* of a write */
	mcp_bytes line;      /* of other commands, without its end */
} plain_command;

typedef struct plain_answer {
	size_t length;
	char bytes[PLAIN_ANSWER_MAX];
} plain_answer;

/* Parses the first command in this client's data. */
plain_command plain_text_read(mcp_bytes arrived, const plain_client *client);
/* Executes the command and appends its reply. */
void plain_text_carry_out(plain_world *world, const plain_command *command, plain_answer *answer);
void plain_text_add(plain_answer *answer, const char *line);

#endif
