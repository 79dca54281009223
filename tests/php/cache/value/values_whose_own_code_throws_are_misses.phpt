--TEST--
A value whose decoding throws is a counted and reported miss (C9)
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, Clock, MC, Pool};

/** Refuses to be read, as after a deploy. */
final class Refuses
{
    public static string $how = 'throw';

    public function __wakeup(): void
    {
        if (self::$how === 'exit') {
            exit("the script ends\n");
        }
        echo self::$how === 'throw' ? throw new DomainException('not any more') : $GLOBALS['there is none'];
    }
}

Clock::freeze(1_700_000_000);
set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));
$pool = new Pool('memory://a');
$told = [];
$pool->onError(function (string $message, array $context) use (&$told) {
    $told[] = "$context[kind], $context[key], " . $context['exception']::class;
});
$cache = new Cache($pool, ttl: 10);
$near = new Cache($pool, 'near.', ttl: 10, near: 60);
MC::use($cache);
$methods = [
    'get' => fn (Cache $cache) => $cache->get('k', 'default'),
    'peek' => fn (Cache $cache) => $cache->peek('k', 'default'),
    'has' => fn (Cache $cache) => $cache->has('k'),
    'entry' => fn (Cache $cache) => [$cache->entry('k')->status->name, $cache->entry('k')->value],
    'lookup' => fn (Cache $cache) => [$cache->lookup('k')->status->name, $cache->lookup('k')->value],
    'lookup of an old one' => function (Cache $cache) {
        Clock::advance(11);
        $entry = $cache->lookup('k');
        return [$entry->status->name, $entry->value, $cache->publish('k', 'new'), $cache->peek('k')];
    },
    'pull' => fn (Cache $cache) => [$cache->pull('k', 'default'), $cache->forget('k')],
    'getMultiple' => fn (Cache $cache) => $cache->getMultiple(['k', 'other', 'none'], 'default'),
    'update' => fn (Cache $cache) => [$cache->update('k', fn ($old) => var_export($old, true)), $cache->peek('k')],
    'remember' => fn (Cache $cache) => $cache->remember('k', null, fn () => 'computed'),
];
foreach (['plain' => $cache, 'near' => $near] as $kind => $asked) {
    foreach ($methods as $name => $ask) {
        foreach (['throw', 'warn'] as Refuses::$how) {
            $asked->set('k', new Refuses());
            $asked->set('other', [1]);
            $before = $asked->stats()['unreadable'];
            $told = [];
            Clock::advance(2); // what is told of is told once a second
            $answers[Refuses::$how] = json_encode($ask($asked)) . ', unreadable: ' . ($asked->stats()['unreadable'] > $before ? 'yes' : 'no') . ', ' . implode('; ', $told);
        }
        echo "$kind $name: ", $answers['throw'], $answers['throw'] === str_replace('ErrorException', 'DomainException', $answers['warn']) ? '' : ", but $answers[warn]", "\n";
    }
}
$cache->set('k', new Refuses());
echo 'MC: ', json_encode(MC::get('k')), "\n";
Refuses::$how = 'exit';
$cache->get('k');
?>
--EXPECT--
plain get: "default", unreadable: yes, unreadable, k, DomainException
plain peek: "default", unreadable: yes, unreadable, k, DomainException
plain has: false, unreadable: yes, unreadable, k, DomainException
plain entry: ["Miss",null], unreadable: yes, unreadable, k, DomainException
plain lookup: ["Miss",null], unreadable: yes, unreadable, k, DomainException
plain lookup of an old one: ["Elected",null,true,"new"], unreadable: yes, unreadable, k, DomainException
plain pull: ["default",false], unreadable: yes, unreadable, k, DomainException
plain getMultiple: {"k":"default","other":[1],"none":"default"}, unreadable: yes, unreadable, k, DomainException
plain update: ["NULL","NULL"], unreadable: yes, unreadable, k, DomainException
plain remember: "computed", unreadable: yes, unreadable, k, DomainException
near get: "default", unreadable: yes, unreadable, near.k, DomainException
near peek: "default", unreadable: yes, unreadable, near.k, DomainException
near has: false, unreadable: yes, unreadable, near.k, DomainException
near entry: ["Miss",null], unreadable: yes, unreadable, near.k, DomainException
near lookup: ["Miss",null], unreadable: yes, unreadable, near.k, DomainException
near lookup of an old one: ["Elected",null,true,"new"], unreadable: yes, unreadable, near.k, DomainException
near pull: ["default",false], unreadable: yes, unreadable, near.k, DomainException
near getMultiple: {"k":"default","other":[1],"none":"default"}, unreadable: yes, unreadable, near.k, DomainException
near update: ["NULL","NULL"], unreadable: yes, unreadable, near.k, DomainException
near remember: "computed", unreadable: yes, unreadable, near.k, DomainException
MC: false
the script ends
