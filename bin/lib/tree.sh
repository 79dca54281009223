# What the tools need to know about the source tree: where it is, and which files are whose. Sourced by
# bin/test and tools/*; defines functions and `root`, and runs nothing.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
export LC_ALL=C

# The files that are compiled, one a line, sorted: what config.m4 and config.w32 must list.
tree_sources() {
	(cd "$root" && {
		[ -e mcpatterns.c ] && echo mcpatterns.c
		find src/core src/store src/patterns src/php -name '*.c' ! -path '*/vendor/*' 2>/dev/null | sort
	})
}

# Our own C: neither generated nor vendored.
tree_own_c() {
	(cd "$root" && find . -path ./.build -prune -o -path ./.git -prune -o -type f -name '*.[ch]' \
		! -name '*_arginfo.h' ! -path '*/vendor/*' -print | sed 's,^\./,,' | sort)
}

# Every file of the project, committed or about to be, as git sees it.
tree_files() {
	(cd "$root" && git -c core.quotepath=off ls-files --cached --others --exclude-standard |
		sort -u | while IFS= read -r file; do
			[ -f "$file" ] && printf '%s\n' "$file"
		done)
}
