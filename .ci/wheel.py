"""Writes a Python wheel that holds a program: pip puts it among the scripts of an environment, under the name that it has."""

import base64
import dataclasses
import hashlib
import io
import re
import time
import zipfile


@dataclasses.dataclass
class Contents:
    name: str
    summary: str
    version: str  # as git describes it
    tag: str  # the platform
    time: int  # of every file, in seconds since 1970
    program: tuple[str, bytes]
    manual: bytes
    licences: dict[str, bytes]
    sbom: bytes
    readme: bytes


def version(described):
    """The version as pip orders them: v1.2.3 is 1.2.3, v1.2.3-4-gabcdef0 comes after it, and abcdef0, where there is no tag, before all others."""
    clean, dirty = described.removesuffix("-dirty"), ["dirty"] if described.endswith("-dirty") else []
    if found := re.fullmatch(r"v?(\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?)(?:-(\d+)-(g[0-9a-f]+))?", clean):
        release, commits, commit = found.groups()
        release, local = (f"{release}.post{commits}", [commit]) if commits else (release, [])
    else:
        release, local = "0", [re.sub(r"[^a-z0-9]+", ".", clean.lower()).strip(".")]
    return "+".join([release, *[".".join(local + dirty)] * bool(local + dirty)])


def zipped(files, seconds):
    """A zip of files by name, sorted, of one time: their bytes, and whether they are programs."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as z:
        for name, (data, runs) in sorted(files.items()):
            entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            entry.create_system, entry.compress_type, entry.external_attr = 3, zipfile.ZIP_DEFLATED, (0o100755 if runs else 0o100644) << 16
            z.writestr(entry, data, compresslevel=6)
    return packed.getvalue()


def write(folder, c):
    """Writes the wheel into a folder, and returns its path."""
    release = version(c.version)
    stem = f"{c.name.replace('-', '_')}-{release}"
    info = f"{stem}.dist-info"
    head = [("Metadata-Version", "2.4"), ("Name", c.name), ("Version", release), ("Summary", c.summary), ("License-Expression", "MIT"),
            *[("License-File", name) for name in sorted(c.licences)], ("Requires-Python", ">=3.7"), ("Description-Content-Type", "text/markdown")]
    files = {
        f"{stem}.data/scripts/{c.program[0]}": (c.program[1], True),
        f"{stem}.data/data/share/man/man1/pipeline.1": (c.manual, False),
        f"{info}/METADATA": ("".join(f"{k}: {v}\n" for k, v in head).encode() + b"\n" + c.readme, False),
        f"{info}/WHEEL": (f"Wheel-Version: 1.0\nGenerator: pipeline\nRoot-Is-Purelib: false\nTag: py3-none-{c.tag}\n".encode(), False),
        f"{info}/sboms/pipeline.cdx.json": (c.sbom, False),
        **{f"{info}/licenses/{name}": (text, False) for name, text in c.licences.items()},
    }
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, (data, _) in sorted(files.items()))
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), False)
    path = folder / f"{stem}-py3-none-{c.tag}.whl"
    path.write_bytes(zipped(files, c.time))
    return path


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
