--TEST--
remember() validates its options only when elected, before claiming a key
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, EntryStatus, Pool, Refresh, Transport};

require __DIR__ . '/../../../_support/memcached.inc';

$compute = function (): string {
    echo "computed\n";
    return 'computed';
};
$wrong = [
    'ttl' => fn (Cache $cache, mixed ...$more) => $cache->remember('k', -1, $compute, ...$more), 'no callable' => fn (Cache $cache, mixed ...$more) => $cache->remember('k', 'no callable', $compute, ...$more),
    'array' => fn (Cache $cache, mixed ...$more) => $cache->remember('k', [], $compute, ...$more),
    'grace of no number' => fn (Cache $cache, mixed ...$more) => $cache->remember('k', 60, $compute, ...$more, grace: []), 'grace' => fn (Cache $cache, mixed ...$more) => $cache->remember('k', 60, $compute, ...$more, grace: -1),
    'jitter' => fn (Cache $cache, mixed ...$more) => $cache->remember('k', 60, $compute, ...$more, jitter: 2.0),
];
$told = [];
$refuse = function (string $where, Cache $cache, mixed ...$more) use ($wrong, &$told): void {
    foreach ($wrong as $name => $call) {
        try {
            $answer = $call($cache, ...$more);
            echo "$where: $name is answered with $answer\n";
        } catch (ValueError | TypeError $error) {
            $told[$name][$error->getMessage()] = true;
        }
    }
};
/* A PHP with assertions wants wrong types refused at any time. */
$unheard = PHP_DEBUG ? array_diff_key($wrong, ['no callable' => 0, 'array' => 0, 'grace of no number' => 0]) : $wrong;
$answer = function (string $where, Cache $cache, mixed ...$more) use ($unheard): void {
    $answers = array_map(fn (Closure $call) => $call($cache, ...$more), array_values($unheard));
    echo "$where: ", implode(' ', array_unique($answers)), "\n";
};
/* Nobody has a claim: the next one is elected at once. */
$elect = function (string $where, Cache $cache): void {
    $waited = $cache->stats()['waited'];
    $answer = $cache->remember('k', 60, fn () => 'another', stale: false, wait: 60);
    echo "$where: $answer, waited ", $cache->stats()['waited'] - $waited, "\n";
};
foreach (Transport::cases() as $transport) {
    $server = start_memcached();
    $pool = new Pool($server->address, timeout: 10, retryAfter: 0, transport: $transport);
    $cache = new Cache($pool);
    $other = new Cache($pool);
    $near = new Cache($pool, near: 60);

    $refuse('cold', $cache);
    $refuse('cold, near', $near);
    $refuse('cold, forced', $cache, force: true);
    $refuse('cold, for whom nobody waits', $cache, wait: 0);
    echo 'cold, stored: ', $server->stats()['cmd_set'], "\n";
    $elect('cold', $other);

    $answer('fresh', $cache);
    $answer('fresh, from memcached to near', new Cache($pool, near: 60));
    $near->get('k');
    $answer('fresh, near', $near);
    $story = null;
    $answer('fresh, with its story', $cache, entry: $story);
    $answer('fresh, not drawn', $cache, early: 0.001);
    $view = $cache->tagged('tag');
    $view->set('k', 'tagged');
    $answer('fresh, tagged', $view);

    $cache->set('k', 'old', 60, 600);
    $cache->expire('k');
    $sets = $server->stats()['cmd_set'];
    $refuse('old', $cache);
    $refuse('old, near', $near);
    $refuse('old, tagged', $view);
    $refuse('old, and after the response', $cache, refresh: Refresh::AfterResponse);
    $refuse('old, and when the computation fails', $cache, staleOnError: true);
    $refuse('old, and for the new one', $cache, stale: false);
    echo 'old, stored: ', $server->stats()['cmd_set'] - $sets, ', ', $cache->entry('k')->value, "\n";
    $elect('old', $other);
    $refuse('forced', $cache, force: true);
    $elect('forced', $other);

    $cache->set('k', 'old', 60, 600);
    $cache->expire('k');
    echo 'claimed by another: ', $other->lookup('k')->status->name, "\n";
    $answer('claimed by another', $cache);
    $other->publish('k', 'published');
    $answer('published by another', $cache);

    $cache->delete('k');
    $server->kill();
    $refuse('no server', $cache);
    $refuse('no server, forced', $cache, force: true);
}
echo count($told), ' refused, of each ', max(array_map(count(...), $told)), " message\n";
?>
--EXPECT--
cold, stored: 0
cold: another, waited 0
fresh: another
fresh, from memcached to near: another
fresh, near: another
fresh, with its story: another
fresh, not drawn: another
fresh, tagged: tagged
old, stored: 0, old
old: another, waited 0
forced: another, waited 0
claimed by another: Elected
claimed by another: old
published by another: published
cold, stored: 0
cold: another, waited 0
fresh: another
fresh, from memcached to near: another
fresh, near: another
fresh, with its story: another
fresh, not drawn: another
fresh, tagged: tagged
old, stored: 0, old
old: another, waited 0
forced: another, waited 0
claimed by another: Elected
claimed by another: old
published by another: published
6 refused, of each 1 message
