--TEST--
Cache::publish() stores nothing if the key changed meanwhile, or twice (C3)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$builder = new Cache(new Pool('memory://descend'), ttl: 100, lease: 10);
$other = new Cache(new Pool('memory://descend'), ttl: 100, lease: 10);
$between = [
    'nothing' => fn () => null,
    'delete' => fn () => $other->delete('k'),
    'delete and set' => fn () => $other->delete('k') && $other->set('k', 'set'),
    'expire' => fn () => $other->expire('k'),
    'set' => fn () => $other->set('k', 'set'),
    'add' => fn () => $other->add('k', 'added'),
    'replace' => fn () => $other->replace('k', 'replaced'),
    'update' => fn () => $other->update('k', fn ($old) => "$old updated"),
    'pull' => fn () => $other->pull('k'),
    'pull and remember' => fn () => $other->pull('k') && $other->remember('k', null, fn () => 'remembered'),
];
foreach ($between as $name => $act) {
    $builder->set('k', 'old');
    Clock::advance(100);
    $builder->get('k');
    $act();
    $before = $other->peek('k', 'nothing');
    $is_stored = $builder->publish('k', 'built');
    echo $name, ': ', var_export($is_stored, true), ', ', $before, ' -> ', $other->peek('k', 'nothing'), "\n";
    assert($builder->publish('k', 'twice') === false);
}
var_dump($builder->publish('never elected', 'x'), $other->has('never elected'));
?>
--EXPECT--
nothing: true, old -> built
delete: false, nothing -> nothing
delete and set: false, set -> set
expire: false, old -> old
set: false, set -> set
add: false, added -> added
replace: false, replaced -> replaced
update: false, old updated -> old updated
pull: false, nothing -> nothing
pull and remember: false, remembered -> remembered
bool(false)
bool(false)
