# Builds the documentation's site, for bin/docs and bin/test, which also looks at it.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# In Debian 12 mkdocs-material does not bring what colours code. One package a line.
missing_for_docs() {
	has_command mkdocs && { [ -d /usr/share/mkdocs/themes/material ] || has_python_module material; } || echo mkdocs-material
	has_python_module mkdocs_redirects || echo mkdocs-redirects
	has_python_module lxml || echo python3-lxml
	has_python_module pygments || echo python3-pygments
}

# Of Debian's Python, which mkdocs runs by.
has_python_module() {
	/usr/bin/python3 -c "import $1" 2> /dev/null
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
		"$root/tools/docs/check-site" "$site" &&
		rm -rf "$1" && mkdir -p "$(dirname "$1")" && mv "$site" "$1"
}

# A browser computes twice as long as all of the rest: it is for runs that ask for it.
is_site_looked_at() {
	wants docs && { [ "$deep" = yes ] || is_in docs "${only[*]}"; }
}

# The site and its links, and where that is asked for how it looks in a browser.
stage_docs() {
	if ! find_php || [ -n "$(missing_for_docs)" ]; then
		skip "no site: there is no $(missing_for_docs | paste -sd' ')"
		return
	fi
	stage_note=$(mkdocs --version | sed 's/, version \([0-9.]*\).*/ \1/')
	if build_docs "$root/.build/docs"; then
		count 1 0 0
		! is_site_looked_at || run_counted docs-browser "$php" tests/run-docs "$root/.build/docs"
	else
		count 0 1 0
		echo "  FAILED: bin/docs"
		show "$logs/docs"
	fi
}
