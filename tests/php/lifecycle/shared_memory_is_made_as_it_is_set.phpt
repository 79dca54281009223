--TEST--
The shared memory is as large as it is set, lies in the file that is named, and takes no file that is not its own
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
echo filesize("$folder/shared"), "\n";
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
Warning: mcpatterns.shared_memory_path: "FOLDER/shared" cannot be used (it is of another size, version or boot; delete it while no PHP uses it); memory without a file is
shared memory => 2 MiB
1048576
others may read it
Warning: mcpatterns.shared_memory_path: "FOLDER/shared" cannot be used (it must have the mode 0600); memory without a file is
shared memory => 1 MiB
a second name
Warning: mcpatterns.shared_memory_path: "FOLDER/shared" cannot be used (it has a second name); memory without a file is
shared memory => 1 MiB
a link
Warning: mcpatterns.shared_memory_path: "FOLDER/link" cannot be used (it is a link); memory without a file is
shared memory => 1 MiB
bool(false)
something else
Warning: mcpatterns.shared_memory_path: "FOLDER/else" cannot be used (it is not of this extension); memory without a file is
shared memory => 1 MiB
bool(true)
a folder, a pipe, and nowhere
Warning: mcpatterns.shared_memory_path: "FOLDER/folder" cannot be used (Is a directory); memory without a file is
shared memory => 1 MiB
Warning: mcpatterns.shared_memory_path: "FOLDER/pipe" cannot be used (it is no regular file); memory without a file is
shared memory => 1 MiB
Warning: mcpatterns.shared_memory_path: "FOLDER/none/shared" cannot be used (No such file or directory); memory without a file is
shared memory => 1 MiB
