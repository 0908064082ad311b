"""Writes what Homebrew, Scoop, winget and npm install a release by. What they must know of a target is in .ci/dist.toml; hashes and addresses are those of the
archives that are in the folder."""

import dataclasses
import gzip
import hashlib
import io
import json
import pathlib
import re
import tarfile


@dataclasses.dataclass
class Release:
    program: str  # what is called
    name: str  # of the package: "pipeline" is somebody else's
    summary: str
    version: str  # as git describes it
    time: int  # of every file, in seconds since 1970
    url: str  # of the folder where the files will be

    @property
    def number(self):
        return self.version.removeprefix("v")

    @property
    def homepage(self):
        """A forge has the files of a release below the project's page."""
        return self.url.partition("/releases/")[0]

    @property
    def words(self):
        """The name as one word in capitals and small letters."""
        return "".join(word.capitalize() for word in self.name.split("-"))

    def folder(self, target):
        """What an archive is called, and the one folder in it."""
        return f"{self.program}-{self.number}-{target.os}-{target.arch}"


def tarred(files, seconds):
    """One text of all files by name, each with its bytes and whether it is a program: sorted, of nobody, of one time."""
    text = io.BytesIO()
    with tarfile.open(fileobj=text, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, (data, runs) in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), seconds, 0o755 if runs else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return text.getvalue()


def write(folder, release, targets):
    """Writes each text whose files are in the folder."""
    packed = {}
    for target in targets:
        for ending in (".tar.xz", ".zip"):
            if (path := folder / f"{release.folder(target)}{ending}").exists():
                packed[target] = (f"{release.url}/{path.name}", hashlib.sha256(path.read_bytes()).hexdigest())
    if any(t.os != "windows" for t in packed):
        (folder / f"{release.name}.rb").write_text(formula(release, packed), "utf-8")
    for target, (url, digest) in packed.items():
        if target.os == "windows":
            (folder / f"{release.name}.json").write_text(scoop(release, target, url, digest), "utf-8")
            (folder / f"{release.name}.winget.yaml").write_text(winget(release, target, url, digest), "utf-8")
    parts = [t for t in targets if (folder / npm_file(release, npm_part(release, t))).exists()]
    if parts:
        npm_starter(folder, release, parts)


# Homebrew: a formula, as casks are marked as downloaded, and macOS refuses a marked program that Apple has not seen.

MACOS_NAMES = {"13": "ventura", "14": "sonoma", "15": "sequoia", "26": "tahoe"}  # as Homebrew writes them


def formula(release, packed):
    systems = []
    for system, block in (("darwin", "macos"), ("linux", "linux")):
        inside = "".join(
            f'    on_{"arm" if target.arch == "arm64" else "intel"} do\n      url "{url}"\n      sha256 "{digest}"\n    end\n'
            for target, (url, digest) in packed.items() if target.os == system)
        lowest = {t.lowest for t in packed if t.os == "darwin" == system}
        needs = "".join(f"    depends_on macos: :{MACOS_NAMES[v.partition('.')[0]]}\n\n" for v in lowest)
        if inside:
            systems.append(f"  on_{block} do\n{needs}{inside}  end\n\n")
    return f"""\
class {release.words} < Formula
  desc "{release.summary}"
  homepage "{release.homepage}"
  version "{release.number}"
  license "MIT"

{"".join(systems)}  def install
    bin.install "{release.program}"
    man1.install "man/{release.program}.1"
    bash_completion.install "completions/{release.program}.bash" => "{release.program}"
    zsh_completion.install "completions/_{release.program}"
    fish_completion.install "completions/{release.program}.fish"
    doc.install Dir["docs/*"], "third-party-licences.txt", "sbom.cdx.json"
  end

  test do
    assert_match "{release.version}", shell_output("#{{bin}}/{release.program} version")
    system bin/"{release.program}", "demo", "--out", "demo"
    system bin/"{release.program}", "run", "--source", "demo", "--warehouse", "demo.duckdb"
  end
end
"""


# Windows


def scoop(release, target, url, digest):
    """A manifest of Scoop's form; its name is the file's."""
    return json.dumps({
        "version": release.number, "description": release.summary, "homepage": release.homepage, "license": "MIT",
        "architecture": {"64bit": {"url": url, "hash": digest, "extract_dir": release.folder(target)}},
        "bin": target.program,
    }, indent=4) + "\n"


def winget(release, target, url, digest):
    """A manifest of one file, of winget's form 1.6. Each value is a text of JSON, which is one of YAML, too."""
    lines = [("PackageIdentifier", f"{release.words}.{release.words}"), ("PackageVersion", release.number), ("PackageLocale", "en-US"),
             ("Publisher", f"The {release.program} authors"), ("PackageName", release.name), ("PackageUrl", release.homepage), ("License", "MIT"),
             ("ShortDescription", release.summary), ("MinimumOSVersion", "10.0.0.0"), ("InstallerType", "zip"), ("NestedInstallerType", "portable")]
    inside = f"{release.folder(target)}\\{target.program}"
    return "# yaml-language-server: $schema=https://aka.ms/winget-manifest.singleton.1.6.0.schema.json\n" + "".join(
        f"{key}: {json.dumps(value)}\n" for key, value in lines) + f"""\
NestedInstallerFiles:
  - RelativeFilePath: {json.dumps(inside)}
    PortableCommandAlias: {json.dumps(release.program)}
Installers:
  - Architecture: x64
    InstallerUrl: {json.dumps(url)}
    InstallerSha256: {digest.upper()}
ManifestType: singleton
ManifestVersion: 1.6.0
"""


# npm: a package for each system, of which npm installs the one that fits, and one that starts it.

NODE_OS, NODE_ARCH = {"windows": "win32"}, {"amd64": "x64"}  # where they differ from Go's names


def npm_version(described):
    """The version as npm orders them: v1.2.3 is 1.2.3, v1.2.3-4-gabcdef0 is before 1.2.4, and abcdef0, where there is no tag, before all others."""
    clean = described.removesuffix("-dirty")
    if found := re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)((?:a|b|rc)\d+)?(?:-(\d+)-(g[0-9a-f]+))?", clean):
        major, minor, patch, early, commits, commit = found.groups()
        if commits and not early:
            patch, early = int(patch) + 1, "0"
        number = f"{major}.{minor}.{patch}" + "-" * bool(early) + ".".join(filter(None, (early, commits, commit)))
    else:
        number = "0.0.0-g" + re.sub(r"[^a-z0-9]+", "", clean.lower())
    return number if clean == described else number + (".dirty" if "-" in number else "-dirty")


def npm_part(release, target):
    return f"{release.name}-{NODE_OS.get(target.os, target.os)}-{NODE_ARCH.get(target.arch, target.arch)}"


def npm_file(release, name):
    return f"{name}-{npm_version(release.version)}.tgz"


def npm(folder, release, name, declared, files):
    """Writes a package as npm pack does."""
    about = {"name": name, "version": npm_version(release.version), "description": release.summary, "license": "MIT", "homepage": release.homepage, **declared}
    files = {"package.json": ((json.dumps(about, indent=2) + "\n").encode(), False), **files}
    packed = gzip.compress(tarred({f"package/{n}": f for n, f in files.items()}, release.time), 6, mtime=0)
    (folder / npm_file(release, name)).write_bytes(packed)


def npm_platform(folder, release, target, program, texts):
    """Writes the package of one system: the program, and the texts that go with it."""
    declared = {"os": [NODE_OS.get(target.os, target.os)], "cpu": [NODE_ARCH.get(target.arch, target.arch)], **({"libc": ["glibc"]} if target.os == "linux" else {})}
    npm(folder, release, npm_part(release, target), declared, {f"bin/{target.program}": (program, True), **{n: (t, False) for n, t in texts.items()}})


def npm_starter(folder, release, targets):
    """Writes the package that people name."""
    root = pathlib.Path(__file__).resolve().parent
    parts = {npm_part(release, t): npm_version(release.version) for t in targets}
    declared = {"bin": {release.program: "start.js"}, "engines": {"node": ">=18"}, "optionalDependencies": parts}
    files = {"start.js": ((root / "start.js").read_bytes(), True)}
    files |= {name: ((root.parent / name).read_bytes(), False) for name in ("README.md", "LICENSE")}
    npm(folder, release, release.name, declared, files)
