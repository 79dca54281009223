# What the tools need to know about the source tree: where it is, and which files are whose. Sourced by
# bin/test and tools/*; defines functions and `root`, and runs nothing.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
export LC_ALL=C

# Releases lay the same file out differently, so that one of them must decide: Debian 12's.
deciding_clang_format=14

# Prints nothing where it is not installed.
find_clang_format() {
	local name
	for name in ${CLANG_FORMAT:-} "clang-format-$deciding_clang_format" clang-format; do
		case "$("$name" --version 2> /dev/null)" in
			*"version $deciding_clang_format."*) command -v "$name"; return ;;
		esac
	done
}

# The files that are compiled, one a line, sorted: what config.m4 and config.w32 must list.
tree_sources() {
	(cd "$root" && {
		[ -e mcpatterns.c ] && echo mcpatterns.c
		find src/core src/store src/patterns src/php -name '*.c' ! -path '*/vendor/*' 2>/dev/null | sort
	})
}

# Every file of the project, committed or about to be, as git sees it.
tree_files() {
	(cd "$root" && git -c core.quotepath=off ls-files --cached --others --exclude-standard |
		sort -u | while IFS= read -r file; do
			[ -f "$file" ] && printf '%s\n' "$file"
		done)
}

# Our own C: neither generated nor vendored, nor left behind by configure.
tree_own_c() {
	tree_files | grep -E '\.[ch]$' | grep -vE '_(arginfo|generated)\.h$|/vendor/'
}
