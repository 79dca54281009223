--TEST--
Concurrent changes with shorter leases do not discard a slow result (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool, Status};

Clock::freeze(1_700_000_000);
$slow = new Cache(new Pool('memory://leases'), ttl: 1, grace: 1, lease: 6);
$quick = new Cache(new Pool('memory://leases'), ttl: 1, grace: 1, lease: 0.1);
foreach (['increment' => fn () => $quick->increment('n') === 6, 'touch' => fn () => $quick->touch('n', 0.001)] as $name => $do) {
    $slow->set('n', 5);
    Clock::advance(1.5);
    var_dump($slow->lookup('n')->status === Status::Elected, $do());
    Clock::advance(3 * 6 - 0.1);
    var_dump($slow->publish('n', 7), $quick->get('n'));
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
int(7)
bool(true)
bool(true)
bool(true)
int(7)
