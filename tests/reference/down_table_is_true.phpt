--TEST--
Each method does what the reference says when its server is down
--EXTENSIONS--
mcpatterns
session
--FILE--
<?php
use McPatterns\{Cache, Clock, Counter, Key, Lock, MC, OnlineCounter, Pool, RateLimiter, Semaphore, ServerException, SessionHandler, Status, UniqueVisitors};

require __DIR__ . '/../_support/memcached.inc';

const ARGUMENTS = [
    'Cache' => [
        'get' => ['k', 'given'], 'peek' => ['k', 'given'], 'pull' => ['k', 'given'], 'getMultiple' => [['k'], 'given'], 'prefetch' => [['k']],
        'remember' => ['k', 9, 'computed'], 'rememberMany' => [['k'], 9, 'computed'], 'set' => ['k', 1], 'add' => ['k', 1],
        'replace' => ['k', 1], 'publish' => ['k', 1], 'setMultiple' => [['k' => 1]], 'deleteMultiple' => [['k']],
        'expireMultiple' => [['k']], 'update' => ['k', 'computed'], 'clear' => [], 'stats' => [],
    ],
    'Lock' => ['run' => ['time']],
    'Semaphore' => ['run' => ['time']],
    'Counter' => ['set' => [1]],
    'OnlineCounter' => ['hit' => ['visitor']],
    'EventLog' => ['append' => [1], 'since' => [null]],
    'Table' => ['put' => ['k', 1], 'get' => ['k'], 'has' => ['k'], 'update' => ['k', 'computed'], 'delete' => ['k']],
    'MemberSet' => ['add' => ['m'], 'remove' => ['m'], 'has' => ['m']],
    'UniqueVisitors' => ['hit' => ['visitor']],
    'SessionHandler' => ['open' => ['', ''], 'read' => ['k'], 'write' => ['k', 'v'], 'updateTimestamp' => ['k', 'v'], 'destroy' => ['k'],
        'holder' => ['k'], 'validateId' => ['k'], 'gc' => [1]],
    'Pool' => ['serverFor' => ['k'], 'onError' => [null]],
    'MC' => ['set' => ['k', 1]],
    'Key' => ['of' => ['k', 1], 'md5' => [1]],
    'Clock' => ['advance' => [1.0]],
];
function computed($keys = null): mixed { return is_array($keys) ? ['k' => 'computed'] : 'computed'; }

$server = start_memcached();
$pool = new Pool($server->address, timeout: 0.2);

preg_match('/^## When a server is down\n(.*?)^[{#]/ms', file_get_contents(__DIR__ . '/../../docs/classes/reference.md'), $part);
preg_match_all('/^\| `(\w+)` \| (.*?) \| (.*?) \|$/m', $part[1], $rows, PREG_SET_ORDER);
$calls = [];
foreach ($rows as [, $class, $methods, $then]) {
    preg_match_all('/`(\w+)(\(verify: true\))?`/', $methods, $found, PREG_SET_ORDER);
    foreach ($found as $method) {
        $name = "McPatterns\\$class";
        $object = match ($class) {
            'Pool' => new Pool($server->address),
            'Key', 'Clock', 'MC', 'Metrics' => $name,
            'Cache' => new Cache($pool, clearable: $method[1] === 'clear'),
            'Semaphore' => new Semaphore($pool, 'l' . count($calls), 2),
            'SessionHandler' => new SessionHandler($pool),
            'RateLimiter' => new RateLimiter($pool, 'l' . count($calls), 1, 60),
            default => new $name($pool, 'l' . count($calls)),
        };
        if (in_array($class, ['Lock', 'Semaphore'], true) && !in_array($method[1], ['acquire', 'run', 'restore'], true)) {
            $object->acquire();
        }
        $arguments = ARGUMENTS[$class][$method[1]] ?? match ($class) { 'Cache', 'MC' => ['k'], default => [] };
        $arguments = match ($method[1]) {
            'restore' => [$pool, 'k', 'owner'],
            'isHeld' => [isset($method[2])],
            'use' => [new Cache($pool)],
            'drainMany' => [$pool, ['k'], 'time'],
            'diagnose' => [$pool],
            default => $arguments,
        };
        $calls[] = [$class, $method[1], $object, $arguments, $then];
    }
}
$server->kill();

/** The beginning of the row's last cell. */
function outcome(callable $call, array $arguments): string
{
    try {
        $answer = $call(...$arguments);
    } catch (ServerException) {
        return 'ServerException';
    }
    $answer = is_array($answer) && count($answer) === 1 ? current($answer) : $answer;
    return match (true) {
        $answer === 'given' => '`$default`',
        $answer === 'computed' => 'computes',
        is_array($answer) && isset($answer['findings']) && in_array($answer['findings'][0]['subject'] ?? '', array_keys($answer['servers']), true) => 'a finding about that server',
        $answer instanceof McPatterns\Entry && $answer->status === Status::Miss => 'Status::Miss',
        $answer === false => 'false',
        $answer === null => 'null',
        $answer === true && $call[1] === 'validateId' => 'true',
        default => 'sends no request',
    };
}

foreach ($calls as [$class, $method, $object, $arguments, $then]) {
    $outcome = outcome([$object, $method], $arguments);
    $is_silent = str_starts_with($then, 'sends no request') && $outcome !== 'ServerException';
    if (!$is_silent && !str_starts_with(strtolower($then), strtolower($outcome))) {
        echo "$class::$method(): $outcome, and not: $then\n";
    }
}
Clock::unfreeze();
echo count($calls) > 60 ? 'all methods' : count($calls), "\n";
?>
--EXPECT--
all methods
