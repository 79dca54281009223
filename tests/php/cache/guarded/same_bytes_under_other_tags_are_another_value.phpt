--TEST--
A guarded store returns true only if its own tags were stored
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Pool};

$open = fn (bool $clearable = false): Cache => new Cache(new Pool('memory://a'), 'g.', ttl: 100, clearable: $clearable, guarded: true);
$others = new Cache(new Pool('memory://a'), 'g.', ttl: 100); // without a look, so nothing is noted of what it stores
foreach ([
    'without tags' => [$open()->tagged('t'), $others],
    'under another tag' => [$open()->tagged('t'), $others->tagged('u')],
    'under more tags' => [$open()->tagged('t'), $others->tagged('t', 'u')],
    'not clearable' => [$open(clearable: true), $others],
    'under the same tag' => [$open()->tagged('t'), $others->tagged('t')],
] as $name => [$view, $other]) {
    foreach (['set', 'setMultiple'] as $method) {
        Pool::endRequest();
        $key = "$name $method";
        $view->getMultiple([$key, "$key 2"]);
        $other->set($key, 'row');
        $is_stored = $method === 'set' ? $view->set($key, 'row') : $view->setMultiple([$key => 'row', "$key 2" => 'row']);
        $shown = $view->entry($key)->status->name;
        $name === 'not clearable' ? $view->clear() : $view->invalidateTags('t');
        Pool::endRequest();
        echo "$key: ", json_encode([$is_stored, $shown, $open()->entry($key)->status->name]), "\n";
    }
}
?>
--EXPECT--
without tags set: [false,"Miss","Miss"]
without tags setMultiple: [false,"Miss","Miss"]
under another tag set: [false,"Miss","Miss"]
under another tag setMultiple: [false,"Miss","Miss"]
under more tags set: [false,"Miss","Miss"]
under more tags setMultiple: [false,"Miss","Miss"]
not clearable set: [false,"Miss","Miss"]
not clearable setMultiple: [false,"Miss","Miss"]
under the same tag set: [true,"Fresh","Stale"]
under the same tag setMultiple: [true,"Fresh","Stale"]
