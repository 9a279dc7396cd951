<?php
// Guzzle's promises, which its CurlMultiHandler keeps.  (A request with the
// option `stream` is PHP's own: no libcurl.)
require 'ask.php';
require 'GuzzleHttp/autoload.php';

use GuzzleHttp\Psr7\FnStream;
use GuzzleHttp\Psr7\Utils;

function promise(GuzzleHttp\Client $client, callable $write)
{
    global $url, $body;
    $sink = FnStream::decorate(Utils::streamFor(''), ['write' => $write]);
    $options = ['sink' => $sink, 'http_errors' => false];
    return $body === ''
        ? $client->getAsync($url, $options)
        : $client->postAsync($url, $options + ['body' => $body]);
}

$client = new GuzzleHttp\Client();
$promises = [];
for ($n = 1; $n <= max($count, 1); $n++) {
    $promises[] = promise($client, $count
        ? fn ($bytes) => file_put_contents($n, $bytes, FILE_APPEND)
        : 'take');
}
try {
    GuzzleHttp\Promise\Utils::unwrap($promises);
} catch (GuzzleHttp\Exception\TransferException $failure) {
    exit($failure->getHandlerContext()['errno'] ?? 99);
}
