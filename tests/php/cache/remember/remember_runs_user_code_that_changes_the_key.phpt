--TEST--
A callback's change of its own key supersedes its computed result (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$pool = new Pool('memory://change');
$cache = new Cache($pool, ttl: 10, lease: 100);
$other = new Cache($pool, ttl: 10, lease: 100);
$acts = [
    'set' => fn ($by) => $by->set('k', 'set'),
    'delete' => fn ($by) => $by->delete('k'),
    'delete and set' => fn ($by) => $by->delete('k') && $by->set('k', 'set'),
    'expire' => fn ($by) => $by->expire('k'),
    'setMultiple' => fn ($by) => $by->setMultiple(['k' => 'set']),
    'deleteMultiple' => fn ($by) => $by->deleteMultiple(['k']),
    'pull' => fn ($by) => $by->pull('k'),
    'add' => fn ($by) => $by->add('k', 'added'),
    'update' => fn ($by) => $by->update('k', fn () => 'updated'),
    'abandon' => fn ($by) => $by->abandon('k'),
    'publish' => fn ($by) => $by->publish('k', 'published'),
    'touch' => fn ($by) => $by->touch('k'),
    'remember' => fn ($by) => $by->delete('k') && $by->remember('k', null, fn () => 'remembered', wait: 0),
];
foreach ($acts as $name => $act) {
    foreach (['itself' => $cache, 'another' => $other] as $who => $by) {
        foreach (['cold', 'old'] as $state) {
            $cache->delete('k');
            if ($state === 'old') {
                $cache->set('k', 'old');
                Clock::advance(10);
            }
            try {
                $answer = $cache->remember('k', null, function () use ($act, $by) {
                    $act($by);
                    return 'computed';
                });
            } catch (LogicException) {
                $answer = 'LogicException';
            }
            // What became of the claim shows in whether somebody else may compute at once.
            $next = new Cache($pool, ttl: 10, lease: 100);
            $peeked = $cache->peek('k', 'nothing');
            $is_free = $next->remember('k', null, fn () => 'free', wait: 0, stale: false) === 'free' ? ', free' : '';
            $seen["$state by $who: $answer, $peeked$is_free"][] = $name;
        }
    }
}
ksort($seen);
foreach ($seen as $what => $names) {
    echo $what, ': ', implode(', ', $names), "\n";
}
?>
--EXPECT--
cold by another: LogicException, nothing, free: remember
cold by another: computed, added: add
cold by another: computed, computed: pull, abandon, publish, touch
cold by another: computed, nothing, free: delete, expire, deleteMultiple
cold by another: computed, set: set, delete and set, setMultiple
cold by another: computed, updated: update
cold by itself: LogicException, nothing, free: remember
cold by itself: computed, added: add
cold by itself: computed, computed: pull, abandon, publish, touch
cold by itself: computed, nothing, free: delete, expire, deleteMultiple
cold by itself: computed, set: set, delete and set, setMultiple
cold by itself: computed, updated: update
old by another: LogicException, nothing, free: remember
old by another: computed, added: add
old by another: computed, computed: abandon, publish, touch
old by another: computed, nothing, free: delete, deleteMultiple, pull
old by another: computed, old, free: expire
old by another: computed, set: set, delete and set, setMultiple
old by another: computed, updated: update
old by itself: LogicException, nothing, free: remember
old by itself: computed, added: add
old by itself: computed, computed: abandon, publish, touch
old by itself: computed, nothing, free: delete, deleteMultiple, pull
old by itself: computed, old, free: expire
old by itself: computed, set: set, delete and set, setMultiple
old by itself: computed, updated: update
