# What the scripts share: URL BODY [LIMIT].
package require TclCurl
lassign $argv url body left
fconfigure stdout -translation binary

# Prints bytes until there were LIMIT; an error ends the transfer.
proc take bytes {
    global left
    if {$left eq ""} {
        puts -nonewline $bytes
        return
    }
    set taken [string range $bytes 0 [expr {$left - 1}]]
    puts -nonewline $taken
    incr left -[string length $taken]
    if {!$left} {
        error enough
    }
}

proc handle {} {
    global url body
    set easy [curl::init]
    $easy configure -url $url -writeproc take
    if {$body ne ""} {
        $easy configure -postfields $body
    }
    return $easy
}
