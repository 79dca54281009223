# Builds mutants and runs each until it fails. A mutant uses the simulator's objects, except those that include a file
# that it changes. Sourced by ./run after program.sh.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

make_mutant() {
	make_simulator "$1/out" "$1" SANITIZE="${SANITIZE:-}" OPTIMIZE=-O1 WARN=-w
}

# Copies the common base of the mutants to $run/mutants/pristine.
copy_pristine() {
	local pristine=$run/mutants/pristine
	mkdir -p "$pristine/src" "$pristine/out" &&
		cp -Rp "$root/src/core" "$root/src/store" "$root/src/patterns" "$pristine/src/" &&
		flock "$out/lock" cp -Rp "$out/objects" "$pristine/out/"
}

# make compares file times. The .d file of an object lists its sources in the project's tree. Compares only the last part of
# a name, because headers are listed as included ("a/b/../../core/c.h"). Another file of that name costs a compilation.
# Objects are links to the pristine ones and must not be written to.
forget_objects() {
	local tree=$1 file
	while IFS= read -r file; do
		grep -lrF --include='*.d' "/${file##*/}" "$tree/out" | sed 'p; s/d$/o/' | xargs -r rm -f
	done < <(find "$tree/src" -type f -newer "$tree/planted")
}

# A mutant's file, in the folder of its family.
file_of() {
	echo "$here"/mutants/*/"$1.mutant"
}

# plant_mutant NAME TREE: reports a failure with its reason.
plant_mutant() {
	local name=$1 tree=$2
	rm -rf "$tree"
	mkdir "$tree"
	cp -Rp "$run/mutants/pristine/src" "$tree/"
	cp -Rpl "$run/mutants/pristine/out" "$tree/"
	touch "$tree/planted"
	sleep 0.01
	"$here/lib/mutate" "$(file_of "$name")" "$tree" && forget_objects "$tree" && make_mutant "$tree"
}

first_failure() {
	grep -m 1 '^FAILED' < <("$@" --quiet --stop 2>&1)
}

# hunt PROGRAM FAMILY NAME: tries the seeds and the parts of the search that are known to kill the mutant, a few other seeds, every
# schedule, then many other seeds.
hunt() {
	local simulation=("$1" --family "$2") known
	for known in $(said seeds "$3"); do
		first_failure "${simulation[@]}" --from "$known" --seeds 1 && return
	done
	for known in $(said parts "$3"); do
		first_failure "${simulation[@]}" --search --part "$known" && return
	done
	first_failure "${simulation[@]}" --seeds 30000 --search && return
	first_failure timeout 300 "${simulation[@]}" --from 30001 --seeds 2000000 && return
	first_failure timeout 300 "${simulation[@]}" --search --deep --runs 200000 --faults 3
}

# Prints the text after "WORD: " in a mutant's file.
said() {
	sed -n "s/^$1: //p" "$(file_of "$2")"
}

# Builds a mutant and runs it until it fails. Prints one line, "name: ...".
kill_mutant() {
	local name=$1 tree=$run/mutants/$1 started=$SECONDS expected text invariant family
	if ! text=$(plant_mutant "$name" "$tree" 2>&1); then
		printf '%s\tbroken\t%s\n' "$name" "$(head -n 1 <<< "$text")"
		return
	fi
	expected=$(said expects "$name") family=$(basename "$(dirname "$(file_of "$name")")")
	text=$(hunt "$tree/out/simulation" "$family" "$name")
	invariant=$(sed -n 's/^FAILED \([A-Za-z0-9]*\):.*/\1/p' <<< "$text")
	if [ -z "$invariant" ]; then
		printf '%s\tSURVIVED\texpected %s\n' "$name" "$expected"
	elif [[ " $expected " == *" $invariant "* ]]; then
		rm -rf "$tree"
		printf '%s\tkilled\t%s in %d s: %s\n' "$name" "$invariant" $((SECONDS - started)) "${text#FAILED *: }"
	else
		printf '%s\tWRONG\t%s where %s was expected: %s\n' "$name" "$invariant" "$expected" "${text#FAILED *: }"
	fi
}

kill_mutants() {
	local name state rest log=$run/mutants.log
	if ! copy_pristine > "$log" 2>&1; then
		cat "$log"
		echo "FAILED: what the mutants begin from could not be copied"
		failed=$((failed + 1))
		return
	fi
	export here root run compiler
	export -f kill_mutant hunt first_failure said file_of plant_mutant forget_objects make_mutant make_simulator
	# One job per mutant.
	printf '%s\n' "$@" | jobs=1 xargs -P "$jobs" -I{} bash -c 'kill_mutant "$1"' _ {} > "$log"
	echo "mutants, and the invariant that killed them:"
	while IFS=$'\t' read -r name state rest; do
		printf '  %-34s %-9s %s\n' "$name" "$state" "$rest" | cut -c 1-160
		if [ "$state" = killed ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
		fi
	done < <(sort "$log")
	rm -rf "$run/mutants/pristine"
}
