"""`python -m coli_conformance` is `coli-conformance`."""

import sys

from coli_conformance.cli import main

sys.exit(main())
