# One request: $ARGV[0] is the URL, $ARGV[1] the body.
use strict;
use warnings;
use WWW::Curl::Easy;

my $curl = WWW::Curl::Easy->new;
$curl->setopt(CURLOPT_URL, $ARGV[0]);
$curl->setopt(CURLOPT_POSTFIELDS, $ARGV[1]);
my $code = $curl->perform;
exit($code != 0 || $curl->getinfo(CURLINFO_HTTP_CODE) != 200);
