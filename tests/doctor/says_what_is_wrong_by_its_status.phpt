--TEST--
bin/doctor prints findings with advice and reports them by exit status
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../_support/memcached.inc';
require __DIR__ . '/../_support/doctor.inc';

$good = start_memcached(['memory' => 128]);
$small = start_memcached(['memory' => 128, 'arguments' => ['-I', '512k', '-C']]);
$folder = make_temporary_folder('doctor');
$patient = ['mcpatterns.timeout' => 4, 'mcpatterns.connect_timeout' => 4];

function tell(string $what, array $told): void
{
    global $good, $small, $folder;
    echo "$what ($told[2]):\n", strtr(implode("\n", array_filter([$told[0], $told[1]])) . "\n", [$good->address => 'GOOD', $small->address => 'SMALL', $folder => 'FOLDER']);
}

tell('well', run_doctor([$good->address], $patient));
tell('well by php.ini', run_doctor([], $patient + ['mcpatterns.servers' => $good->address]));
tell('wrong', run_doctor([$good->address, $small->address], $patient));
tell('ignored', run_doctor(['--ignore', 'no_cas,different_item_sizes', '--ignore', 'small_items', $good->address, $small->address], $patient));
tell('wrong setting', run_doctor([], ['mcpatterns.timeout' => 20, 'mcpatterns.servers' => $good->address]));
tell('no Pool', run_doctor([$good->address], ['mcpatterns.serializer' => 'msgpack']));
file_put_contents("$folder/pool.php", '<?php return new McPatterns\Pool("memory://of-a-file");');
tell('a file', run_doctor(['--pool', "$folder/pool.php"]));
file_put_contents("$folder/other.php", '<?php return 1;');
tell('no Pool in it', run_doctor(['--pool', "$folder/other.php"]));
file_put_contents("$folder/wrong.php", '<?php throw new Exception("no \e[31m way");');
tell('it throws', run_doctor(['--pool', "$folder/wrong.php"]));
file_put_contents("$folder/ends.php", '<?php defined("APPLICATION") or exit;');
tell('it ends the script', run_doctor(['--pool', "$folder/ends.php"]));
tell('no file', run_doctor(['--pool', "$folder/nothing.php"]));
tell('both', run_doctor(['--pool', "$folder/pool.php", 'localhost']));
tell('no value', run_doctor(['--ignore']));
tell('no option', run_doctor(['--all']));
tell('no server', run_doctor(['localhost:99999']));
echo 'PHP does not start: ', run_doctor([], ['mcpatterns.timeout' => 'soon'])[2], "\n";
tell('no extension', run_doctor([], [], false));
echo strtok(run_doctor(['--help'])[0], "\n"), "\n";
remove_folder($folder);
?>
--EXPECTF--
well (0):

well by php.ini (0):

wrong (1):
warning: SMALL: largest item is 512 KiB (-I) [small_items]
    Start memcached with -I 1m, its default: larger values are not stored and are computed each time.
error: SMALL: no CAS values (-C) [no_cas]
    Start memcached without -C, or use memcached instead of another server: elections, locks and sessions need CAS.
warning: SMALL: largest item is 512 KiB, but GOOD allows 1 MiB [different_item_sizes]
    Start all servers with the same -I: otherwise the key decides whether a value is stored.
ignored (0):

wrong setting (1):
warning: mcpatterns.timeout: set to 20 seconds [long_timeout]
    Set seconds, such as 0.2 or 0.5: each worker waits this long for a server that hangs. php-memcached uses milliseconds.
no Pool (1):
error: php.ini: %smsgpack%s [settings]
    Correct the setting: it does not allow a Pool.
a file (1):
warning: memory://of-a-file: stored in the memory of this process only [memory_server]
    Use a memcached server: memory servers are for tests, and each process has its own.
no Pool in it (2):
mcpatterns-doctor: FOLDER/other.php does not return a McPatterns\Pool
it throws (2):
mcpatterns-doctor: FOLDER/wrong.php failed: no \x1b[31m way
it ends the script (2):
mcpatterns-doctor: FOLDER/ends.php ended the script without returning a McPatterns\Pool
no file (2):
mcpatterns-doctor: FOLDER/nothing.php cannot be read
both (2):
mcpatterns-doctor: --pool determines the servers: name no others
no value (2):
mcpatterns-doctor: --ignore requires a value; see mcpatterns-doctor -h
no option (2):
mcpatterns-doctor: unknown option "--all"; see mcpatterns-doctor -h
no server (2):
mcpatterns-doctor: %s
PHP does not start: 254
no extension (2):
mcpatterns-doctor: this PHP has not loaded the extension mcpatterns: see php -m and php --ini
usage: mcpatterns-doctor [options] [SERVER ...]
