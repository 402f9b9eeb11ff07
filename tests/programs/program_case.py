"""What tests of programs share: where the programs are, a folder for each test, reports compared with their schemas."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
muster = build / "muster"
checks = build / "tests/subjects/subjects_checks"
lost_update = build / "examples/lost_update"
work_queue = build / "examples/work_queue"
subjects = build / "tests/programs_subjects"

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print("python3-jsonschema is missing: reports are not compared with their schema")


class ProgramCase(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def run_in_folder(self, *command, expect=None, **environment):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)
        if expect is not None:
            self.assertEqual(done.returncode, expect, f"{command}:\n{done.stdout}{done.stderr}")
        return done

    def report(self, name):
        document = json.loads((self.folder / name).read_text())
        if jsonschema:
            schema = json.loads((source / "docs/reference/report.schema.json").read_text())
            jsonschema.Draft202012Validator(schema).validate(document)
        return document

    def sarif(self, path):
        document = json.loads(path.read_text())
        if jsonschema:
            jsonschema.Draft202012Validator(json.loads((source / "tests/report/sarif.schema.json").read_text())).validate(document)
        rules = [rule["id"] for rule in document["runs"][0]["tool"]["driver"]["rules"]]
        for result in document["runs"][0]["results"]:
            self.assertIn(result["ruleId"], rules)
        return document
