"""Writes a property list as XML from JSON.

    python plist.py < FILE.json > FILE.plist
"""

import json
import plistlib
import sys

plistlib.dump(json.load(sys.stdin), sys.stdout.buffer)
