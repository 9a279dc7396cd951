#!/usr/bin/env python3
"""What the preload adds to the start of a process that makes no LLM call.

    bench/start.py [PRELOAD [PROGRAM ARG...]]

Runs PROGRAM (default: /bin/true) in turn without and with PRELOAD (default:
build/libunstall.so), and prints both medians in microseconds.
"""
import os
import statistics
import sys
import time

RUNS = 1000


def start_us(argv, env):
    began = time.perf_counter()
    os.waitpid(os.posix_spawn(argv[0], argv, env), 0)
    return (time.perf_counter() - began) * 1e6


def main():
    preload = os.path.realpath((sys.argv[1:] or ["build/libunstall.so"])[0])
    argv = sys.argv[2:] or ["/bin/true"]
    plain, shim = [], []
    for _ in range(RUNS):
        plain.append(start_us(argv, {}))
        shim.append(start_us(argv, {"LD_PRELOAD": preload}))
    plain, shim = statistics.median(plain), statistics.median(shim)
    print(f"us: plain {plain:.0f}, shim {shim:.0f}, added {shim - plain:.0f}")


main()
