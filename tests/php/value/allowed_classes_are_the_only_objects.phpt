--TEST--
allowedClasses decodes other classes as incomplete without running their code
--EXTENSIONS--
igbinary
msgpack
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_extensions('igbinary', 'msgpack');
?>
--FILE--
<?php
use McPatterns\{Cache, Pool, Serializer};

require __DIR__ . '/../../_support/memcached.inc';

class Allowed { public $held = null; public function __wakeup() { echo 'allowed '; } }
class Other { public $held = 1; public function __wakeup() { echo 'OTHER '; } public function __destruct() { if (self::$loud) { echo 'DESTROYED '; } } public static bool $loud = false; }
class Magic { public function __unserialize(array $data): void { echo 'MAGIC '; } public function __serialize(): array { return []; } }
spl_autoload_register(fn (string $class) => print("LOADED $class "));

$address = start_memcached()->address;
$writer = fn (Serializer $serializer, ?string $secret = null): Cache => new Cache(new Pool($address, serializer: $serializer, signingKey: $secret));
$reader = fn (bool|array $allowed, ?string $secret = null): Cache => new Cache(new Pool($address, allowedClasses: $allowed, signingKey: $secret));
$told = function (mixed $value): string {
    return $value instanceof __PHP_Incomplete_Class ? 'incomplete ' . ((array) $value)['__PHP_Incomplete_Class_Name'] : (is_object($value) ? get_class($value) : json_encode($value));
};
$holder = new Allowed();
$holder->held = new Other();
foreach (['allowed' => new Allowed(), 'other' => new Other(), 'magic' => new Magic(), 'nested' => $holder, 'list' => [1, 'x']] as $name => $value) {
    $writer(Serializer::Php)->set('k', $value);
    Other::$loud = true;
    echo "$name: ";
    foreach ([true, false, [], ['ALLOWED'], ['Allowed', 'Other']] as $allowed) {
        $found = $reader($allowed)->get('k', 'miss');
        echo $told($found), $found instanceof Allowed && $found->held ? ' with ' . $told($found->held) : '', ', ';
        unset($found);
    }
    echo "\n";
    Other::$loud = false;
}
echo "others' formats\n";
foreach ([Serializer::Igbinary, Serializer::Msgpack, Serializer::Json] as $serializer) {
    $writer($serializer)->set('k', [1]);
    $strict = $reader(['Allowed']);
    echo $serializer->name, ' ', json_encode($strict->get('k', 'miss')), ' ', $strict->stats()['unreadable'];
    $writer($serializer, 'secret')->set('k', [1]);
    echo ' signed: ', json_encode($reader(false, 'secret')->get('k', 'miss')), ' ', json_encode($reader(false)->get('k', 'miss')), "\n";
}
echo "a Pool\n";
foreach ([['serializer' => Serializer::Igbinary], ['serializer' => Serializer::Msgpack], ['serializer' => Serializer::Json], ['serializer' => Serializer::Igbinary, 'signingKey' => 's'], []] as $options) {
    try {
        new Pool('memory://m', ...$options + ['allowedClasses' => false]);
        echo "made\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
foreach ([['igbinary', null], ['igbinary', 's'], ['json', null], ['', null]] as [$setting, $secret]) {
    ini_set('mcpatterns.serializer', $setting);
    try {
        new Pool('memory://m', allowedClasses: false, signingKey: $secret);
        echo "made\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
?>
--EXPECT--
allowed: allowed Allowed, incomplete Allowed, incomplete Allowed, allowed Allowed, allowed Allowed, 
other: OTHER Other, DESTROYED incomplete Other, incomplete Other, incomplete Other, OTHER Other, DESTROYED 
magic: MAGIC Magic, incomplete Magic, incomplete Magic, incomplete Magic, incomplete Magic, 
nested: OTHER allowed Allowed with Other, DESTROYED incomplete Allowed, incomplete Allowed, allowed Allowed with incomplete Other, OTHER allowed Allowed with Other, DESTROYED 
list: [1,"x"], [1,"x"], [1,"x"], [1,"x"], [1,"x"], 
others' formats
Igbinary "miss" 1 signed: [1] "miss"
Msgpack "miss" 1 signed: [1] "miss"
Json [1] 0 signed: [1] [1]
a Pool
McPatterns\Pool::__construct(): Argument #4 ($serializer) must be Serializer::Php or Serializer::Json unless $allowedClasses is true or there is a $signingKey: igbinary cannot restrict classes
McPatterns\Pool::__construct(): Argument #4 ($serializer) must be Serializer::Php or Serializer::Json unless $allowedClasses is true or there is a $signingKey: msgpack cannot restrict classes
made
made
made
The INI setting mcpatterns.serializer must be "php" or "json" unless $allowedClasses is true or there is a $signingKey: igbinary cannot restrict classes
made
made
made
