# WWW::Curl::Multi in a loop of select().
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Ask;
use WWW::Curl::Easy;
use WWW::Curl::Multi;

# Waits for one of the descriptors that libcurl names, or a little.
sub wait_for {
    my @sets = map {
        my $bits = '';
        vec($bits, $_, 1) = 1 for @$_;
        $bits;
    } @_;
    select $sets[0], $sets[1], $sets[2], 0.2;
}

my $easy = Ask::handle();
$easy->setopt(CURLOPT_PRIVATE, 1);
my $multi = WWW::Curl::Multi->new;
$multi->add_handle($easy);

my $running = 1;
while ($running) {
    $running = $multi->perform;
    my ($id, $code) = $multi->info_read;
    exit $code if $id;
    wait_for($multi->fdset) if $running;
}
exit 99;
