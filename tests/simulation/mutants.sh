# Builds mutants: all is compiled once, and for each mutant again only what includes a file that it changes. Sourced by
# ./run and plain/run, which set `here`, `root` and `run` and define `build_mutant TREE`: makes TREE/out of TREE/src.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# What the mutants begin from: $run/mutants/pristine.
build_pristine() {
	local pristine=$run/mutants/pristine
	mkdir -p "$pristine/src"
	cp -R "$root/src/core" "$root/src/store" "$root/src/patterns" "$pristine/src/"
	build_mutant "$pristine"
}

# make goes by the times of files; what an object was made of its .d file says, of the pristine tree.
forget_objects() {
	local tree=$1 file
	while IFS= read -r file; do
		grep -lrF --include='*.d' "mutants/pristine/${file#"$tree"/}" "$tree/out" | sed 's/d$/o/' | xargs -r rm -f
	done < <(find "$tree/src" -type f -newer "$tree/planted")
}

# plant_mutant NAME TREE: says why when it cannot.
plant_mutant() {
	local name=$1 tree=$2
	rm -rf "$tree"
	cp -Rp "$run/mutants/pristine" "$tree"
	rm -f "$tree/out/simulation"
	touch "$tree/planted"
	sleep 0.01
	"$root/tests/simulation/mutate" "$here/mutants/$name.mutant" "$tree" && forget_objects "$tree" && build_mutant "$tree"
}
