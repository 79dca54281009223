--TEST--
$entry can be a typed property, and change during computation or destruction
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Entry, Pool};

$cache = new Cache(new Pool('memory://variables'), ttl: 100);
$value = fn () => 'value';
$show = fn (mixed $entry) => print(($entry instanceof Entry ? "{$entry->status->name} {$entry->value}" : get_debug_type($entry)) . "\n");

class Page
{
    public ?Entry $story = null;
    public Entry|string|null $either = null;
    public ?string $text = null;
    public Entry $never;
}
class Noisy
{
    public function __construct(private Closure $say) {}
    public function __destruct() { ($this->say)(); }
}
class Thrower
{
    public bool $throws = true;
    public function __destruct() { if ($this->throws) { throw new DomainException('the old value'); } }
}

echo "typed properties\n";
$page = new Page;
$cache->remember('a', 100, $value, entry: $page->story);
$cache->remember('a', 100, $value, entry: $page->either);
$show($page->story);
$show($page->either);
foreach (['text', 'never'] as $property) {
    try {
        $cache->remember($property, 100, $value, entry: $page->$property);
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
var_dump($page->text, $cache->peek('text'));

echo "elements, statics, new variables, and the one of the result\n";
$cache->remember('a', 100, $value, entry: $list['first']['second']);
$show($list['first']['second']);
$x = $cache->remember('a', 100, $value, entry: $x);
$show($x);

echo "what is no Entry\n";
foreach (['text', 1, new stdClass, []] as $wrong) {
    try {
        $cache->remember('b', 100, $value, entry: $wrong);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump($cache->has('b'));
var_dump(@call_user_func([$cache, 'remember'], 'b', 100, $value, null, null, null, null, null, null, null, McPatterns\Refresh::Inline, false, null));

echo "changed by the computation\n";
$entry = null;
$cache->remember('c', 100, function () use (&$entry) { $entry = 'anything'; return 'value'; }, entry: $entry);
$show($entry);
$entry = null;
$cache->remember('d', 100, function () use ($cache, &$entry) { return $cache->remember('c', 100, fn () => 0, entry: $entry) . ' of c'; }, entry: $entry);
$show($entry);

echo "destructors\n";
$entry = null;
$cache->remember('e', 100, function () use (&$entry, $show) {
    $entry = new Noisy(function () use (&$entry, $show) { echo 'sees '; $show($entry); $entry = 'put by the destructor'; });
    return 'value';
}, entry: $entry);
$show($entry);
$entry = null;
try {
    var_dump($cache->remember('f', 100, function () use (&$entry) {
        $entry = new Noisy(fn () => throw new DomainException('destroyed'));
        return 'value';
    }, entry: $entry));
} catch (DomainException $error) {
    echo $error->getMessage(), "\n";
}
$show($entry);
echo $cache->peek('f'), "\n";
$thrower = new Thrower;
$cache->set('g', $thrower);
$thrower->throws = false;
$cache->expire('g');
try {
    $cache->remember('g', 100, fn (Entry $was) => 'value');
} catch (DomainException $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
typed properties
Elected value
Fresh value
TypeError: Cannot assign McPatterns\Entry to reference held by property Page::$text of type ?string
Error: Cannot access uninitialized non-nullable property Page::$never by reference
NULL
string(5) "value"
elements, statics, new variables, and the one of the result
Fresh value
string
what is no Entry
McPatterns\Cache::remember(): Argument #13 ($entry) must be of type ?McPatterns\Entry, string given
McPatterns\Cache::remember(): Argument #13 ($entry) must be of type ?McPatterns\Entry, int given
McPatterns\Cache::remember(): Argument #13 ($entry) must be of type ?McPatterns\Entry, stdClass given
McPatterns\Cache::remember(): Argument #13 ($entry) must be of type ?McPatterns\Entry, array given
bool(false)
string(5) "value"
changed by the computation
Elected value
Elected value of c
destructors
sees Elected value
string
destroyed
Elected value
value
the old value
