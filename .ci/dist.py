#!/usr/bin/env python3
"""Builds what .ci/dist.toml declares: for each target an archive, a wheel, a package for npm and a bill of materials; what Homebrew, Scoop and winget install an
archive by; and the checksums of all of them.

The same commit, toolchain and version of Python give the same bytes, wherever the clone is. make dist calls it.
"""

import argparse
import fnmatch
import hashlib
import importlib.util
import json
import lzma
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import uuid

sys.dont_write_bytecode = True
import installers
import macho
import wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent
DECLARED = tomllib.loads((ROOT / ".ci" / "dist.toml").read_text("utf-8"))
PROGRAM = DECLARED["program"]
TOOLS = ROOT / "bin" / "tools"
MACOS = ROOT / ".ci" / "macos"
COMPLETIONS = {"bash": "pipeline.bash", "zsh": "_pipeline", "fish": "pipeline.fish", "powershell": "pipeline.ps1"}
ECHARTS = "cmd/pipeline/internal/report/echarts/LICENSES"
GO_OS = {"Linux": "linux", "Darwin": "darwin", "Windows": "windows"}
GO_ARCH = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


def output(*command, **options):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT, **options)
    if done.returncode:
        sys.exit(f"{command[0]} ended with exit code {done.returncode}: {' '.join(str(c) for c in command)}")
    return done.stdout.strip()


class Revision:
    """What is built: its version, commit and time. All times in archives are the commit's."""

    def __init__(self, version):
        self.version = version
        self.commit = output("git", "rev-parse", "HEAD")
        self.time = int(output("git", "log", "-1", "--format=%ct"))
        self.date = output("git", "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", env={**os.environ, "TZ": "UTC"})


class Target:
    def __init__(self, declared):
        self.os, self.arch, self.cc, self.zig = declared["os"], declared["arch"], declared.get("cc"), declared.get("zig")
        self.needs, self.texts = declared["needs"], declared.get("texts", [])
        self.lowest = re.search(r"[0-9]+\.[0-9]+$", self.zig).group() if self.zig else ""
        self.wheel = re.sub("manylinux|macosx", lambda system: f"{system[0]}_{self.lowest.replace('.', '_')}", declared["wheel"])
        self.name = f"{self.os}/{self.arch}"
        self.program = PROGRAM + (".exe" if self.os == "windows" else "")
        self.is_host = self.name == f"{GO_OS.get(platform.system())}/{GO_ARCH.get(platform.machine())}"
        self.env = {**os.environ, "CGO_ENABLED": "1", "GOOS": self.os, "GOARCH": self.arch, "GOFLAGS": "-mod=readonly -buildvcs=false"}
        if self.zig:
            self.env |= {"CC": str(ROOT / ".ci" / "zig-cc"), "CXX": str(ROOT / ".ci" / "zig-cc"), "TARGET": self.zig}
        else:
            self.env |= {"CC": self.cc, "CXX": self.cc.replace("gcc", "g++")}
        for name in ("GOAMD64", "GOARM64", "GOEXPERIMENT", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_LDFLAGS"):
            self.env.pop(name, None)

    def missing(self):
        """Why this target cannot be built here; None where it can."""
        if self.cc and not shutil.which(self.cc):
            return f"{self.cc} is not installed"
        if self.zig and not zig_folder().exists() and not importlib.util.find_spec("pip"):
            return f"{DECLARED['zig']['package']} is not here, nor pip, which fetches it"
        return None

    def build(self, revision, scratch):
        """Compiles and links the program. The C++ library is linked into it, so that it needs nothing that a small system lacks."""
        out = scratch / self.program
        if self.zig:
            self.env["ZIG"] = str(zig())
        link = {"linux": self.linux_link, "windows": lambda _: "-static", "darwin": self.darwin_link}[self.os](scratch)
        facts = {"version": revision.version, "commit": revision.commit, "commitDate": revision.date}
        flags = "-s -w -buildid= " + " ".join(f"-X main.{k}={v}" for k, v in facts.items()) + f" '-extldflags={link}'"
        output("go", "build", "-trimpath", "-ldflags", flags, "-o", out, "./cmd/pipeline", env=self.env)
        if self.os == "darwin":
            out.write_bytes(macho.sign(out.read_bytes(), DECLARED["macos"]["identifier"]))
        return out

    def linux_link(self, scratch):
        """The C library stays the system's, as names of hosts are resolved through it, and so does libgcc, which every system has: of a later glibc than the
        program's, so the linker does not look for what it needs."""
        self.env["CXX_LIBRARY"] = output(self.cc, "-print-file-name=libstdc++.a")
        older = scratch / "older_glibc.o"
        output(self.env["CC"], "-O2", "-c", "-o", older, ".ci/older_glibc.c", env=self.env)
        return f"{older} {output(self.cc, '-print-file-name=libgcc_s.so.1')} -Wl,--allow-shlib-undefined -Wl,--strip-all"

    def darwin_link(self, scratch):
        """Writes down what the linker must know of macOS' libraries but that of C, which it knows."""
        folder = scratch / "stubs"
        self.env |= {"STUBS": str(folder), "CXX_LIBRARY": str(folder / "libc++.tbd")}
        for library in self.needs:
            name = re.sub(r"\.\w+\.dylib$", "", library.rsplit("/", 1)[1])
            if name != "libSystem":
                path = folder / (f"{name}.framework" if "/Frameworks/" in library else "") / f"{name}.tbd"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(macho.stub(MACOS, library, self.arch), "utf-8")
        aligned = scratch / "thread_vars.o"
        output(self.env["CC"], "-c", "-o", aligned, MACOS / "thread_vars.s", env=self.env)
        return aligned

    def tag(self, program):
        """The wheel's platform. A program that needs an unexpected library, or a later system than is declared, is none for other machines."""
        if self.os == "darwin":
            try:
                print(macho.check(program.read_bytes(), self.arch, self.lowest, DECLARED["macos"]["identifier"], self.needs, MACOS))
            except macho.Bad as why:
                sys.exit(f"{self.name}: {why}")
            return self.wheel
        dump = output(output(self.cc, "-print-prog-name=objdump"), "-p", program)
        needed = set(re.findall(r"NEEDED +(\S+)", dump) if self.os == "linux" else re.findall(r"DLL Name: (\S+)", dump))
        if extra := {n for n in needed if not any(fnmatch.fnmatch(n, pattern) for pattern in self.needs)}:
            sys.exit(f"{self.name}: the program needs {', '.join(sorted(extra))}, which .ci/dist.toml does not permit")
        glibc = [version for version in re.findall(r"\bGLIBC_([0-9.]+)", dump) if numbers(version) > numbers(self.lowest)]
        if glibc:
            sys.exit(f"{self.name}: the program needs glibc {max(glibc, key=numbers)}, and .ci/dist.toml promises {self.lowest}")
        return self.wheel


def numbers(version):
    return [int(n) for n in version.split(".")]


def licence_texts(target):
    """The licences of everything that is linked in, as their authors wrote them."""
    lines = output("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/pipeline", env=target.env)
    parts = []
    for line in sorted(set(lines.split("\n")) - {""}):
        path, version, folder = line.split("\t")
        for file in sorted(pathlib.Path(folder).iterdir()):
            if file.is_file() and re.match(r"(un)?(licen[cs]e|copying|notice|patents)", file.name, re.I):
                parts.append((f"{path} {version}: {file.name}", file.read_text("utf-8", "replace")))
    parts.append(("Apache ECharts, zrender, tslib, in the report's page", (ROOT / ECHARTS).read_text("utf-8")))
    parts += [(pathlib.Path(text).parent.name, pathlib.Path(text).read_text("utf-8")) for text in target.texts]
    if target.zig:
        parts.append(("Zig", (zig().parent / "LICENSE").read_text("utf-8")))
    parts.append(("Go", (pathlib.Path(output("go", "env", "GOROOT")) / "LICENSE").read_text("utf-8")))
    return "".join(f"{'=' * 100}\n{title}\n{'=' * 100}\n\n{text.strip()}\n\n" for title, text in parts)


def echarts():
    """The version of the library of the report's page."""
    return re.search(r"echarts, version (\S+):", (ROOT / ECHARTS).read_text("utf-8")).group(1)


def sbom_tool():
    """The program that writes bills of materials, of the version that is declared. It is built once, and stays in bin/tools."""
    module, _, version = DECLARED["sbom"]["tool"].partition("@")
    name = module.rsplit("/", 1)[1]
    tool = TOOLS / f"{name}-{version}"
    if not tool.exists():
        TOOLS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=TOOLS) as building:
            output("go", "install", DECLARED["sbom"]["tool"], env={**os.environ, "GOBIN": building, "GOFLAGS": "-trimpath", "CGO_ENABLED": "0"})
            pathlib.Path(building, name).rename(tool)
    return tool


def zig_folder():
    return TOOLS / DECLARED["zig"]["package"].replace("==", "-")


def zig():
    """The compiler for other systems, of the version that is declared. It is fetched once, and stays in bin/tools."""
    if not zig_folder().exists():
        TOOLS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=TOOLS) as fetched:
            package = pathlib.Path(fetched, "package")
            output(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--only-binary=:all:",
                   "--target", package, DECLARED["zig"]["package"])
            package.rename(zig_folder())
    return zig_folder() / "ziglang" / "zig"


def bill(target, program, revision, engines):
    """The bill of materials of one program, as CycloneDX: the Go modules that it says it is made of, and what is in other languages. What depends on the
    moment is replaced by the commit's."""
    document = json.loads(output(sbom_tool(), "bin", "-json", "-std", "-noserial", "-version", revision.version, program, stderr=subprocess.DEVNULL))
    document["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, f"{revision.commit}/{revision.version}/{target.name}").urn
    document["metadata"]["timestamp"] = revision.date
    others = {"DuckDB": (engines["duckdb"].removeprefix("v"), "MIT"), "SQLite": (engines["sqlite"], "blessing"), "Apache ECharts": (echarts(), "Apache-2.0")}
    if target.zig:
        others["Zig"] = (DECLARED["zig"]["package"].partition("==")[2], "MIT")
    if target.os != "darwin":
        others["libstdc++"] = (output(target.cc, "-dumpfullversion"), "GPL-3.0-or-later WITH GCC-exception-3.1")
    if target.os == "windows":
        macros = dict(re.findall(r"#define __MINGW64_VERSION_(MAJOR|MINOR) (\d+)", output(target.cc, "-E", "-dM", "-", input="#include <_mingw.h>\n")))
        others["mingw-w64"] = (f"{macros['MAJOR']}.{macros['MINOR']}", "ZPL-2.1")
    for name, (version, licence) in others.items():
        document["components"].append({"bom-ref": f"native:{name}", "type": "library", "name": name, "version": version, "licenses": [{"expression": licence}]})
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def tree(target, program, facts, sbom, licences):
    """The files of an archive, by name: their bytes, and whether they are programs."""
    files = {target.program: (program.read_bytes(), True), "sbom.cdx.json": (sbom.encode(), False), "third-party-licences.txt": (licences.encode(), False),
             "man/pipeline.1": (facts["man"].encode(), False)}
    for shell, name in COMPLETIONS.items():
        files[f"completions/{name}"] = (facts[shell].encode(), False)
    for path in output("git", "ls-files", "-z", *DECLARED["files"]).split("\0"):
        if path:
            files[path] = ((ROOT / path).read_bytes(), False)
    return files


def archive(out, folder, files, revision, target):
    """One file with everything in a folder of its own. xz makes it a quarter smaller than gzip; Windows unpacks zip alone."""
    files = {f"{folder}/{name}": file for name, file in files.items()}
    if target.os == "windows":
        (out / f"{folder}.zip").write_bytes(wheel.zipped(files, revision.time))
    else:
        (out / f"{folder}.tar.xz").write_bytes(lzma.compress(installers.tarred(files, revision.time), preset=6))


def told(program):
    """What the program of this machine says: the texts that go into every archive."""
    facts = {shell: output(program, "completion", shell) + "\n" for shell in COMPLETIONS}
    return {**facts, "man": output(program, "man") + "\n", "version": json.loads(output(program, "version", "--json"))}


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--version", default="", help="as git describes the commit, which is asked if this is empty")
    asked.add_argument("--prepare", action="store_true", help="only fetch the program that writes bills of materials, and the compiler for other systems")
    asked.add_argument("--targets", default="", help="such as linux/amd64,windows/amd64; empty: all that can be built here")
    asked.add_argument("--url", default=DECLARED["package"]["url"], help="of the folder where the files of this release will be")
    asked.add_argument("--gather", action="store_true", help="build nothing: the folder has the files that several machines have built")
    asked.add_argument("--out", type=pathlib.Path, default=ROOT / "dist")
    options = asked.parse_args()
    if options.prepare:
        print(sbom_tool(), zig())
        return
    targets = [Target(t) for t in DECLARED["target"]]
    names = [n for n in options.targets.split(",") if n]
    if unknown := set(names) - {t.name for t in targets}:
        sys.exit(f"no target {', '.join(sorted(unknown))}: .ci/dist.toml has {', '.join(t.name for t in targets)}")
    out = options.out.resolve()
    revision = Revision(options.version or output("git", "describe", "--tags", "--always", "--dirty"))
    package = DECLARED["package"]
    release = installers.Release(PROGRAM, package["name"], package["summary"], revision.version, revision.time, options.url.rstrip("/"))
    if not options.gather:
        make(out, buildable(targets, names), next((t for t in targets if t.is_host), None), revision, release)
    finish(out, release, targets)


def buildable(targets, names):
    """The targets that are named, or all that can be built here if none is. What is left out is told; one that is named must be buildable."""
    chosen = [t for t in targets if not names or t.name in names]
    for t in list(chosen):
        if why := t.missing():
            if names:
                sys.exit(f"{t.name}: {why}")
            print(f"{t.name}: left out, {why}")
            chosen.remove(t)
    return chosen


def make(out, targets, host, revision, release):
    if not host:
        sys.exit("this machine is no target: its own program writes the manual page and the completions")
    empty(out)
    facts = None
    for target in sorted(targets, key=lambda t: not t.is_host):
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            program = target.build(revision, scratch)
            if facts is None:
                own = scratch / "own"
                own.mkdir()
                facts = told(program if target.is_host else host.build(revision, own))
            pack(out, target, program, facts, revision, release)
            sums(out)  # so that the next call knows what this one has made, if it ends early


def finish(out, release, targets):
    """Writes what needs the hashes of what is in the folder."""
    installers.write(out, release, targets)
    print(sums(out), end="")


def sums(out):
    """Writes the checksums, and returns them."""
    lines = "".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in sorted(out.iterdir()) if f.name != "SHA256SUMS")
    (out / "SHA256SUMS").write_text(lines, "utf-8")
    return lines


def empty(out):
    """Removes what an earlier call has made in the folder. One that holds anything else is refused."""
    out.mkdir(parents=True, exist_ok=True)
    sums = out / "SHA256SUMS"
    made = [out / line.split("  ", 1)[1] for line in sums.read_text("utf-8").splitlines()] + [sums] if sums.exists() else []
    if others := set(out.iterdir()) - set(made):
        sys.exit(f"{out} holds {min(others).name}, which make dist has not made: name another folder with --out")
    for file in made:
        file.unlink(missing_ok=True)


def pack(out, target, program, facts, revision, release):
    folder = release.folder(target)
    tag = target.tag(program)
    sbom = bill(target, program, revision, facts["version"])
    licences = licence_texts(target)
    archive(out, folder, tree(target, program, facts, sbom, licences), revision, target)
    (out / f"{folder}.cdx.json").write_text(sbom, "utf-8")
    texts = {"LICENSE": (ROOT / "LICENSE").read_bytes(), "third-party-licences.txt": licences.encode()}
    code = program.read_bytes()
    installers.npm_platform(out, release, target, code, texts)
    wheel.write(out, wheel.Contents(name=release.name, summary=release.summary, version=revision.version, tag=tag, time=revision.time,
                                    program=(target.program, code), manual=facts["man"].encode(), licences=texts, sbom=sbom.encode(),
                                    readme=(ROOT / "README.md").read_bytes()))


if __name__ == "__main__":
    main()
