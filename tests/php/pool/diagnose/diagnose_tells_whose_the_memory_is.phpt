--TEST--
Pool::diagnose() reports a shared memory file that another user owns
--EXTENSIONS--
mcpatterns
posix
--SKIPIF--
<?php
require __DIR__ . '/../../../_support/script.inc';
skip_without_scripts();
if (posix_geteuid() !== 0) {
    die('skip needs root');
}
?>
--FILE--
<?php
require __DIR__ . '/../../../_support/doctor.inc';

const CODE = 'foreach (McPatterns\Pool::diagnose()["findings"] as $f) { if (str_starts_with($f["code"], "shared_memory")) { echo "TOLD $f[severity] $f[code] $f[finding]\n"; } }';
const NOBODY = 65534;
$folder = make_temporary_folder('doctor');
$path = "$folder/memory";

function tell(string $what): void
{
    global $folder, $path;
    $told = run_script(CODE, [], ['mcpatterns.servers' => 'memory://m', 'mcpatterns.shared_memory_path' => $path]);
    preg_match('/^TOLD (.*)$/m', $told, $found);
    echo "$what: ", str_replace($folder, 'FOLDER', $found[1] ?? 'nothing'), "\n";
}

tell('made');
$layout = fn (): string => file_get_contents($path, false, null, 16, 8); // behind the magic bytes
$ours = $layout();
$file = fopen($path, 'r+');
fseek($file, 16);
fwrite($file, ~$ours);
fclose($file);
tell('of another layout');
var_dump($layout() === $ours);
chown($path, NOBODY);
tell("another's");
remove_folder($folder);
?>
--EXPECTF--
made: nothing
of another layout: nothing
bool(true)
another's: error shared_memory "FOLDER/memory" cannot be used (it belongs to another user; mcpatterns.shared_memory_group allows several users)
