# One request: sys.argv[1] is the URL, sys.argv[2] the body.
import sys

import pycurl

curl = pycurl.Curl()
curl.setopt(pycurl.URL, sys.argv[1])
curl.setopt(pycurl.POSTFIELDS, sys.argv[2])
curl.setopt(pycurl.WRITEFUNCTION, sys.stdout.buffer.write)
curl.perform()
sys.exit(curl.getinfo(pycurl.RESPONSE_CODE) != 200)
