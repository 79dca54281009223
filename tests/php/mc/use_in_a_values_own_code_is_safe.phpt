--TEST--
A value's own code and error handlers can call MC::use()
--EXTENSIONS--
mcpatterns
--FILE--
<?php
use McPatterns\{Cache, MC, Pool};

function choose(string $name): void
{
    MC::use(new Cache(new Pool("memory://$name")));
}

class Chooser
{
    public static bool $throws = false;

    public function __serialize(): array
    {
        choose('chosen');
        return [];
    }

    public function __unserialize(array $data): void
    {
        choose('chosen');
        if (self::$throws) {
            throw new DomainException('not readable');
        }
    }
}

choose('first');
var_dump(MC::set('object', new Chooser), MC::get('object'));
choose('first');
var_dump(MC::get('object') instanceof Chooser);
choose('first');
Chooser::$throws = true;
var_dump(MC::get('object'));

set_error_handler(fn () => choose('chosen'));
choose('first');
MC::set('number', 1);
choose('chosen');
MC::set('number', 10);
choose('first');
var_dump(MC::increment('number', new stdClass));
choose('first');
var_dump(MC::set('number', 20, false, new stdClass));
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
bool(false)
int(11)
bool(true)
