--TEST--
MC::set() returns false for unstorable values, and propagates user exceptions
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

class Thrower
{
    public function __construct(private string $class) {}
    public function __serialize(): array
    {
        throw new $this->class('from __serialize');
    }
}

MC::use(new Cache(new Pool('memory://mc')));
$deep = 1;
for ($i = 0; $i < 5000; $i++) {
    $deep = [$deep];
}
var_dump(MC::set('k', fn () => 1), MC::set('k', STDIN), MC::set('k', [STDIN]), MC::set('k', $deep));
foreach ([TypeError::class, Exception::class, ValueError::class] as $class) {
    try {
        MC::set('k', [new Thrower($class)]);
        echo "nothing thrown\n";
    } catch (Throwable $thrown) {
        echo get_class($thrown), ': ', $thrown->getMessage(), "\n";
    }
}

echo "another cache, chosen while the old one goes\n";
class Chooser
{
    public function __destruct()
    {
        MC::use(new Cache(new Pool('memory://from-a-destructor')));
        MC::set('k', 'from the destructor');
    }
}
$map = new WeakMap;
$old = new Cache(new Pool('memory://old'));
$map[$old] = new Chooser;
MC::use($old);
unset($old);
MC::use(new Cache(new Pool('memory://new')));
var_dump(MC::get('k'));
?>
--EXPECT--
bool(false)
bool(false)
bool(false)
bool(false)
TypeError: from __serialize
Exception: from __serialize
ValueError: from __serialize
another cache, chosen while the old one goes
string(19) "from the destructor"
