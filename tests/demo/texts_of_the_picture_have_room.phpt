--TEST--
No text of the pictures overlaps another or leaves the picture, in the widest font
--FILE--
<?php
namespace McPatterns\Bench\Demo;

foreach (['options', 'contender', 'scene', 'samples', 'report', 'steps', 'svg', 'picture'] as $part) {
    require __DIR__ . "/../../bench/demo/$part.php";
}
require __DIR__ . '/../../bench/scale/page_picture.php';

/* One rebuild or read of each process, and a wait of each, at every start: the most that can be drawn. */
function samples(Scene $scene, Options $options, array $rebuilds_at_ms): Samples
{
    $file = tempnam(sys_get_temp_dir(), 'demo');
    $records = Samples::encode(0, 123_456_789, 0, 0, 0);
    foreach ($rebuilds_at_ms as $at_ms => $rebuilds) {
        [$start, $end] = [$at_ms * 1_000_000, ($at_ms + $options->rebuild_ms) * 1_000_000];
        $records .= str_repeat(Samples::encode($start, $end, $start, $end, 0), $rebuilds)
            . str_repeat(Samples::encode($start, $end, 0, 0, 0), $options->workers);
    }
    file_put_contents($file, $records);
    try {
        return new Samples($scene, $options, 0, [$file]);
    } finally {
        unlink($file);
    }
}

/* Left, top, right, bottom and words of each text. */
function texts(string $svg): array
{
    $boxes = [];
    preg_match_all('/<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)" .*?anchor="(\w+)" font-weight="(\d+)">([^<]+)</', $svg, $texts, PREG_SET_ORDER);
    foreach ($texts as [, $x, $y, $size, $anchor, $weight, $words]) {
        $width = Svg::width(htmlspecialchars_decode($words), (int) $size, (int) $weight);
        $left = $x - $width * ['start' => 0, 'middle' => 0.5, 'end' => 1][$anchor];
        $boxes[] = [$left, $y - 0.76 * $size, $left + $width, $y + 0.24 * $size, $words];
    }
    return $boxes;
}

/* The plots and the legend's squares: what is as large as the picture is its background. */
function rectangles(string $svg, int $width): array
{
    preg_match_all('/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/', $svg, $found, PREG_SET_ORDER);
    $boxes = array_map(fn (array $one): array => [$one[1], $one[2], $one[1] + $one[3], $one[2] + $one[4], 'a plot'], $found);
    return array_filter($boxes, fn (array $box): bool => $box[2] - $box[0] < $width);
}

function check(string $svg): void
{
    preg_match('/width="(\d+)" height="(\d+)"/', $svg, $size);
    $texts = texts($svg);
    foreach ($texts as $at => $one) {
        if ($one[0] < 0 || $one[1] < 0 || $one[2] > $size[1] || $one[3] > $size[2]) {
            echo "outside: $one[4]\n";
        }
        foreach ([...array_slice($texts, $at + 1), ...rectangles($svg, (int) $size[1])] as $other) {
            if ($one[0] < $other[2] && $other[0] < $one[2] && $one[1] < $other[3] && $other[1] < $one[3]) {
                echo "overlap: $one[4], $other[4]\n";
            }
        }
    }
}

$names = array_map(fn (string $path): string => basename($path, '.php'), glob(__DIR__ . '/../../bench/demo/contenders/*.php'));
$all = load_contenders($names);
foreach ([count($all), 3, 1] as $count) {
    $options = new Options();
    $contenders = array_slice($all, 0, $count, true);
    $played = [];
    foreach ($contenders as $name => $contender) {
        foreach (Scene::all($options) as $scene) {
            if (in_array($scene->name, $contender->scenes(), true)) {
                $played[$scene->name][$name] = samples($scene, $options, $scene->is_warm ? [1500 => 32, 3700 => 10, 5900 => 32] : [0 => 32]);
            }
        }
    }
    check(Picture::svg($options, $contenders, $played));
}
foreach ([[20, 14.3, 1, 0.8], [20, 100, 1, 99.9], [20, 9.9, 1, 0.1]] as [$trips, $took_ms, $one, $took_once_ms]) {
    check(\McPatterns\Bench\Scale\PagePicture::svg(['20 times get()' => [$trips, $took_ms], 'prefetch(), 20 times get()' => [$one, $took_once_ms]], 0.5));
}
echo count(texts(Picture::svg($options, $contenders, $played))), " texts with 1 contender, ", count($all), " contenders\n";
?>
--EXPECT--
37 texts with 1 contender, 7 contenders
