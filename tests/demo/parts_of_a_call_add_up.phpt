--TEST--
bench/where assigns all instructions of a call to parts that add up
--SKIPIF--
<?php
require __DIR__ . '/../_support/script.inc';
skip_without_scripts();
if (!is_executable('/usr/bin/addr2line')) {
    die('skip needs addr2line');
}
?>
--FILE--
<?php
require __DIR__ . '/../_support/process.inc';

$folder = make_temporary_folder('where');
register_shutdown_function('remove_folder', $folder);
$extension = getenv('TEST_PHP_EXTENSION');

/** As callgrind writes it: start-up, and so many calls of 100 + 50 + (30 + 7) + 20 instructions. */
function profile(string $file, string $extension, int $calls): void
{
    [$own, $loop, $freeing, $outside, $inner] = array_map(fn (int $each): int => $each * $calls, [50, 100, 20, 30, 7]);
    $whole = $own + $outside + $inner;
    file_put_contents($file, <<<PROFILE
        positions: instr line
        events: Ir

        ob=/usr/bin/php
        fn=main
        0x100 0 5000
        0x104 0 $loop
        cob=$extension
        cfi=class_cache.c
        cfn=get
        calls=$calls 0x1 0
        0x104 0 $whole
        0x108 0 $freeing

        ob=$extension
        fl=class_cache.c
        fn=get
        0x1 0 $own
        cob=/lib/libc.so
        cfn=memcpy
        calls=$calls 0x200 0
        0x1 0 $outside
        cfn=helper
        calls=$calls 0x2 0
        0x1 0 $inner

        fn=helper
        0x2 0 $inner

        ob=/lib/libc.so
        fn=memcpy
        0x200 0 $outside

        PROFILE);
}

profile("$folder/once", $extension, 1000);
profile("$folder/twice", $extension, 2000);
putenv('LD_PRELOAD'); // nothing of ours is loaded there, and addr2line's own leaks are not looked for
passthru(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', __DIR__ . '/../../bench/operations/parts.php', 'text', 'a call', $extension, '1000', "$folder/once", "$folder/twice"])));
?>
--EXPECT--
a call
     120  PHP's loop, its call, the result freed
      87  else
     207  in all
