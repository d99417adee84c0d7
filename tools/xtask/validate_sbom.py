"""Validates an SBOM against the JSON schema of CycloneDX of the version in its `specVersion`.

    python validate_sbom.py FILE
"""

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text = Path(sys.argv[1]).read_text(encoding="utf-8")
version = SchemaVersion.from_version(json.loads(text)["specVersion"])
if error := JsonStrictValidator(version).validate_str(text):
    reason = "\n".join(str(error).splitlines()[:3])
    sys.exit(f"{sys.argv[1]} is not a CycloneDX {version.to_version()} document: {reason}")
