--TEST--
An invalidation under other signing keys ends tagged near values
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$host = fn (string ...$keys): Cache => new Cache(new Pool($server->address, timeout: 10, signingKey: $keys), 's.', ttl: 100, grace: 100, near: 60, clearable: true);
$pairs = [[['old', 'new'], ['new', 'old']], [['new', 'old'], ['old', 'new']], [['old'], ['old', 'new']], [['new'], ['new', 'old']], [['new', 'old'], ['new']]];
foreach ($pairs as [$reads, $changes]) {
    foreach (['invalidateTags' => ['t'], 'deleteTags' => ['t'], 'clear' => []] as $change => $arguments) {
        $view = $host(...$reads)->tagged('t');
        $view->set('k', 'value');
        $view->set('k', 'value');
        $view->get('k');
        $before = $view->stats()['near'];
        $view->get('k');
        $is_near = $view->stats()['near'] > $before;
        $host(...$changes)->$change(...$arguments);
        $seen[$change][] = $is_near ? $view->entry('k')->status->name : 'never near';
    }
}
foreach ($seen as $change => $names) {
    echo "$change: ", implode(' ', $names), "\n";
}
?>
--EXPECT--
invalidateTags: Stale Stale Stale Stale Stale
deleteTags: Miss Miss Miss Miss Miss
clear: Miss Miss Miss Miss Miss
