"""What several modules of tests share stands in one beside them, which runs no test of its own."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FROM_TESTS = re.compile(r"^ *(?:from|import) .*\btest_\w+", re.M)


def test_nothing_imports_from_a_module_of_tests():
    sources = [source for folder in ("tests", "bench") for source in sorted((ROOT / folder).rglob("*.py"))]
    assert not {str(source): found for source in sources if (found := FROM_TESTS.findall(source.read_text("utf-8")))}
