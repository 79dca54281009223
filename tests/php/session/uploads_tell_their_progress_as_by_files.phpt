--TEST--
Upload progress is visible to other requests in each mode
--EXTENSIONS--
mcpatterns
session
--SKIPIF--
<?php
require __DIR__ . '/../../_support/fpm.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../../_support/fpm.inc';
require __DIR__ . '/../../_support/memcached.inc';

$server = start_memcached();
const SETTINGS = ['session.upload_progress.enabled' => '1', 'session.upload_progress.freq' => '1', 'session.upload_progress.min_freq' => '0', 'session.gc_probability' => '0', 'session.use_strict_mode' => '0'];
$ours = ['session.save_handler' => 'mcpatterns', 'session.save_path' => $server->address, 'mcpatterns.timeout' => '10'] + SETTINGS;
$pools = ['fpm' => SETTINGS];
foreach (['lock', 'merge', 'none'] as $locking) {
    $pools[$locking] = ['mcpatterns.session_locking' => $locking] + $ours;
}
$stays = array_map(fn (array $settings) => ['session.upload_progress.cleanup' => '0'] + $settings, $pools);
$fpm = start_fpm($pools['fpm'], 2, array_slice($pools, 1) + array_combine(array_map(fn (string $name) => "$name-stays", array_keys($stays)), $stays));
$fpm->script('begin', 'session_start(); $_SESSION["a"] = 1;');
$fpm->script('look', 'session_start(["read_and_close" => true]); echo json_encode($_SESSION);');
$fpm->script('show', 'session_start(); $_SESSION["seen"] = 1; echo json_encode($_SESSION);');
$fpm->script('take', 'session_start(); echo json_encode($_SESSION), " ", $_FILES["file"]["size"] ?? "no file";');

/** What does not depend on when it is asked. */
function steady(?array $session): string
{
    $progress = $session['upload_progress_x'] ?? null;
    unset($session['upload_progress_x']);
    return json_encode($session) . ($progress === null ? '' : ', ' . json_encode([$progress['content_length'], $progress['done'],
        array_map(fn (array $file) => [$file['name'], $file['done'], $file['error'], $file['tmp_name'] !== null], $progress['files'])]));
}

function upload(PrivateFpm $fpm, string $pool): string
{
    $cookie = "PHPSESSID=$pool";
    $fpm->ask('begin', '', $cookie, $pool);
    $head = "--b\r\nContent-Disposition: form-data; name=\"PHP_SESSION_UPLOAD_PROGRESS\"\r\n\r\nx\r\n"
        . "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"one.txt\"\r\n\r\n";
    $file = str_repeat("line\n", 8000);
    $end = "\r\n--b--\r\n";
    $request = $fpm->post('take', 'multipart/form-data; boundary=b', strlen($head . $file . $end), $cookie, $pool);
    $request->put($head . substr($file, 0, 20000));
    $fpm->await(function () use ($fpm, $pool, $cookie, &$found) {
        $found = json_decode($fpm->ask('look', '', $cookie, $pool), true);
        return ($found['upload_progress_x']['files'][0]['bytes_processed'] ?? 0) >= 15000;     // then it waits for the rest, and writes no more meanwhile
    });
    $told = 'on the way ' . steady(json_decode($fpm->ask('show', '', $cookie, $pool), true));
    $request->put(substr($file, 20000) . $end);
    $request->put('');
    [$session, $size] = explode(' ', $request->body()) + [1 => ''];
    return "$told; then " . steady(json_decode($session, true)) . ", $size; at last " . steady(json_decode($fpm->ask('show', '', $cookie, $pool), true));
}

foreach (['' => 'cleaned up', '-stays' => 'kept'] as $suffix => $what) {
    $by_files = upload($fpm, "fpm$suffix");
    echo "$what: $by_files\n";
    foreach (['lock', 'merge', 'none'] as $locking) {
        $told = upload($fpm, "$locking$suffix");
        echo "  $locking: ", $told === $by_files ? 'as by files' : $told, "\n";
    }
}
echo $fpm->log();
?>
--EXPECT--
cleaned up: on the way {"a":1,"seen":1}, [40159,false,[["one.txt",false,0,false]]]; then {"a":1,"seen":1}, 40000; at last {"a":1,"seen":1}
  lock: as by files
  merge: as by files
  none: as by files
kept: on the way {"a":1,"seen":1}, [40159,false,[["one.txt",false,0,false]]]; then {"a":1,"seen":1}, [40159,true,[["one.txt",true,0,true]]], 40000; at last {"a":1,"seen":1}, [40159,true,[["one.txt",true,0,true]]]
  lock: as by files
  merge: as by files
  none: as by files
