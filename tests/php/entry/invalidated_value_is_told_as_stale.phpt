--TEST--
The Entry of a value after invalidation or soft clear() is Stale
--EXTENSIONS--
mcpatterns
--INI--
opcache.jit=disable
--FILE--
<?php
use McPatterns\{Cache, Clock, Entry, Pool};

Clock::freeze(1_700_000_000);

/** @param array<string, mixed> $options */
function tell(Closure $end, array $options): void
{
    $cache = new Cache(...['pool' => new Pool('memory://story'), 'ttl' => 60, 'grace' => 600, 'clearable' => true, 'staleOnError' => true, ...$options]);
    $view = $cache->tagged('t');
    $show = fn (?Entry $entry) => $entry === null ? 'none' : "{$entry->status->name} $entry->value" . ($entry->expiresIn <= 0 ? '' : " for $entry->expiresIn s");
    $view->set('k', 'old');
    $view->get('k');
    Clock::advance(1);
    $end($cache);
    Clock::advance(1);
    echo $show($view->entry('k')), ', ', $show($cache->entry('k')), ', ';
    // PHP's tracing JIT, by run-tests' thresholds, loses what any method is given by reference and by name.
    $answered = $view->remember('k', 60, function (Entry $was) use ($show, $view) {
        echo $show($was), ', ';
        throw new RuntimeException('failed');
    }, entry: $entry);
    echo "$answered: ", $show($entry), "\n";
    $view->set('k', 'old');
    $end($cache);
    echo '  ', $show($view->lookup('k')), ', ', $show($view->lookup('k')), "\n";
    $view->abandon('k');
}

foreach ([[], ['near' => 5], ['ttl' => 0]] as $options) {
    tell(fn (Cache $cache) => $cache->invalidateTags('t'), $options);
    tell(fn (Cache $cache) => $cache->clear(strict: false), $options);
}
?>
--EXPECT--
Stale old, Stale old, Stale old, old: Stale old
  Elected old, Busy old
Stale old, Stale old, Stale old, old: Stale old
  Elected old, Busy old
Stale old, Stale old, Stale old, old: Stale old
  Elected old, Busy old
Stale old, Stale old, Stale old, old: Stale old
  Elected old, Busy old
Stale old, Stale old, Stale old, old: Stale old
  Elected old, Busy old
Stale old, Stale old, Stale old, old: Stale old
  Elected old, Busy old
