"""Handles of pycurl, and the end of a program that used them."""
import sys

import pycurl

from ask import BODY, URL


def handle(write):
    curl = pycurl.Curl()
    curl.setopt(pycurl.URL, URL)
    if BODY:
        curl.setopt(pycurl.POSTFIELDS, BODY)
    curl.setopt(pycurl.WRITEFUNCTION, write)
    return curl


def finish(multi, handles):
    """Each handle must have one result; exits with the worst."""
    results = []
    while True:
        more, good, bad = multi.info_read()
        results += [(curl, 0) for curl in good]
        results += [(curl, code) for curl, code, _ in bad]
        if not more:
            break
    sys.stdout.flush()
    if {id(curl) for curl, _ in results} != {id(curl) for curl in handles}:
        sys.exit("results are missing")
    if len(results) != len(handles):
        sys.exit("more results than handles")
    sys.exit(max(code for _, code in results))
