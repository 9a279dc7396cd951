#!/bin/bash
# git clone: URL of a repository.  Prints what came of it.
git clone --quiet "$1" clone && git -C clone log --format='%H %s' &&
    cat clone/*
code=$?
rm -rf clone
exit "$code"
