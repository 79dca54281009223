--TEST--
An invalidation without a reachable server ends near values of all keys
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

require __DIR__ . '/../../../_support/memcached.inc';

$pairs = [[['old', 'new'], ['new', 'old']], [['new', 'old'], ['old', 'new']], [['old'], ['old', 'new']], [['new', 'old'], ['new']]];
foreach ($pairs as [$reads, $changes]) {
    $server = start_memcached();
    $host = fn (array $keys): Cache => new Cache(new Pool($server->address, timeout: 10, retryAfter: 60, signingKey: $keys), 's.', ttl: 100, near: 60, clearable: true);
    $views = [$host($reads)->tagged('t'), $host($reads)->tagged('u')];
    foreach ($views as $i => $view) {
        $view->set("k$i", 'value');
        $view->get("k$i");
    }
    $server->kill();
    $other = $host($changes);
    $other->get('opens the circuit breaker');
    echo json_encode([$views[0]->get('k0'), $views[1]->get('k1')]), ' ';
    echo json_encode([$other->invalidateTags('t'), $views[0]->get('k0'), $views[1]->get('k1')]), ' ';
    echo json_encode([$other->clear(), $views[1]->get('k1')]), "\n";
}
?>
--EXPECT--
["value","value"] [false,null,"value"] [false,null]
["value","value"] [false,null,"value"] [false,null]
["value","value"] [false,null,"value"] [false,null]
["value","value"] [false,null,"value"] [false,null]
