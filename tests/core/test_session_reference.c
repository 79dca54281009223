/* Merges tens of thousands of random sessions that PHP has written, and lets PHP read each back: session_engine.php, which
 * it runs as a child, says whether the merge of the bytes is the merge of what they stand for. Asks for a PHP in the
 * path, or in the environment's PHP, that has sessions. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../src/core/session/session_parts.h"
#define RUNS_OF_EACH_FORMAT "12500"

typedef struct engine {
	pid_t pid;
	FILE *requests, *answers;
} engine;

static engine start(void) {
	int requests[2], answers[2];
	assert_int_equal(0, pipe(requests));
	assert_int_equal(0, pipe(answers));
	engine new = {.pid = fork()};
	if (new.pid == 0) {
		const char *php = getenv("PHP") != NULL ? getenv("PHP") : "php";
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(answers[0], STDIN_FILENO);
		dup2(requests[1], STDOUT_FILENO);
		close(requests[0]);
		close(answers[1]);
		execlp(php, php, "tests/core/session_engine.php", RUNS_OF_EACH_FORMAT, (char *)NULL);
		_exit(127);
	}
	close(requests[1]);
	close(answers[0]);
	new.requests = fdopen(requests[0], "rb");
	new.answers = fdopen(answers[1], "wb");
	return new;
}

static bool read_request(engine *from, mcp_session_versions *of, char **bytes) {
	uint32_t head[5];
	if (fread(head, sizeof(head), 1, from->requests) != 1) {
		return false;
	}
	size_t length = (size_t)head[2] + head[3] + head[4];
	*bytes = malloc(length + 1);
	assert_int_equal(length, fread(*bytes, 1, length, from->requests));
	*of = (mcp_session_versions){
		.format = (mcp_session_format)head[0],
		.depth = head[1],
		.base = mcp_bytes_of(*bytes, head[2]),
		.mine = mcp_bytes_of(*bytes + head[2], head[3]),
		.theirs = mcp_bytes_of(*bytes + head[2] + head[3], head[4]),
	};
	return true;
}

static void answer(engine *to, const mcp_session_versions *of, mcp_session_arena room) {
	mcp_session_merged merged;
	bool is_merged = mcp_session_merge(of, &room, &merged);
	assert_false(mcp_session_arena_is_short(&room));
	int32_t head[2] = {is_merged ? (int32_t)merged.data.length : -1, (int32_t)merged.conflicts};
	fwrite(head, sizeof(head), 1, to->answers);
	if (is_merged) {
		fwrite(merged.data.data, 1, merged.data.length, to->answers);
	}
	fflush(to->answers);
}

TEST(the_engine_reads_what_was_merged) {
	enum { ROOM = 8 << 20 };
	char *memory = malloc(ROOM), *bytes;
	mcp_session_versions of;
	int status;
	engine with = start();
	while (read_request(&with, &of, &bytes)) {
		answer(&with, &of, mcp_session_arena_of(memory, ROOM));
		free(bytes);
	}
	fclose(with.requests);
	fclose(with.answers);
	assert_int_equal(with.pid, waitpid(with.pid, &status, 0));
	assert_true(WIFEXITED(status));
	assert_int_equal(0, WEXITSTATUS(status));
	free(memory);
}
