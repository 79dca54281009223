--TEST--
Shared memory has the configured size and file, and rejects foreign files (P7)
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
if (PHP_OS_FAMILY !== 'Linux') {
    die('skip needs the errors of Linux');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

$folder = make_temporary_folder('shared');
register_shutdown_function('remove_folder', $folder);
$show = function (string $size, string $path = '') use ($folder) {
    $code = 'ob_start(); (new ReflectionExtension("mcpatterns"))->info(); preg_match("/shared memory => .*/", ob_get_clean(), $line); echo $line[0];';
    $said = trim(run_script($code, [], ['mcpatterns.shared_memory' => $size, 'mcpatterns.shared_memory_path' => $path]));
    echo preg_replace('/ in Unknown on line 0|\n(?=\n)/', '', str_replace($folder, 'FOLDER', $said)), "\n";
};
echo "sizes\n";
foreach (['0', '64K', '100000', '3M', '1G'] as $size) {
    $show($size);
}
echo "a file, made and found\n";
umask(0);
$show('1M', "$folder/shared");
printf("%o %d\n", fileperms("$folder/shared"), filesize("$folder/shared"));
$show('1M', "$folder/shared");
echo "another size\n";
$show('2M', "$folder/shared");
clearstatcache();
printf("%o %d\n", fileperms("$folder/shared"), filesize("$folder/shared"));
echo "another boot, version or build, cut short, and left by one that was killed\n";
$show('1M', "$folder/shared");
$of_now = file_get_contents("$folder/shared");
// A memory has a number of its own, behind the head.
$is_as_now = fn (string $content): bool => strlen($content) === strlen($of_now) && substr($content, 0, 64) === substr($of_now, 0, 64);
foreach ([substr_replace($of_now, 'another.', 16, 8), substr($of_now, 0, 4096), substr($of_now, 0, 32), ''] as $content) {
    file_put_contents("$folder/shared", $content);
    $show('1M', "$folder/shared");
    var_dump($is_as_now(file_get_contents("$folder/shared")));
}
echo "others may read it\n";
chmod("$folder/shared", 0644);
$show('1M', "$folder/shared");
echo "a second name\n";
chmod("$folder/shared", 0600);
link("$folder/shared", "$folder/second");
$show('1M', "$folder/shared");
echo "a link\n";
symlink("$folder/nowhere", "$folder/link");
$show('1M', "$folder/link");
var_dump(file_exists("$folder/nowhere"));
echo "ours, and never made anew: another size with these\n";
unlink("$folder/second");
unlink("$folder/link");
rename("$folder/shared", "$folder/target");
symlink("$folder/target", "$folder/link");
$show('2M', "$folder/link");
link("$folder/target", "$folder/second");
$show('2M', "$folder/target");
unlink("$folder/second");
chmod("$folder/target", 0640);
$show('2M', "$folder/target");
var_dump($is_as_now(file_get_contents("$folder/target")), is_link("$folder/link"));
echo "something else\n";
file_put_contents("$folder/else", $text = str_repeat('else', 1 << 18));
chmod("$folder/else", 0600);
$show('1M', "$folder/else");
var_dump(file_get_contents("$folder/else") === $text);
echo "a folder, a pipe, and nowhere\n";
mkdir("$folder/folder");
$show('1M', "$folder/folder");
shell_exec("mkfifo -m 600 $folder/pipe");
$show('1M', "$folder/pipe");
$show('1M', "$folder/none/shared");
?>
--EXPECT--
sizes
shared memory => none
shared memory => 64 KiB
shared memory => 96 KiB
shared memory => 3 MiB
shared memory => 1024 MiB
a file, made and found
shared memory => 1 MiB in FOLDER/shared
100600 1048576
shared memory => 1 MiB in FOLDER/shared
another size
shared memory => 2 MiB in FOLDER/shared
100600 2097152
another boot, version or build, cut short, and left by one that was killed
shared memory => 1 MiB in FOLDER/shared
shared memory => 1 MiB in FOLDER/shared
bool(true)
shared memory => 1 MiB in FOLDER/shared
bool(true)
shared memory => 1 MiB in FOLDER/shared
bool(true)
shared memory => 1 MiB in FOLDER/shared
bool(true)
others may read it
Warning: mcpatterns.shared_memory_path: "FOLDER/shared" cannot be used (it must have the mode 0600). Anonymous memory is used instead, which no other master or script shares.
shared memory => 1 MiB
a second name
Warning: mcpatterns.shared_memory_path: "FOLDER/shared" cannot be used (it has a second hard link). Anonymous memory is used instead, which no other master or script shares.
shared memory => 1 MiB
a link
Warning: mcpatterns.shared_memory_path: "FOLDER/link" cannot be used (it is a symbolic link). Anonymous memory is used instead, which no other master or script shares.
shared memory => 1 MiB
bool(false)
ours, and never made anew: another size with these
Warning: mcpatterns.shared_memory_path: "FOLDER/link" cannot be used (it is a symbolic link). Anonymous memory is used instead, which no other master or script shares.
shared memory => 2 MiB
Warning: mcpatterns.shared_memory_path: "FOLDER/target" cannot be used (it has a second hard link). Anonymous memory is used instead, which no other master or script shares.
shared memory => 2 MiB
Warning: mcpatterns.shared_memory_path: "FOLDER/target" cannot be used (it must have the mode 0600). Anonymous memory is used instead, which no other master or script shares.
shared memory => 2 MiB
bool(true)
bool(true)
something else
Warning: mcpatterns.shared_memory_path: "FOLDER/else" cannot be used (it was not created by this extension). Anonymous memory is used instead, which no other master or script shares.
shared memory => 1 MiB
bool(true)
a folder, a pipe, and nowhere
Warning: mcpatterns.shared_memory_path: "FOLDER/folder" cannot be used (Is a directory). Anonymous memory is used instead, which no other master or script shares.
shared memory => 1 MiB
Warning: mcpatterns.shared_memory_path: "FOLDER/pipe" cannot be used (it is not a regular file). Anonymous memory is used instead, which no other master or script shares.
shared memory => 1 MiB
Warning: mcpatterns.shared_memory_path: "FOLDER/none/shared" cannot be used (No such file or directory). Anonymous memory is used instead, which no other master or script shares.
shared memory => 1 MiB
