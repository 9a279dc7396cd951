"""COUNT threads, each with a handle of its own that asks twice: URL BODY COUNT.
The answers go to files with the threads' numbers."""
import sys
import threading

import pycurl

URL, BODY, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
codes = []


def ask(number):
    with open(str(number), "wb") as file:
        curl = pycurl.Curl()
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.URL, URL)
        curl.setopt(pycurl.POSTFIELDS, BODY)
        curl.setopt(pycurl.WRITEFUNCTION, file.write)
        for _ in range(2):
            curl.perform()
            codes.append(curl.getinfo(pycurl.RESPONSE_CODE))
        curl.close()


threads = [
    threading.Thread(target=ask, args=(number,))
    for number in range(1, COUNT + 1)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(codes != [200] * (2 * COUNT))
