--TEST--
cron_job_once.php runs each scheduled job once, concurrently or afterwards
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
use McPatterns\{Lock, Pool};

require __DIR__ . '/../_support/run_example.inc';

$server = start_memcached();
$start = fn (string ...$arguments) => run_example_script('cron_job_once', $server, $arguments);
$pool = new Pool($server->address);

echo $start('2026-01-01 12:00');
echo $start('2026-01-01 12:00');
echo $start('2026-01-01 12:01');

// Another host is at it.
$lock = new Lock($pool, 'report:2026-01-01 12:02', ttl: 60);
$lock->acquire();
echo $start('2026-01-01 12:02');
$lock->release();
echo $start('2026-01-01 12:02');

// Without a name it is this minute's run; the next one's, should it begin just now.
foreach ([0, 60] as $later) {
    $this_minute[] = $lock = new Lock($pool, 'report:' . gmdate('Y-m-d H:i', time() + $later), ttl: 60);
    $lock->acquire();
}
echo preg_replace('/^\d{4}(-\d\d){2} \d\d:\d\d/', 'this minute', $start());
?>
--EXPECT--
collect
compute
send
2026-01-01 12:00: done
2026-01-01 12:00: another start has it
collect
compute
send
2026-01-01 12:01: done
2026-01-01 12:02: another start has it
collect
compute
send
2026-01-01 12:02: done
this minute: another start has it
