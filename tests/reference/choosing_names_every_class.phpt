--TEST--
docs/start/choosing.md names each class, and its links work
--EXTENSIONS--
mcpatterns
--FILE--
<?php
$docs = __DIR__ . '/../../docs';
$page = file_get_contents("$docs/start/choosing.md");
foreach ((new ReflectionExtension('mcpatterns'))->getClasses() as $class) {
    // Entries are answers, MC is the article's wrapper of a Cache, and what is thrown or chosen is no choice of a class.
    $is_chosen = !$class->isEnum() && !$class->implementsInterface(Throwable::class) && !in_array($class->getShortName(), ['Entry', 'MC', 'Pool'], true);
    if ($is_chosen && !preg_match("/`{$class->getShortName()}\\b/", $page)) {
        echo "{$class->getShortName()} is missing\n";
    }
}
preg_match_all('/\]\(([^)#]+)/', $page, $links);
foreach (array_unique($links[1]) as $link) {
    echo is_file("$docs/start/$link") ? '' : "$link is not there\n";
}
echo count($links[1]) > 10 ? 'all' : count($links[1]), "\n";
?>
--EXPECT--
all
