#!/usr/bin/env python3
"""many_machines_test.py SOURCE BUILD: the examples for Slurm, Kubernetes and CI are what those read, and their commands run."""
import re
import sys
import unittest

from program_case import ProgramCase, build, checks, jsonschema, muster, source

try:
    import yaml
except ImportError:
    yaml = None

examples = source / "examples/many-machines"


def thing(required, **properties):
    return {"type": "object", "additionalProperties": False, "required": required.split(), "properties": properties}


text, number = {"type": "string"}, {"type": "integer", "minimum": 0}
texts = {"type": "array", "items": text}
# Of batch/v1 Job as much as an indexed job needs: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/
container = thing("name image", name=text, image=text, workingDir=text, command=texts, args=texts, resources=thing("", requests={"type": "object", "additionalProperties": text}, limits={"type": "object", "additionalProperties": text}),
                  volumeMounts={"type": "array", "items": thing("name mountPath", name=text, mountPath=text)})
pod = thing("restartPolicy containers", restartPolicy={"enum": ["OnFailure", "Never"]}, containers={"type": "array", "minItems": 1, "items": container},
            volumes={"type": "array", "items": thing("name", name=text, persistentVolumeClaim=thing("claimName", claimName=text))})
job = thing("apiVersion kind metadata spec", apiVersion={"const": "batch/v1"}, kind={"const": "Job"}, metadata=thing("name", name={"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}),
            spec=thing("completionMode completions template", completionMode={"const": "Indexed"}, completions=number, parallelism=number, backoffLimit=number, template=thing("spec", spec=pod)))


class ManyMachines(ProgramCase):
    @unittest.skipUnless(yaml and jsonschema, "python3-yaml or python3-jsonschema is missing")
    def test_the_indexed_job_is_one(self):
        jsonschema.Draft202012Validator(job).validate(yaml.safe_load((examples / "job.yaml").read_text()))

    @unittest.skipUnless(yaml, "python3-yaml is missing")
    def test_the_matrix_has_all_shares(self):
        workflow = yaml.safe_load((examples / "matrix.yml").read_text())
        shares = workflow["jobs"]["share"]["strategy"]["matrix"]["share"]
        command = next(step["run"] for step in workflow["jobs"]["share"]["steps"] if "--shard" in step.get("run", ""))
        self.assertIn(f"/{len(shares)} ", command)
        merge = workflow["jobs"]["whole"]["steps"][-1]["run"]
        self.assertEqual(re.findall(r"(\d)\.json", merge), [str(share) for share in shares])

    def run_script(self, command, **environment):
        """With a check of ours in the place of the reader's."""
        (self.folder / "queue_check").write_text(f'#!/bin/sh\nexec "{checks}" small_queue --matrix "enqueue(1), dequeue | enqueue(2), dequeue | enqueue(1), dequeue" "$@"\n')
        (self.folder / "queue_check").chmod(0o755)
        return self.run_in_folder("sh", "-c", command, expect=0, PATH=f"{self.folder}:{build}:/usr/bin:/bin", **environment)

    def divide(self, count):
        self.run_script("./queue_check --unbounded --budget 30ms --checkpoint begun")
        self.run_in_folder(muster, "split", "begun", count, expect=0)
        return len(list(self.folder.glob("part-*")))

    def assert_all_done(self, parts):
        told = self.run_in_folder("sh", "-c", f"{muster} merge part-* --rest rest").stdout
        self.assertIn(f"{parts} of {parts} parts", told)

    def test_the_job_array_does_all_parts(self):
        parts = self.divide(3)
        for i in range(1, parts + 1):
            self.run_script(f"bash {examples / 'search.sbatch'}", SLURM_ARRAY_TASK_ID=str(i), SLURM_CPUS_PER_TASK="1")
        self.assert_all_done(parts)

    @unittest.skipUnless(yaml, "python3-yaml is missing")
    def test_the_indexed_job_does_all_parts(self):
        parts = self.divide(3)
        command = yaml.safe_load((examples / "job.yaml").read_text())["spec"]["template"]["spec"]["containers"][0]["command"]
        for i in range(parts):
            self.run_script(command[2], JOB_COMPLETION_INDEX=str(i))
        self.assert_all_done(parts)

    def test_the_job_array_of_tests_does_them_all(self):
        (self.folder / "queue_check").write_text(f'#!/bin/sh\nexec "{checks}" locked_queue --size 1x2 --bound 0 "$@"\n')
        (self.folder / "queue_check").chmod(0o755)
        script = (examples / "tests.sbatch").read_text().replace("10000", "20")
        for i in (1, 2, 3):
            self.run_in_folder("bash", "-c", script, expect=0, SLURM_ARRAY_TASK_ID=str(i), SLURM_ARRAY_TASK_MIN="1", SLURM_ARRAY_TASK_COUNT="3")
        self.run_in_folder(muster, "merge", "1.json", "2.json", "3.json", expect=0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
