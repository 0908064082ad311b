"""Fills a folder with what make dist makes of every target, with a script in place of the program: standins.py FOLDER VERSION URL."""

import pathlib
import sys
import types

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / ".ci"))
import dist
import installers
import wheel

SCRIPT = rb"""#!/bin/sh
case $1 in
version) echo "pipeline VERSION" ;;
demo | run) : ;;
wait) trap 'exit 7' TERM; echo waiting; while :; do sleep 0.1; done ;;
*) echo "called with:" "$@"; exit 75 ;;
esac
"""

out, version, url = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
package = dist.DECLARED["package"]
release = installers.Release(dist.PROGRAM, package["name"], package["summary"], version, 0, url)
script = SCRIPT.replace(b"VERSION", version.encode())
facts = {shell: "\n" for shell in dist.COMPLETIONS} | {"man": "\n"}
targets = [dist.Target(t) for t in dist.DECLARED["target"]]
for target in targets:
    program = out / "program"
    program.write_bytes(script)
    dist.archive(out, release.folder(target), dist.tree(target, program, facts, "{}", "\n"), types.SimpleNamespace(time=315532800), target)
    installers.npm_platform(out, release, target, script, {"LICENSE": b"\n"})
    wheel.write(out, wheel.Contents(name=release.name, summary=release.summary, version=version, tag=target.wheel, time=315532800,
                                    program=(target.program, script), manual=b"\n", licences={"LICENSE": b"\n"}, sbom=b"{}", readme=b"\n"))
    program.unlink()
dist.finish(out, release, targets)
