--TEST--
A recreated shared memory file leaves existing mappings usable (P7.5)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
if (PHP_OS_FAMILY !== 'Linux') {
    die('skip needs /proc');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/memcached.inc';
require __DIR__ . '/../../_support/script.inc';

$folder = make_temporary_folder('shared');
register_shutdown_function('remove_folder', $folder);
$server = start_memcached();
$settings = fn (string $size): array => [
    'mcpatterns.shared_memory' => $size,
    'mcpatterns.shared_memory_path' => "$folder/memory",
];
$wait_for = function (string $name, $process): void {
    while (!file_exists($name) && proc_get_status($process)['running']) {
        usleep(1000);
        clearstatcache();
    }
};

/* Reads near before and after, also what is on pages that it has not touched yet. */
$first = start_script('
    [, $address, $folder] = $argv;
    $pool = new McPatterns\Pool($address);
    $read = function () use ($pool) {
        $near = new McPatterns\Cache($pool, ttl: 100, near: 60);
        $near->get("k");
        $again = new McPatterns\Cache($pool, ttl: 100, near: 60);
        $again->get("k");
        return $again->stats()["near_shared"];
    };
    $near = new McPatterns\Cache($pool, ttl: 100, near: 60);
    $near->set("k", 1);
    echo $read();
    touch("$folder/runs");
    while (!file_exists("$folder/replaced")) {
        usleep(1000);
        clearstatcache();
    }
    echo $read();
    for ($i = 0; $i < 2000; $i++) {
        $near->set("n$i", str_repeat("v", 10 * $i), 100);
        $near->get("n$i");
    }
    echo $read(), "\n";', [$server->address, $folder], $settings('1M'), $log);
$wait_for("$folder/runs", $first);

$old = fopen("$folder/memory", 'r+e');
flock($old, LOCK_EX);
$starters = [];
for ($i = 0; $i < 4; $i++) {
    $starters[] = [start_script('
        while (!file_exists("$argv[1]/over")) {
            usleep(1000);
            clearstatcache();
        }
        preg_match("~^\S+ \S+ \S+ \S+ (\d+) +\S+/memory( \(deleted\))?$~m", file_get_contents("/proc/self/maps"), $found);
        echo $found[1] ?? "none", $found[2] ?? "";', [$folder], $settings('2M'), $output), $output];
}
// All have opened the old file before one of them has its lock, and makes it anew.
foreach ($starters as [$process]) {
    $pid = proc_get_status($process)['pid'];
    while (proc_get_status($process)['running'] && !in_array("$folder/memory", array_map(fn ($fd) => @readlink($fd), glob("/proc/$pid/fd/*")))) {
        usleep(100);
    }
    send_signal($pid, SIGNAL_STOP);
}
flock($old, LOCK_UN);
foreach ($starters as [$process]) {
    send_signal(proc_get_status($process)['pid'], SIGNAL_CONTINUE);
}
touch("$folder/over");
$said = [];
foreach ($starters as [$process, $output]) {
    while (proc_get_status($process)['running']) {
        usleep(1000);
    }
    $said[] = file_get_contents($output);
    unlink($output);
}
clearstatcache();
var_dump(array_unique($said) === [(string) fileinode("$folder/memory")], filesize("$folder/memory"));

touch("$folder/replaced");
while (proc_get_status($first)['running']) {
    usleep(1000);
}
echo file_get_contents($log);
unlink($log);
?>
--EXPECT--
bool(true)
int(2097152)
111
