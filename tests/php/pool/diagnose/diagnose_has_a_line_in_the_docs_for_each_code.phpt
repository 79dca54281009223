--TEST--
docs/operate/doctor.md lists each code of Pool::diagnose() once with its severity
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
foreach (['lib/diagnosis.php', 'docs/operate/doctor.md'] as $file) {
    is_file(__DIR__ . "/../../../../$file") || die('skip needs the source');
}
?>
--FILE--
<?php
$root = dirname(__DIR__, 4);
$library = file_get_contents("$root/lib/diagnosis.php");
preg_match_all("/^        '([a-z_]+)' => \['(error|warning|notice)', '/m", $library, $found, PREG_SET_ORDER);
$codes = array_map(fn (array $one): string => "$one[1] $one[2]", $found);
$used = $library . strtr(file_get_contents("$root/src/php/pool/diagnosis/diagnosis.c"), '"', "'");
foreach (array_column($found, 1) as $code) {
    substr_count($used, "'$code'") > 1 || print("nothing adds $code\n");
}
preg_match_all('/^\| `([a-z_]+)` \| (error|warning|notice) \|/m', file_get_contents("$root/docs/operate/doctor.md"), $found, PREG_SET_ORDER);
$documented = array_map(fn (array $one): string => "$one[1] $one[2]", $found);
var_dump(count($codes) > 60, $codes === array_unique($codes));
print_r(array_diff($codes, $documented));
print_r(array_diff($documented, $codes));
var_dump($documented === array_unique($documented));
?>
--EXPECT--
bool(true)
bool(true)
Array
(
)
Array
(
)
bool(true)
