--TEST--
set() stores tag versions of the process's lookup through any object (T7, T10.4)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Pool};

Clock::freeze(1_700_000_000);
$anew = fn (string ...$tags): Cache => (new Cache(new Pool('memory://process'), ttl: 100))->tagged(...($tags ?: ['t']));
$plain = new Cache(new Pool('memory://process'), ttl: 100);
$status = fn (string $key = 'k') => $anew()->entry($key)->status->name;
$invalidate = fn (string $tag = 't') => (new Fiber(fn () => $plain->invalidateTags($tag)))->start(); // as another process does
$set = fn () => $anew()->set('k', 'computed before');
$set_multiple = fn () => $anew()->setMultiple(['k' => 'computed before']);

/* Each leaves a view that is gone behind, and a value in the making. */
$looks = [
    'get' => fn () => $anew()->get('k'),
    'getMultiple' => fn () => $anew()->getMultiple(['k', 'l']),
    'rememberMany, a hit' => fn () => $anew()->rememberMany(['k'], 100, fn () => []),
    'remember, a hit' => fn () => $anew()->remember('k', 100, fn () => 0),
    'an election' => function () use ($anew, $plain) { $plain->expire('k'); $anew()->lookup('k'); },
    'an election of getMultiple' => function () use ($anew, $plain) { $plain->expire('k'); $anew()->getMultiple(['k']); },
];
$fresh = 0;
foreach ($looks as $name => $look) {
    foreach ([$set, $set_multiple] as $store) {
        $anew()->set('k', 'before');
        $look();
        $invalidate();
        $store();
        $seen = $status();
        $store();
        echo "$name: $seen, and what follows: ", $status(), "\n";
        $fresh += $seen === 'Fresh';
    }
}
echo 'fresh ', $fresh, " of 12\n";

echo "of several looks each number is the first one's\n";
$anew()->get('k');
$invalidate();
$anew('t', 'u')->get('k');
$invalidate('u');
$anew('t', 'u')->has('k');
$anew('u')->set('k', 1);
echo $anew('u')->entry('k')->status->name, ', ';
$anew()->get('k');
$invalidate();
$anew()->peek('k');
$anew()->set('k', 1);
echo $status(), "\n";

echo "within the computation of a remember\n";
foreach ([$set, $set_multiple] as $store) {
    $plain->delete('k');
    $anew()->remember('k', 100, function () use ($invalidate, $store) {
        $invalidate();
        $store();
        return 'its own';
    });
    echo $status(), ' ', $plain->peek('k'), "\n";
}

echo "every own store ends the looks\n";
foreach ([
    'set, plain' => fn () => $plain->set('k', 1),
    'setMultiple, plain' => fn () => $plain->setMultiple(['k' => 1]),
    'publish' => function () use ($plain) { $plain->expire('k'); $plain->lookup('k'); $plain->publish('k', 1); },
    'remember' => fn () => $anew()->remember('k', 100, fn () => 1, force: true),
    'rememberMany' => function () use ($anew, $plain) { $plain->delete('k'); $anew()->rememberMany(['k'], 100, fn () => ['k' => 1]); },
    'update' => fn () => $anew()->update('k', fn () => 1),
    'a delete does not' => fn () => $plain->delete('k'),
    'nor does an add that stores nothing' => fn () => $plain->add('k', 1),
] as $name => $store) {
    $anew()->set('k', 1);
    $anew()->get('k');
    $store();
    $invalidate();
    $set();
    echo "$name: ", $status(), "\n";
}

echo "another prefix, another key, other servers\n";
$anew()->get('k');
$invalidate();
foreach ([new Cache(new Pool('memory://process'), 'p.', ttl: 100), new Cache(new Pool('memory://process', prefix: 'p.'), ttl: 100),
    new Cache(new Pool('memory://other'), ttl: 100)] as $other) {
    $other->tagged('t')->set('k', 1);
    echo $other->tagged('t')->entry('k')->status->name, ' ';
}
$anew()->set('another', 1);
echo $status('another'), "\n";
?>
--EXPECT--
get: Stale, and what follows: Fresh
get: Stale, and what follows: Fresh
getMultiple: Stale, and what follows: Fresh
getMultiple: Stale, and what follows: Fresh
rememberMany, a hit: Stale, and what follows: Fresh
rememberMany, a hit: Stale, and what follows: Fresh
remember, a hit: Stale, and what follows: Fresh
remember, a hit: Stale, and what follows: Fresh
an election: Stale, and what follows: Fresh
an election: Stale, and what follows: Fresh
an election of getMultiple: Stale, and what follows: Fresh
an election of getMultiple: Stale, and what follows: Fresh
fresh 0 of 12
of several looks each number is the first one's
Stale, Stale
within the computation of a remember
Stale computed before
Stale computed before
every own store ends the looks
set, plain: Fresh
setMultiple, plain: Fresh
publish: Fresh
remember: Fresh
rememberMany: Fresh
update: Fresh
a delete does not: Stale
nor does an add that stores nothing: Stale
another prefix, another key, other servers
Fresh Fresh Fresh Fresh
