# Prints "FILE FIRST LAST" for each definition of `name`: a function, a macro, a type, a table or an enum constant, with
# the comment directly above. Relies on the project's format: a definition begins with a word in the first column, and
# ends with a brace there or, without an opening brace, with a semicolon.
# SPDX-License-Identifier: MIT

function begin(kind) {
	where = kind
	first = above ? above : FNR
	is_named = 0
}

function end() {
	if (is_named) {
		print FILENAME, first, FNR
	}
	where = above = 0
}

FNR == 1 { where = above = 0 }
!where && /^(\/\*| \*)/ { above = above ? above : FNR; next }
!where && /^#define / { begin("macro"); is_named = $2 ~ "^" name "(\\(|$)" }
!where && /^[A-Za-z_]/ { begin("head"); is_enum = /^(typedef )?enum/ }
!where { above = 0; next }
where == "macro" { if (!/\\$/) end(); next }
where == "head" && $0 ~ "(^|[ *])" name "(\\(| \\{|(\\[.*\\])* =)" { is_named = 1 }
where == "body" && is_enum && $0 ~ "^\t" name "( =|,)" { is_named = 1 }
/^}/ { is_named = is_named || $2 == name ";"; end(); next }
where == "head" && /\{( \/\*.*)?$/ { where = "body" }
where == "head" && /;$/ { end() }
