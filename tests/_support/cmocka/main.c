/* Runs the tests of a program that has no main() of its own. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

int main(void) {
	return tests_run(NULL, NULL);
}
