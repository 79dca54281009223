--TEST--
A computation with an Entry parameter receives the stored value's details (C17)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, Entry, Pool, Status};

class Unreadable
{
    public function __serialize(): array { return []; }
    public function __unserialize(array $data): void { throw new DomainException; }
}
Clock::freeze(1_700_000_000);
$cache = new Cache(new Pool('memory://told'), ttl: 100, grace: 50);
$tell = fn (Entry $was) => printf("%s %s, age %s, expires in %s\n", $was->status->name, json_encode($was->value), json_encode($was->age), json_encode($was->expiresIn));

echo "what there was\n";
$cache->remember('k', null, fn (Entry $was) => $tell($was) ? 'first' : 0);
Clock::advance(110);
$cache->remember('k', null, fn (Entry $was) => $tell($was) ? null : 0);
Clock::advance(120);
$cache->remember('k', null, fn (Entry $was) => $tell($was) ? 'third' : 0);
Clock::advance(30);
$cache->remember('k', null, fn (Entry $was) => $tell($was) ? 'forced' : 0, force: true);
Clock::advance(150);
$cache->remember('k', null, fn (Entry $was) => $tell($was) ? 'cold' : 0);
$cache->set('unreadable', new Unreadable);
$cache->expire('unreadable');
$cache->remember('unreadable', null, fn (Entry $was) => $tell($was) ? 'read' : 0);

echo "not modified\n";
$fetch = function (Entry $was): array {
    [$tag, $body] = $was->value ?? [null, null];
    return $tag === 'v1' ? [$tag, "$body, kept"] : ['v1', 'body'];
};
echo implode(' ', $cache->remember('page', 100, $fetch)), "\n";
$cache->expire('page');
echo implode(' ', $cache->remember('page', 100, $fetch)), "\n";

echo "who is given it\n";
class Work
{
    public function __invoke(Entry $was) { return get_debug_type($was); }
    public static function stat(?Entry $was = null) { return get_debug_type($was); }
    public static function all($columns = ['*']) { return implode($columns); }
    public function __call($name, $arguments) { return count($arguments); }
}
function &by_reference(Entry &$was) { $type = get_debug_type($was); $was = null; return $type; }
$computations = [
    'required' => function (Entry $was) { return get_debug_type($was); },
    'required, no type' => fn ($was) => get_debug_type($was),
    'required of two' => fn (Entry $was, $more = 2) => get_debug_type($was),
    'optional Entry' => fn (?Entry $was = null) => get_debug_type($was),
    'optional union' => fn (int|Entry|null $was = null) => get_debug_type($was),
    'optional, no type' => fn ($limit = 10) => $limit,
    'optional mixed' => fn (mixed $limit = 10) => $limit,
    'optional object' => fn (?object $was = null) => get_debug_type($was),
    'optional int' => fn (int $limit = 10) => $limit,
    'variadic Entry' => fn (Entry ...$was) => count($was),
    'variadic' => fn (...$arguments) => count($arguments),
    'reference' => 'by_reference',
    'invokable' => new Work,
    '[closure, __invoke]' => [fn (Entry $was) => get_debug_type($was), '__invoke'],
    'string' => 'Work::stat',
    'array' => [Work::class, 'stat'],
    'first class' => Work::stat(...),
    'with a default of its own' => Work::all(...),
    '__call' => [new Work, 'magic'],
    '__call, first class' => (new Work)->magic(...),
    'internal without parameters' => 'time',
    'internal with an optional one' => 'microtime',
    'internal with a required one' => 'get_debug_type',
    'internal that cannot take it' => 'strlen',
];
foreach ($computations as $name => $compute) {
    try {
        $value = $cache->remember($name, 100, $compute);
    } catch (TypeError $error) {
        $value = $error->getMessage();
    }
    echo "$name: ", is_numeric($value) && $value > 1e6 || str_contains($value, ' 17') ? 'a time' : $value, "\n";
}
?>
--EXPECT--
what there was
Miss null, age null, expires in null
Stale "first", age 110, expires in -10
Stale null, age 120, expires in -20
Fresh "third", age 30, expires in 70
Miss null, age null, expires in null
Miss null, age null, expires in null
not modified
v1 body
v1 body, kept
who is given it
required: McPatterns\Entry
required, no type: McPatterns\Entry
required of two: McPatterns\Entry
optional Entry: McPatterns\Entry
optional union: McPatterns\Entry
optional, no type: 10
optional mixed: 10
optional object: null
optional int: 10
variadic Entry: 1
variadic: 0
reference: McPatterns\Entry
invokable: McPatterns\Entry
[closure, __invoke]: McPatterns\Entry
string: McPatterns\Entry
array: McPatterns\Entry
first class: McPatterns\Entry
with a default of its own: *
__call: 0
__call, first class: 0
internal without parameters: a time
internal with an optional one: a time
internal with a required one: McPatterns\Entry
internal that cannot take it: strlen(): Argument #1 ($string) must be of type string, McPatterns\Entry given
