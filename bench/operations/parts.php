<?php
/* Divides the instructions of one call among the parts of its way: parts.php text|functions|markdown TITLE EXTENSION CALLS
 * ONCE TWICE, the last two being callgrind's files of a loop of CALLS and of one of twice as many. What the extension calls
 * outside of itself (memcpy, a system call's wrapper, the allocator) belongs to the part that calls it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

/* The first that fits the innermost function which any of them fits: helpers belong to what they were inlined into. */
const PARTS = [
	'arguments, the object and its store' => '{^php/(?!value/|metrics/|host/(near|environment)|cache/(near/|object/cache_memo|value/cache_value|many/cache_(collect|many_get|many_near)))}',
	'the key: prefix, a look at its bytes, its fingerprint' => '{^(core/key/|core/vendor/xxhash|php/cache/many/cache_collect)}',
	'clocks' => '{^(php/host/environment|core/environment)}',
	'the request, sent' => '{^store/wire/(direct/request|deadline|direct/wire_direct\w*\.[ch] (ask|compose|add_|send|mcp_direct_send)|socket\.[ch] (mcp_socket_)?(try_to_)?send)}',
	'the answer\'s line' => '{^(core/protocol/answer|store/wire/direct/wire_direct(_write)?\.[ch] (take|next|skip|conclude|calculate))}',
	'waiting and receiving' => '{^store/wire/(direct/inbox|socket|direct/wire_direct_line)}',
	'libmemcached and its connection' => '{^store/wire/(libmemcached/wire_(libmemcached|cause|results)|wire_guard)}',
	'numbers, read and written' => '{^core/(decimal|hex)}',
	'near: looked for and kept in the object' => '{^php/(host/near|cache/near/|cache/object/cache_memo|cache/many/cache_many_near)}',
	'near: the value copied out of the shared memory' => '{^core/near/shm_cache\.[ch] mcp_near_place_copy}',
	'near: change counters; found in the shared memory' => '{^(core/near/|patterns/cache/look/cache_near)}',
	'the envelope, read and judged, or made' => '{^(core/envelope/(envelope|freshness|expiry)|patterns/cache/(?!entry/cache_meter))}',
	'the value as PHP\'s' => '{^php/(value/|cache/value/cache_value|cache/many/cache_many_get)}',
	'counting' => '{^(core/metrics/|patterns/cache/entry/cache_meter|php/metrics)}',
	'what the pattern decides' => '{^(patterns/|core/items/lock)}',
	'what connects the layers' => '{^(store/|core/breaker)}',
];
const OUTSIDE = 'PHP\'s loop, its call, the result freed';
const OTHER = 'else';

/** @return array{array<string, int>, int} cost by address within the extension, of what it calls outside too; and of all */
function costs(string $file, string $extension): array
{
	$costs = [];
	$total = 0;
	$object = $callee = '';
	$is_call = false;
	foreach (new \SplFileObject($file) as $line) {
		$line = (string) $line;	// PHP 8.6 has false at the end
		if (str_starts_with($line, 'ob=')) {
			$object = $callee = rtrim(substr($line, 3));
		} elseif (str_starts_with($line, 'cob=')) {
			$callee = rtrim(substr($line, 4));
		} elseif (str_starts_with($line, 'calls=')) {
			$is_call = true;
		} elseif (str_starts_with($line, '0x')) {
			[$address, , $cost] = explode(' ', $line);
			$total += $is_call ? 0 : (int) $cost;
			if ($object === $extension && !($is_call && $callee === $extension)) {
				$costs[$address] = ($costs[$address] ?? 0) + (int) $cost;
			}
			$is_call = false;
			$callee = $object;
		}
	}
	return [$costs, $total];
}

/** @return array<string, list<string>> address => "file function", the innermost first */
function frames(string $extension, array $addresses): array
{
	$pipes = [];
	$file = tmpfile();
	fwrite($file, implode("\n", $addresses) . "\n");
	rewind($file);
	$process = proc_open(['addr2line', '-a', '-i', '-f', '-e', $extension], [$file, ['pipe', 'w']], $pipes);
	$frames = [];
	$address = '';
	while (($line = fgets($pipes[1])) !== false) {
		if (str_starts_with($line, '0x')) {
			$address = '0x' . dechex((int) hexdec(substr(rtrim($line), 2)));
			$frames[$address] = [];
			continue;
		}
		$place = preg_replace(['{.*/src/}', '{[^/]+/(?R)?\.\./}', '{:.*}s'], '', (string) fgets($pipes[1]));
		$frames[$address][] = rtrim($place) . ' ' . rtrim($line);
	}
	proc_close($process);
	return $frames;
}

function part(array $frames): string
{
	foreach ($frames as $frame) {
		foreach (PARTS as $part => $pattern) {
			if (preg_match($pattern, $frame)) {
				return $part;
			}
		}
	}
	return OTHER;
}

[, $how, $title, $extension, $calls, $once, $twice] = $argv;
[$costs_once, $total_once] = costs($once, $extension);
[$costs_twice, $total_twice] = costs($twice, $extension);
$each = [];
foreach ($costs_twice as $address => $cost) {
	$each[$address] = ($cost - ($costs_once[$address] ?? 0)) / (int) $calls;
}
$each = array_filter($each, fn (float $cost): bool => abs($cost) >= 0.05);
$total = ($total_twice - $total_once) / (int) $calls;
$parts = array_fill_keys([OUTSIDE, ...array_keys(PARTS), OTHER], 0.0);
$parts[OUTSIDE] = $total - array_sum($each);
$functions = [];
foreach (frames($extension, array_keys($each)) as $address => $frames) {
	$part = part($frames);
	$parts[$part] += $each[$address];
	$functions[$part][$frames[0]] = ($functions[$part][$frames[0]] ?? 0) + $each[$address];
}

$line = $how === 'markdown' ? "| %2\$s | %1\$s |\n" : "%1\$8s  %2\$s\n";
echo $how === 'markdown' ? "| $title | instructions |\n| --- | ---: |\n" : "$title\n";
foreach ($parts as $part => $cost) {
	if ($cost < 0.5) {
		continue;
	}
	printf($line, number_format($cost), $part);
	if ($how === 'functions') {
		$functions[$part] ??= [];
		arsort($functions[$part]);
		foreach ($functions[$part] as $function => $of_it) {
			printf("%16.1f  %s\n", $of_it, $function);
		}
	}
}
printf($line, number_format($total), 'in all');
echo "\n";
