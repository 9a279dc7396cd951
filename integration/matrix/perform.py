"""pycurl's perform()."""
import sys

import pycurl

from ask import Printer
from ask_pycurl import handle

try:
    handle(Printer().take).perform()
except pycurl.error as error:
    sys.stdout.flush()
    sys.exit(error.args[0])
