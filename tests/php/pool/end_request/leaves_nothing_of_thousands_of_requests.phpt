--TEST--
A process does not grow over thousands of Pool::endRequest() calls
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
if (!is_readable('/proc/self/statm')) {
    die('skip needs /proc');
}
?>
--FILE--
<?php
use McPatterns\{Audit, Cache, Counter, Lock, Pool, Semaphore, SessionHandler, Status};

require_once __DIR__ . '/../../../_support/full_size.inc';
require __DIR__ . '/../../../_support/memcached.inc';

$requests = at_full_size() ? 100_000 : 2_000;
$server = start_memcached();
$raw = open_stream($server->address);
$tell = function (string $command) use ($raw): string { fwrite($raw, $command); return fgets($raw); };
$pool = new Pool($server->address, timeout: 10);
$kept = new Cache($pool, 'kept:', ttl: 600, near: 30);
$audit = new Audit($kept, rate: 1);
$told = 0;
$down = new Pool('unix:///nowhere/at/all', connectTimeout: 0.1);
$down->onError(function () use (&$told) { $told++; });
$found = [];
$found_one = function (string $what) use (&$found) { $found[$what] = ($found[$what] ?? 0) + 1; };

$serve = function (int $number) use ($server, $tell, $pool, $kept, $down, $found_one): void {
    // Made anew by each request, as frameworks have it.
    $own = new Pool($server->address, timeout: 10);
    $cache = new Cache($own, ttl: 600, lease: 500);
    $tagged = $cache->tagged('t');
    $guarded = new Cache($own, 'guarded:', ttl: 600, guarded: true);
    $sessions = new SessionHandler($own);

    // Nothing of the one before.
    (new Lock($own, 'forgotten', ttl: 600))->acquire() || $found_one('a lock');
    (new Semaphore($own, 'forgotten', permits: 1, ttl: 600))->acquire() || $found_one('a permit');
    $cache->lookup('claimed')->status === Status::Elected || $number === 0 || $found_one('a claim');
    $tagged->set('tagged', $number);
    $tagged->entry('tagged')->status === Status::Fresh || $found_one('a look');
    $guarded->set('key', $number) || $found_one('a note');
    $sessions->open('', 'id');
    $began = hrtime(true);
    $sessions->read('session');
    hrtime(true) - $began < 20e9 || $found_one("a session's lock");

    // And all that it leaves to the next one, were it not for endRequest().
    $locks = [new Lock($pool, 'forgotten', ttl: 600), new Semaphore($pool, 'forgotten', permits: 1, ttl: 600)];
    array_map(fn (Lock|Semaphore $lock) => $lock->acquire() || $found_one('an own lock'), $locks);
    $cache->set('claimed', $number);
    $cache->expire('claimed');
    $cache->get('claimed');
    $tagged->delete('tagged');
    $tagged->get('tagged');
    $tagged->invalidateTags('t');
    $tell("delete guarded:key\r\n");
    $guarded->get('key');
    $tell("set guarded:key 0 0 5\r\nother\r\n");
    $kept->remember('row ' . $number % 50, 600, fn () => "value of row " . $number % 50);
    $kept->remember('list', 600, fn () => range(1, 20));
    try {
        $cache->remember('fails ' . $number % 50, 600, fn () => throw new DomainException('no database'), wait: 0);
    } catch (DomainException | McPatterns\Exception) {
        // the computation's own
    }
    (new Cache($down))->get('key');
    (new Counter($down, 'number', whenDown: 0))->increment();
    $_SERVER['kept by the worker'] = [$cache, $tagged, $guarded, $sessions]; // until the next one has its own
};
$size = fn (): array => [memory_get_usage(), (int) explode(' ', file_get_contents('/proc/self/statm'))[1] * 4096];
for ($number = 0; $number < $requests; $number++) {
    $serve($number);
    Pool::endRequest();
    if ($number === 500) {
        gc_collect_cycles();
        $before = $size();
        $checked = $kept->stats()['audit_checked'];
    }
}
gc_collect_cycles();
$after = $size();
echo 'found of the one before: ', json_encode($found), "\n";
echo 'audits: ', $kept->stats()['audit_checked'] - $checked === $requests - 501 ? 'one for each request' : 'some are missing', ', ', $kept->stats()['audit_different'], " different\n";
echo 'the listener was told: ', $told > 0 ? 'yes' : 'no', "\n";
[$memory, $resident] = [$after[0] - $before[0], $after[1] - $before[1]];
if (str_contains((string) getenv('LD_PRELOAD'), 'libasan')) {
    $resident = 0; // AddressSanitizer keeps for a while what was freed; LeakSanitizer finds what is left
}
echo 'memory of PHP: ', $memory < 16_384 ? 'flat' : "$memory bytes more", ', of the process: ', $resident < 2 << 20 ? 'flat' : "$resident bytes more", "\n";
report_figures(sprintf('%d requests in one process: %d bytes of PHP more, %d KiB resident more', $requests, $memory, $resident / 1024));
?>
--EXPECT--
found of the one before: []
audits: one for each request, 0 different
the listener was told: yes
memory of PHP: flat, of the process: flat
