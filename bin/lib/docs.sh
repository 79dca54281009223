# What the documentation's site wants, for bin/docs, and its stage, for bin/test.
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

# The site and its links. How it looks is its theme's matter.
stage_docs() {
	if ! find_php || [ -n "$(missing_for_docs)" ]; then
		skip "no site: there is no $(missing_for_docs | paste -sd' ')"
		return
	fi
	stage_note=$(mkdocs --version | sed 's/, version \([0-9.]*\).*/ \1/')
	check "site" bin/docs
}
