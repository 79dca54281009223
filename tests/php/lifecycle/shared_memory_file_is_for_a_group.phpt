--TEST--
mcpatterns.shared_memory_group shares one file with users of that group only (P7)
--EXTENSIONS--
mcpatterns
pcntl
posix
--SKIPIF--
<?php
require __DIR__ . '/../../_support/script.inc';
skip_without_scripts();
if (PHP_OS_FAMILY !== 'Linux' || posix_geteuid() !== 0) {
    die('skip needs Linux and root');
}
?>
--FILE--
<?php
require __DIR__ . '/../../_support/script.inc';

const OTHER = 65534;
$folder = make_temporary_folder('shared');
register_shutdown_function(fn (int $owner) => getmypid() === $owner && remove_folder($folder), getmypid());
$file = "$folder/memory";
let_others_pass($file);
let_others_pass(getenv('TEST_PHP_EXTENSION'));
chgrp($folder, OTHER);
chmod($folder, 02771);

/** Starts PHP as this user, who is of the group of the same number alone. */
$start = function (int $user, array $settings) use ($folder, $file): void {
    if (($child = pcntl_fork()) === 0) {
        posix_setgid($user);
        $user === 0 || posix_initgroups('nobody', $user);
        posix_setuid($user);
        $code = 'ob_start(); (new ReflectionExtension("mcpatterns"))->info(); preg_match("/shared memory => .*/", ob_get_clean(), $line); echo $line[0];';
        $command = [PHP_BINARY, '-n', '-d', 'extension=' . getenv('TEST_PHP_EXTENSION'), '-d', 'mcpatterns.shared_memory=1M'];
        foreach (['path' => $file] + $settings as $name => $value) {
            array_push($command, '-d', "mcpatterns.shared_memory_$name=$value");
        }
        $said = trim(shell_exec(implode(' ', array_map(escapeshellarg(...), [...$command, '-r', $code])) . ' 2>&1'));
        $said = str_replace($folder, 'FOLDER', $said);
        echo $user === 0 ? 'root' : 'other', ': ', preg_replace('/.*cannot be used \((.*)\)\..*/s', 'not used, $1', $said), "\n";
        exit;
    }
    pcntl_waitpid($child, $status);
};
$show = function () use ($file): void {
    clearstatcache();
    printf("    %o, user %d, group %d\n", fileperms($file), fileowner($file), filegroup($file));
};

echo "made by root\n";
$start(0, ['group' => OTHER]);
$show();
$start(OTHER, ['group' => OTHER]);
$start(OTHER, []);
echo "made by the other one\n";
unlink($file);
$start(OTHER, ['group' => OTHER]);
$show();
$start(0, ['group' => OTHER]);
$start(0, []);
$start(0, ['group' => 1]);
echo "not the group's, and then\n";
chmod($file, 0666);
$start(0, ['group' => OTHER]);
unlink($file);
$start(0, []);
$show();
$start(OTHER, []);
$start(OTHER, ['group' => OTHER]);
$start(0, ['group' => OTHER]);
$show();
$start(OTHER, ['group' => OTHER]);
echo "who is not of it\n";
unlink($file);
$start(OTHER, ['group' => 0]);
$show();
echo "modes\n";
unlink($file);
$start(0, ['group' => OTHER, 'mode' => '0600']);
$show();
$start(OTHER, ['group' => OTHER, 'mode' => '0600']);
unlink($file);
$start(0, ['mode' => '660']);
$show();
$start(OTHER, ['mode' => '660']);
?>
--EXPECT--
made by root
root: shared memory => 1 MiB in FOLDER/memory
    100660, user 0, group 65534
other: shared memory => 1 MiB in FOLDER/memory
other: not used, it belongs to another user; mcpatterns.shared_memory_group allows several users
made by the other one
other: shared memory => 1 MiB in FOLDER/memory
    100660, user 65534, group 65534
root: shared memory => 1 MiB in FOLDER/memory
root: not used, it belongs to another user; mcpatterns.shared_memory_group allows several users
root: not used, it belongs to another user or group
not the group's, and then
root: not used, it belongs to another user or group
root: shared memory => 1 MiB in FOLDER/memory
    100600, user 0, group 65534
other: not used, permission denied; mcpatterns.shared_memory_group allows several users
other: not used, permission denied
root: shared memory => 1 MiB in FOLDER/memory
    100660, user 0, group 65534
other: shared memory => 1 MiB in FOLDER/memory
who is not of it
other: not used, this user is not a member of the group
    100600, user 65534, group 65534
modes
root: shared memory => 1 MiB in FOLDER/memory
    100600, user 0, group 65534
other: not used, permission denied
root: shared memory => 1 MiB in FOLDER/memory
    100660, user 0, group 65534
other: not used, it belongs to another user; mcpatterns.shared_memory_group allows several users
