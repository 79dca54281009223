<?php
/* Page views, counted in memcached at each request and periodically written to a database.
 *
 *     php view_counter.php view 42                   at each request: one round trip, no database
 *     php view_counter.php save views.sqlite 42 43   from cron: adds the new views to the database
 *     php view_counter.php show views.sqlite 42      the views in the database, and those not yet saved
 *
 * If memcached loses a counter (eviction, restart), only the views since the last save are lost. If a save is killed
 * between the subtraction from the counter and the COMMIT, the subtracted views are lost. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Counter, Pool};

/** If memcached is down, the page is still shown: the view is not counted, and the number is that of the database. */
function views_of(string $article): Counter
{
    return new Counter(Pool::default(), "views:$article", whenDown: 0);
}

function open_database(string $file): PDO
{
    $database = new PDO("sqlite:$file", options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    $database->exec('CREATE TABLE IF NOT EXISTS views (article TEXT PRIMARY KEY, number INTEGER NOT NULL)');
    return $database;
}

function saved_views(PDO $database, string $article): int
{
    $query = $database->prepare('SELECT number FROM views WHERE article = ?');
    $query->execute([$article]);
    return (int) $query->fetchColumn();
}

// First the database, then the counter: a process that waits for the database, or is killed meanwhile, has
// not yet drained a counter. One transaction contains everything. If the database fails at the end, its exception
// is rethrown and the number is added back in memcached, so no view is lost or written twice.
function save(PDO $database, string $article): int
{
    // EXCLUSIVE: readers would make the COMMIT wait.
    $database->exec('BEGIN EXCLUSIVE');
    try {
        $new = views_of($article)->drain(function (int $new) use ($database, $article): void {
            $database->prepare('INSERT INTO views (article, number) VALUES (:article, :new)
                    ON CONFLICT (article) DO UPDATE SET number = number + :new')
                ->execute(['article' => $article, 'new' => $new]);
            $database->exec('COMMIT');
        });
    } catch (Throwable $failure) {
        $database->exec('ROLLBACK');
        throw $failure;
    }
    if ($new === 0) {
        $database->exec('ROLLBACK');
    }
    return $new;
}

$arguments = array_slice($argv, 1);
switch (array_shift($arguments)) {
    case 'view':
        echo 'since the last save: ', views_of($arguments[0])->increment(), "\n";
        break;
    case 'save':
        $database = open_database((string) array_shift($arguments));
        foreach ($arguments as $article) {
            echo "$article: ", save($database, $article), " new\n";
        }
        break;
    case 'show':
        [$file, $article] = $arguments;
        echo "$article: ", saved_views(open_database($file), $article) + views_of($article)->value(), " views\n";
        break;
    default:
        exit("view ARTICLE | save FILE ARTICLE... | show FILE ARTICLE\n");
}
