"""Writes the counts of the programs anew, for several Pythons one after the other.

    python tests/programs/python/regenerate.py python3.11 python3.12 python3.13 python3.15

Without arguments for the Python that runs it. The change then stands in the diff.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]

if __name__ == "__main__":
    status = 0
    above = os.pathsep.join(filter(None, [str(ROOT.parent), os.environ.get("PYTHONPATH", "")]))
    env = os.environ | {"PYTHONPATH": above}
    for python in sys.argv[1:] or [sys.executable]:
        print(python, flush=True)
        command = [python, "-m", "pytest", "-p", "no:cacheprovider", "--regenerate", str(HERE)]
        done = subprocess.run(command, check=False, cwd=ROOT, env=env)
        status = status or done.returncode
    sys.exit(status)
