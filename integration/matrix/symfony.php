<?php
// Symfony's HttpClient: its CurlHttpClient streams chunks out of the multi
// interface.  After LIMIT bytes the response is cancelled.
require 'ask.php';
require 'Symfony/Component/HttpClient/autoload.php';

use Symfony\Component\HttpClient\CurlHttpClient;

$client = new CurlHttpClient([], max($count, 6));
$responses = [];
for ($n = 1; $n <= max($count, 1); $n++) {
    $responses[] = $body === ''
        ? $client->request('GET', $url)
        : $client->request('POST', $url, ['body' => $body, 'user_data' => $n]);
}
foreach ($client->stream($responses) as $response => $chunk) {
    if ($count) {
        $n = $response->getInfo('user_data');
        file_put_contents($n, $chunk->getContent(), FILE_APPEND);
    } elseif (take($chunk->getContent()) < strlen($chunk->getContent())) {
        $response->cancel();
        exit(23);
    }
}
