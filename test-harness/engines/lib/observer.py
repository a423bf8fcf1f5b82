"""The Python end of `observer.mjs`: reads tasks, writes observations."""

import base64
import json
import os
import sys
import traceback
from array import array


def floats(numbers):
    """Numbers as the judge takes them: base64 of single-precision floats."""
    return base64.b64encode(array("f", numbers).tobytes()).decode()


def run(observe):
    """Answers each task on standard input; `observe` gets it as a dictionary."""
    for line in sys.stdin:
        task = json.loads(line)
        try:
            seen = observe(task)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            name = os.path.basename(where.filename)
            seen = {"error": f"{type(error).__name__}: {error} ({name}:{where.lineno})"}
        with open(os.path.join(task["dir"], "seen.json"), "w") as out:
            json.dump(seen, out)
        print("\n@@ done", flush=True)
