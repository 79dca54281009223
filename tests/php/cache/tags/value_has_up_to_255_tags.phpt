--TEST--
Each method stores values with 255 tags, and each tag ends them
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool, Status};

require __DIR__ . '/../../../_support/memcached.inc';

$server = start_memcached();
$tags = array_map(fn (int $number): string => "tag $number", range(1, 255));
$kinds = ['plain' => [], 'near' => ['near' => 5], 'guarded' => ['guarded' => true], 'strict' => ['stale' => false]];
foreach ($kinds as $kind => $options) {
    $pool = new Pool($server->address, "$kind:", timeout: 10);
    $cache = new Cache(...['pool' => $pool, 'ttl' => 600, 'grace' => 600, 'clearable' => true, ...$options]);
    $view = $cache->tagged($tags);
    $stores = [
        'remember' => fn () => $view->remember('k', 600, fn () => 'remember') === 'remember',
        'rememberMany' => fn () => count($view->rememberMany(['k', 'l'], 600, fn (array $missing) => array_fill_keys($missing, 'rememberMany'))) === 2,
        'set' => fn () => $view->set('k', 'set'),
        'setMultiple' => fn () => $view->setMultiple(['k' => 'setMultiple', 'l' => 1]),
        'update' => fn () => $view->update('k', fn () => 'update') === 'update',
        'remember(tags:)' => fn () => $cache->remember('k', 600, fn () => 'remember(tags:)', tags: fn () => $tags) !== null,
    ];
    foreach ($stores as $name => $store) {
        foreach (['tag 1', 'tag 255'] as $tag) {
            Pool::endRequest();
            $cache->delete('k');
            $is = [$store(), $view->peek('k'), $cache->peek('k'), $view->getMultiple(['k'])['k'], $view->touch('k', 600), $cache->entry('k')->status->name];
            $cache->invalidateTags($tag);
            if ($is !== [true, $name, $name, $name, true, 'Fresh'] || $cache->entry('k')->status !== Status::Stale) {
                echo "$kind, $name, $tag: ", json_encode($is), ', then ', $cache->entry('k')->status->name, "\n";
            }
        }
    }
    Pool::endRequest();
    $view->set('k', 'cleared');
    echo "$kind: ", json_encode([$view->get('k'), $cache->clear(), $view->get('k')]), "\n";
}
?>
--EXPECT--
plain: ["cleared",true,null]
near: ["cleared",true,null]
guarded: ["cleared",true,null]
strict: ["cleared",true,null]
