# What the scripts share: URL BODY [LIMIT].
package Ask;
use strict;
use warnings;
use WWW::Curl::Easy;

my ($url, $body, $left) = @ARGV;
$| = 1;

# Prints bytes until there were LIMIT; says how many it took.
sub take {
    my $bytes = shift;
    my $taken = defined $left ? substr $bytes, 0, $left : $bytes;
    print $taken;
    $left -= length $taken if defined $left;
    return defined $left && !$left ? 0 : length $bytes;
}

sub handle {
    my $curl = WWW::Curl::Easy->new;
    $curl->setopt(CURLOPT_URL, $url);
    $curl->setopt(CURLOPT_POSTFIELDS, $body) if $body ne '';
    $curl->setopt(CURLOPT_WRITEFUNCTION, \&take);
    return $curl;
}

1;
