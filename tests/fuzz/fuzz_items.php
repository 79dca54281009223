<?php
/* Damages items that the extension stored, and holds every method that reads to what it promises of any item:
 * it ends, warns of nothing, throws nothing but what is ours or the value's own, never gives another key's value;
 * and afterwards the key is as good as any other. For PHP under sanitizers: bin/test --only fuzz. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Clock, Pool};

require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../_support/envelope.inc';
require __DIR__ . '/items_server.inc';
require __DIR__ . '/items_seeds.inc';
require __DIR__ . '/items_mutate.inc';
require __DIR__ . '/items_calls.inc';

/** A call waits for nothing longer than its 0.02 s: beyond this it hangs. */
const SECONDS_MAX = 15;

final class ItemFuzzer
{
	public int $done = 0;
	private FuzzServer $server;
	private FuzzCalls $calls;
	/** @var list<FuzzSeed> */
	private array $seeds;
	private Random\Randomizer $random;
	private FuzzMutator $mutator;
	/** What is being tried, for who finds the process dead. */
	private array $trying = [];

	public function __construct(PrivateMemcached $memcached, int $seed, private string $caseFile)
	{
		$now = floor(microtime(true));
		Clock::freeze($now);
		$this->random = new Random\Randomizer(new Random\Engine\Xoshiro256StarStar($seed));
		$this->mutator = new FuzzMutator($this->random, (int) ($now * 1000));
		$this->server = new FuzzServer($memcached->address);
		$this->calls = new FuzzCalls(fuzz_pool());
		$this->seeds = (new FuzzSeeds($this->server, fuzz_pool(), $now))->all;
	}

	/** One damaged situation, and some of what can be asked of it. */
	public function try_one(): void
	{
		$seed = $this->seeds[$this->random->getInt(0, count($this->seeds) - 1)];
		$items = $this->damage($seed);
		$calls = $this->calls->of($seed);
		foreach ($this->random->pickArrayKeys($calls, 4) as $name) {
			$this->put($seed, $items, $name);
			$this->call($seed, $name, $calls[$name]);
		}
		if ($seed->kind === 'cache' || $seed->kind === 'foreign') {
			$this->remember($seed, $items);
		}
		$this->server->remove(array_keys($items));
		$this->done++;
	}

	/** @param array<string, array{string, int}> $items as an input that was kept */
	public function try_input(array $input): void
	{
		$seed = new FuzzSeed($input['kind'], $input['name'], $input['key'], $input['mark'], []);
		$items = array_map(fn (array $item) => [base64_decode($item[0]), $item[1]], $input['items']);
		foreach ($this->calls->of($seed) as $name => $call) {
			$this->put($seed, $items, $name);
			$this->call($seed, $name, $call);
		}
		$this->remember($seed, $items);
	}

	/** One of the seed's items, or all of them; now and then another key's, which must be taken for no item. */
	private function damage(FuzzSeed $seed): array
	{
		$items = $seed->items;
		$wire = array_rand_of($this->random, $items);
		if ($seed->kind === 'cache' && $this->random->getInt(0, 19) === 0) {
			$other = $this->seeds[$this->random->getInt(0, count($this->seeds) - 1)];
			return $other->kind === 'cache' ? [$seed->key => $other->items[$other->key]] + $items : $items;
		}
		foreach ($items as $key => $item) {
			if ($key === $wire || $this->random->getInt(0, 3) === 0) {
				$items[$key] = $this->mutator->mutate($key, $item);
			}
		}
		return $items;
	}

	private function put(FuzzSeed $seed, array $items, string $call): void
	{
		$this->trying = ['kind' => $seed->kind, 'name' => $seed->name, 'key' => $seed->key, 'mark' => $seed->mark, 'call' => $call,
			'items' => array_map(fn (array $item) => [base64_encode($item[0]), $item[1]], $items)];
		file_put_contents($this->caseFile, json_encode($this->trying));
		$this->server->remove([$seed->key, "{$seed->key}_increment"]);
		foreach ($items as $key => [$bytes, $flags]) {
			$this->server->put($key, $bytes, $flags);
		}
	}

	/** What the call gave; null when it threw what it may throw. */
	private function call(FuzzSeed $seed, string $name, callable $call): mixed
	{
		$begin = hrtime(true);
		try {
			$result = $call();
		} catch (McPatterns\Exception | FuzzRefused) {
			$result = null;
		} catch (Throwable $thrown) {
			if (!$this->is_the_values_own($thrown)) {
				throw new FuzzFault(get_class($thrown) . ': ' . $thrown->getMessage());
			}
			$result = null;
		}
		if (hrtime(true) - $begin > SECONDS_MAX * 1e9) {
			throw new FuzzFault('it takes ' . (hrtime(true) - $begin) / 1e9 . ' s');
		}
		$this->require_no_other_mark($seed, $result);
		return $result;
	}

	/** FuzzWaking throws what it was stored with. */
	private function is_the_values_own(Throwable $thrown): bool
	{
		return $thrown instanceof Exception && !$thrown instanceof FuzzFault && !$thrown instanceof ErrorException;
	}

	private function require_no_other_mark(FuzzSeed $seed, mixed $result): void
	{
		preg_match_all('/mark-[0-9a-f]{16}/', text_of($result), $found);
		foreach ($this->seeds as $other) {
			if ($other->mark !== $seed->mark && in_array($other->mark, $found[0], true)) {
				throw new FuzzFault("it gives the value of $other->name");
			}
		}
	}

	/** C9: computed anew, or what peek shows; and after a set the key is like any other. */
	private function remember(FuzzSeed $seed, array $items): void
	{
		$cache = $this->calls->cache();
		$this->put($seed, $items, 'remember');
		$old = $this->call($seed, 'peek', fn () => $cache->peek($seed->key));
		$this->put($seed, $items, 'remember');
		$got = null;
		$isComputed = $isRefused = false;
		try {
			$got = $cache->remember($seed->key, 60, function () use (&$isComputed) { $isComputed = true; return 'computed'; });
		} catch (McPatterns\Exception) {
			$isRefused = true;
		} catch (Throwable $thrown) {
			throw new FuzzFault('remember throws ' . get_class($thrown) . ': ' . $thrown->getMessage());
		}
		if (!$isRefused && !($isComputed && $got === 'computed') && without_traces($got) !== without_traces($old)) {
			throw new FuzzFault('remember gives neither what it computed nor what peek shows: ' . substr(text_of($got), 0, 200));
		}
		if (!$cache->set($seed->key, $seed->mark) || $cache->get($seed->key) !== $seed->mark) {
			throw new FuzzFault('the key does not take a new value');
		}
	}
}

function fuzz_pool(): Pool
{
	static $pool;
	return $pool ??= new Pool($GLOBALS['memcached']->address, retryAfter: 0, timeout: 10);
}

function array_rand_of(Random\Randomizer $random, array $from): string
{
	return (string) array_keys($from)[$random->getInt(0, count($from) - 1)];
}

/** To compare and to search: values that serialize() refuses, and those that warn of it, too. */
function text_of(mixed $value): string
{
	$before = set_error_handler(fn () => true);
	try {
		return serialize($value);
	} catch (Throwable $thrown) {
		return get_debug_type($value) . ': ' . get_class($thrown);
	} finally {
		restore_error_handler();
	}
}

/** An exception that is unserialized without a line or a trace has those of the call that read it. */
function without_traces(mixed $value): string
{
	return preg_replace('/\0(Exception|Error)\0.*/s', '', text_of($value));
}

// Stored exceptions: what called them holds closures, which cannot be stored.
ini_set('zend.exception_ignore_args', '1');
$options = getopt('', ['seed:', 'cases:', 'seconds:', 'case-file:', 'input:']);
$seed = (int) ($options['seed'] ?? 1);
$cases = (int) ($options['cases'] ?? 1500);
$caseFile = $options['case-file'] ?? sys_get_temp_dir() . '/fuzz-items.json';
$end = isset($options['seconds']) ? microtime(true) + (float) $options['seconds'] : INF;
$memcached = start_memcached(['memory' => 128]);
$fuzzer = new ItemFuzzer($memcached, $seed, $caseFile);
set_error_handler(function (int $level, string $message): bool {
	return (error_reporting() & $level) === 0 ? true : throw new FuzzFault("PHP says: $message");
});
try {
	if (isset($options['input'])) {
		$fuzzer->try_input(json_decode(file_get_contents($options['input']), true));
	}
	while (!isset($options['input']) && ($end === INF ? $fuzzer->done < $cases : microtime(true) < $end)) {
		$fuzzer->try_one();
	}
} catch (FuzzFault $fault) {
	restore_error_handler();
	$case = json_decode(file_get_contents($caseFile), true);
	copy($caseFile, "$caseFile.fault");
	echo "seed $seed, case {$fuzzer->done}, {$case['kind']} \"{$case['name']}\", {$case['call']}: ", $fault->getMessage(), "\n";
	foreach ($case['items'] as $key => [$bytes, $flags]) {
		printf("    %s flags 0x%x: %s\n", $key, $flags, substr(addcslashes(base64_decode($bytes), "\0..\37\\\177..\377"), 0, 600));
	}
	echo "again: --input $caseFile.fault\n0 passed, 1 failed, 0 skipped\n";
	exit(1);
}
restore_error_handler();
echo "seed $seed, {$fuzzer->done} cases\n1 passed, 0 failed, 0 skipped\n";
