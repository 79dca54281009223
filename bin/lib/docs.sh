# Builds the documentation's site, for bin/docs and bin/test, which also looks at it.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# In Debian 12 mkdocs-material does not bring what colours code.
missing_for_docs() {
	has_command mkdocs && [ -d /usr/share/mkdocs/themes/material ] || find_mkdocs_material || echo mkdocs-material
	has_command python3 && python3 -c 'import pygments' 2> /dev/null || echo python3-pygments
}

# Where it is installed otherwise than by Debian.
find_mkdocs_material() {
	has_command mkdocs && python3 -c 'import material' 2> /dev/null
}

# build_docs FOLDER: what is wrong is in $logs/docs. What stands in the folder stays until the new site is whole.
build_docs() {
	in_group "$logs/docs" make_site "$1"
}

# MkDocs' warnings are errors.
make_site() {
	local sources=$root/.build/docs-sources site=$1.new
	rm -rf "$sources" "$site"
	"$php" "$root/tools/docs/write-site" "$sources" &&
		mkdocs build --strict --quiet --config-file "$sources/mkdocs.yml" --site-dir "$site" &&
		"$php" "$root/tools/docs/check-site" "$site" &&
		rm -rf "$1" && mkdir -p "$(dirname "$1")" && mv "$site" "$1"
}

# A browser computes twice as long as all of the rest: it is for runs that ask for it.
is_site_looked_at() {
	[ "$deep" = yes ] || [[ " ${only[*]} " == *" docs "* ]]
}

test_docs() {
	if ! find_php || ! has_php_modules dom || [ -n "$(missing_for_docs)" ]; then
		count 0 0 1
		stage_without="no site: ${why_not:-there is no $(missing_for_docs | paste -sd' ')}"
		return 0
	fi
	if build_docs "$root/.build/docs"; then
		count 1 0 0
		! is_site_looked_at || run_counted docs-browser "$php" tests/run-docs "$root/.build/docs"
	else
		count 0 1 0
		echo "  FAILED: bin/docs"
		show "$logs/docs"
	fi
}
