--TEST--
Each code that Pool::diagnose() has stands once in docs/operate/doctor.md with its severity, and no other does
--EXTENSIONS--
mcpatterns
--SKIPIF--
<?php
foreach (['src/php/pool/diagnosis/findings.c', 'docs/operate/doctor.md'] as $file) {
    is_file(__DIR__ . "/../../../../$file") || die('skip needs the source');
}
?>
--FILE--
<?php
$root = dirname(__DIR__, 4);
preg_match_all('/\{"([a-z_]+)",\s*(ERROR|WARNING|NOTICE),/', file_get_contents("$root/src/php/pool/diagnosis/findings.c"), $found, PREG_SET_ORDER);
$codes = array_map(fn (array $one): string => "$one[1] " . strtolower($one[2]), $found);
preg_match_all('/^\| `([a-z_]+)` \| (error|warning|notice) \|/m', file_get_contents("$root/docs/operate/doctor.md"), $found, PREG_SET_ORDER);
$documented = array_map(fn (array $one): string => "$one[1] $one[2]", $found);
preg_match('/MCP_FINDING_UNREACHABLE,.*MCP_FINDINGS,/s', file_get_contents("$root/src/php/pool/diagnosis/findings.h"), $enum);
var_dump(count($codes) === preg_match_all('/^\tMCP_FINDING_/m', "\t$enum[0]"), $codes === array_unique($codes));
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
