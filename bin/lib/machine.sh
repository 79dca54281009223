# A minimal Debian to try things on: a pristine system that is kept, and a throw-away copy of it for each run.
# Whatever runs in one has its own mounts and processes, which the kernel ends with it, even after kill -9 of the
# script. Sourced by bin/fresh, which sets `release`, `php_version`, `mirror`, `new`, `cache`, `name` and `logs`.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# Where this machine's apt has Debian's packages from.
apt_mirror() {
	apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | head -n 1
}

# How apt reaches it: what there is of proxies, and whether to believe dates.
apt_access() {
	apt-config dump | grep -E '^Acquire::(https?::|Check-|Retries|Languages)'
}

in_own_namespaces() {
	local log=$1
	shift
	in_group "$log" setpriv --pdeathsig KILL unshare --mount --pid --ipc --fork --kill-child --mount-proc "$@" 7>&-
}

# What an installer would have written, and whom this machine's administrator trusts beside Debian's list: a network that
# looks into TLS shows its own certificates to the throw-away machine, too.
write_network() {
	local own=usr/local/share/ca-certificates
	cp /etc/resolv.conf "$1/etc/resolv.conf"
	cp /etc/hosts "$1/etc/hosts"
	mkdir -p "$1/$own" && cp /$own/*.crt "$1/$own/" 2> /dev/null
	[ ! -x "$1/usr/sbin/update-ca-certificates" ] || chroot "$1" update-ca-certificates > "$logs/certificates" 2>&1
}

fill_pristine() {
	local folder=$1 packages=git
	[[ $mirror != https:* ]] || packages=$packages,ca-certificates
	in_own_namespaces "$logs/debootstrap" debootstrap --variant=minbase --include="$packages" "$release" "$folder" "$mirror" ||
		return 1
	rm -f "$folder"/var/cache/apt/archives/*.deb
	write_network "$folder"
	apt_access > "$folder/etc/apt/apt.conf.d/90access"
	[ "$release" != sid ] || echo "deb $mirror experimental main" >> "$folder/etc/apt/sources.list"
	in_own_namespaces "$logs/debootstrap-lists" chroot "$folder" apt-get -q -y update
}

# Two runs at once: the second waits here, and finds it made.
make_pristine() {
	pristine=$cache/$release
	exec 9> "$cache/$release.lock"
	flock 9
	[ "$new" = no ] || rm -rf --one-file-system "${pristine:?}" "$cache/packages/$release"
	if [ ! -e "$pristine" ]; then
		: "${mirror:=$(apt_mirror)}"
		[ -n "$mirror" ] || { echo "bin/fresh: apt's lists name no mirror of Debian; give one by --mirror" >&2; return 1; }
		echo "making       $pristine"
		rm -rf --one-file-system "$pristine.part"
		if ! fill_pristine "$pristine.part"; then
			echo "bin/fresh: debootstrap failed" >&2
			tail -n 20 "$logs"/debootstrap* | sed 's/^/    /' >&2
			return 1
		fi
		mv "$pristine.part" "$pristine"
	fi
	exec 9>&-
}

# Machines that a killed run has left are thrown away by the next: their lock is free.
throw_old_machines_away() {
	local folder
	for folder in "$cache"/machine.*; do
		[ -d "$folder" ] && flock -n "$folder" rm -rf --one-file-system "$folder"
	done
}

make_machine() {
	throw_old_machines_away
	machine=$(mktemp -d "$cache/machine.$name.XXXXXX") || return 1
	exec 8< "$machine"
	flock 8
	in_group "$logs/copy" setpriv --pdeathsig KILL cp -a --reflink=auto "$pristine/." "$machine/" && write_network "$machine" || return 1
	mkdir -p "$cache/packages/$release"
	cp -l "$cache/packages/$release"/*.deb "$machine/var/cache/apt/archives/" 2> /dev/null
	[ -z "$php_version" ] || install_php
}

throw_machine_away() {
	[ -z "$machine" ] || rm -rf --one-file-system "$machine"
}

install_php() {
	in_machine "$logs/php" "apt-get -q update && DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y install --no-install-recommends php$php_version-cli php$php_version-dev" && return 0
	echo "bin/fresh: PHP $php_version could not be installed on $release:" >&2
	tail -n 15 "$logs/php" | sed 's/^/    /' >&2
	return 1
}

clone_into_machine() {
	git -C "$root" bundle create -q "$machine/root/head.bundle" HEAD || return 1
	in_machine "$logs/clone" "cd /root && git clone -q head.bundle mcpatterns && rm head.bundle" && return 0
	sed 's/^/    /' "$logs/clone" >&2
	return 1
}

# Runs a command line on the machine, in the clone when there is one, and afterwards names what it has left running.
in_machine() {
	local log=$1 command=$2
	# shellcheck disable=SC2016
	in_own_namespaces "$log" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		chroot "$machine" bash -c '
			mount -t proc proc /proc && mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts /dev/pts || exit 1
			mount -t tmpfs tmpfs /dev/shm
			cd /root/mcpatterns 2> /dev/null || cd /root
			bash -c "$1"
			status=$?
			sleep 1
			for process in /proc/[0-9]*; do
				line=$(tr "\0" " " < "$process/cmdline")
				[ "$process" = /proc/1 ] || [ -z "$line" ] || echo "$1: $line"
			done 2> /dev/null >> /root/left-running
			exit "$status"' _ "$command" 8>&-
}

package_count() {
	grep -c '^Status: install ok installed' "$machine/var/lib/dpkg/status"
}

# What the README says of both commands: they build into .build/ only, and leave nothing running.
check_machine_is_clean() {
	local running new
	running=$(cat "$machine/root/left-running")
	new=$(git -C "$machine/root/mcpatterns" -c safe.directory='*' status --porcelain)
	[ -z "$running" ] || echo "FAILED: left running:"$'\n'"$running"
	[ -z "$new" ] || echo "FAILED: left in the tree:"$'\n'"$new"
	[ -z "$running$new" ]
}

# For the next run, which then asks the mirror for little more than lists.
keep_packages() {
	cp -ln "$machine/var/cache/apt/archives"/*.deb "$cache/packages/$release/" 2> /dev/null
}
