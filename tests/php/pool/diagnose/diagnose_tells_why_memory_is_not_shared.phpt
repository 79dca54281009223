--TEST--
Pool::diagnose() reports why the shared memory file cannot be used
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/doctor.inc';

const CODE = 'foreach (McPatterns\Pool::diagnose()["findings"] as $f) { if (str_starts_with($f["code"], "shared_memory")) { echo "TOLD $f[severity] $f[code] $f[finding]\n"; } }';
$folder = make_temporary_folder('doctor');

function tell(string $what, string $path): void
{
    global $folder;
    $told = run_script(CODE, [], ['mcpatterns.servers' => 'memory://m', 'mcpatterns.shared_memory_path' => $path]);
    preg_match('/^TOLD (.*)$/m', $told, $found);
    echo "$what: ", str_replace($folder, 'FOLDER', $found[1] ?? 'nothing'), "\n";
}

tell('good', "$folder/memory");
tell('again', "$folder/memory");
tell('no folder', "$folder/nowhere/memory");
symlink("$folder/memory", "$folder/link");
tell('link', "$folder/link");
chmod("$folder/memory", 0644);
tell('rights', "$folder/memory");
file_put_contents("$folder/text", str_repeat("text\n", 100));
chmod("$folder/text", 0600);
tell('kind', "$folder/text");
tell('folder', $folder);
tell('none', '');
remove_folder($folder);
?>
--EXPECTF--
good: nothing
again: nothing
no folder: error shared_memory "FOLDER/nowhere/memory" cannot be used (No such file or directory)
link: error shared_memory "FOLDER/link" cannot be used (it is a symbolic link)
rights: error shared_memory "FOLDER/memory" cannot be used (it must have the mode 0600)
kind: error shared_memory "FOLDER/text" cannot be used (it was not created by this extension)
folder: error shared_memory "FOLDER" cannot be used (%s)
none: notice shared_memory_alone empty: php-fpm and the command line have separate memory
