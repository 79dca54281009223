<?php
/* A page with the counts of this host's PHP processes for Prometheus. Put it into the web server's document root.
 * Set the same token in the environment of PHP and in the configuration of Prometheus:
 *
 *     scrape_configs:
 *       - job_name: mcpatterns
 *         metrics_path: /prometheus.php
 *         authorization: { credentials: the-token }
 *         static_configs: [{ targets: ['web-1.internal', 'web-2.internal'] }]
 *
 * examples/grafana.json is a dashboard for these counts, and examples/alerts.yml contains alerts. */
/* SPDX-License-Identifier: MIT */

use McPatterns\Metrics;

$token = (string) getenv('MCPATTERNS_PROMETHEUS_TOKEN');
$given = $_SERVER['HTTP_AUTHORIZATION'] ?? null;
// Without a token in the environment, every request is rejected. The comparison takes constant time.
if ($token === '' || !is_string($given) || !hash_equals(hash('sha256', "Bearer $token"), hash('sha256', $given))) {
    http_response_code(403);
    exit;
}
header('Content-Type: text/plain; version=0.0.4; charset=utf-8');
echo Metrics::prometheus();
