#!/usr/bin/env python3
"""Signs a program for macOS (Mach-O, 64 bits), and checks what nobody can try where it is built. dist.py calls it; by hand: macho.py --help.

Apple's loader.h, nlist.h and cs_blobs.h describe the format.
"""

import argparse
import hashlib
import pathlib
import struct
import sys

HEADER, EXECUTABLE, PAGE, SHA256 = 0xFEEDFACF, 2, 4096, 2
ARCHITECTURES = {0x01000007: "amd64", 0x0100000C: "arm64"}
SYMBOLS, DYNAMIC_SYMBOLS, LIBRARY, SEGMENT, UUID, SIGNATURE, BUILD, MAIN = 0x2, 0xB, 0xC, 0x19, 0x1B, 0x1D, 0x32, 0x80000028
OTHER_LIBRARIES = {0x80000018, 0x8000001F, 0x20, 0x80000023}  # weak, re-exported, lazy, upward
THREAD_VARIABLES, THREAD_STORAGE = 0x13, {0x11, 0x12}  # types of sections
POINTERS = {0x6: 8, 0x7: 8, 0x9: 8, 0x13: 24, 0x14: 8}  # types of sections that are lists, and the size of an entry
SUPER_BLOB, DIRECTORY = 0xFADE0CC0, 0xFADE0C02
AD_HOC_BY_LINKER, MAIN_PROGRAM = 0x20002, 1
FIELDS = ">9I4B4I4Q"  # of a code directory of version 2.4
VERSION = 0x20400


class Bad(Exception):
    """What is wrong with a program."""


def must(holds, why):
    if not holds:
        raise Bad(why)


class Program:
    def __init__(self, data):
        self.data = data
        magic, cpu, _, kind, count, _ = struct.unpack_from("<6I", data)
        must(magic == HEADER and kind == EXECUTABLE and cpu in ARCHITECTURES, "it is no program for macOS")
        self.arch = ARCHITECTURES[cpu]
        self.commands, at = [], 32
        for _ in range(count):
            command, size = struct.unpack_from("<2I", data, at)
            self.commands.append((command, at, size))
            at += size
        self.end = at

    def one(self, kind):
        """Where the only command of its kind is."""
        found = [at for command, at, _ in self.commands if command == kind]
        must(len(found) == 1, f"it has {len(found)} load commands of type {kind:#x}")
        return found[0]

    def segments(self):
        """Name to (where the command is, address, size in memory, offset, size in the file, permissions, sections); a section is (name, address, size, type)."""
        found = {}
        for command, at, _ in self.commands:
            if command != SEGMENT:
                continue
            name, address, memory, offset, size, _, permissions, count, _ = struct.unpack_from("<16s4Q4I", self.data, at + 8)
            sections = []
            for i in range(count):
                section, _, start, length, _, _, _, _, flags = struct.unpack_from("<16s16s2Q5I", self.data, at + 72 + 80 * i)
                sections.append((text(section), start, length, flags & 0xFF))
            found[text(name)] = at, address, memory, offset, size, permissions, sections
        return found

    def libraries(self):
        """The libraries that the program loads, as it numbers them from 1."""
        return [text(self.data[at + struct.unpack_from("<I", self.data, at + 8)[0]:at + size]) for command, at, size in self.commands if command == LIBRARY]

    def minimum(self):
        platform, version = struct.unpack_from("<2I", self.data, self.one(BUILD) + 8)
        must(platform == 1, "it is not for macOS")
        return f"{version >> 16}.{version >> 8 & 0xFF}"

    def undefined(self):
        """The names that the program takes from each library."""
        symbols, count, strings, _ = struct.unpack_from("<4I", self.data, self.one(SYMBOLS) + 8)
        first, length = struct.unpack_from("<2I", self.data, self.one(DYNAMIC_SYMBOLS) + 24)
        must(first + length <= count, "its undefined names are not among its symbols")
        libraries = self.libraries()
        names = {library: set() for library in libraries}
        for i in range(first, first + length):
            at, _, _, description, _ = struct.unpack_from("<I2BHQ", self.data, symbols + 16 * i)
            name = text(self.data[strings + at:self.data.index(0, strings + at)])
            must(1 <= description >> 8 <= len(libraries), f"{name} is taken from no library")
            names[libraries[(description >> 8) - 1]].add(name)
        return names

    def signature(self):
        """The identifier of the signature, whose page hashes are right."""
        offset, size = struct.unpack_from("<2I", self.data, self.one(SIGNATURE) + 8)
        must(offset + size == len(self.data), "the signature is not its end")
        blob = self.data[offset:]
        must(struct.unpack_from(">5I", blob) == (SUPER_BLOB, size, 1, 0, 20), "the signature is no list of one code directory")
        fields = struct.unpack_from(FIELDS, blob, 20)
        magic, length, version, flags, hashes, name, special, pages, limit, width, kind, _, page = fields[:13]
        must((magic, length, version, flags, special) == (DIRECTORY, size - 20, VERSION, AD_HOC_BY_LINKER, 0), "the code directory is of another kind")
        must((limit, width, kind, 1 << page) == (offset, 32, SHA256, PAGE), "the signature covers something else")
        _, _, _, start, length, _, _ = self.segments()["__TEXT"]
        must(fields[-3:] == (start, length, MAIN_PROGRAM), "the signature names other code")
        must(blob[20 + hashes:] == page_hashes(self.data[:limit]) and pages == -(-limit // PAGE), "the hash of a page is wrong")
        return text(blob[20 + name:20 + hashes])


def text(padded):
    return padded.split(b"\0", 1)[0].decode()


def page_hashes(signed):
    return b"".join(hashlib.sha256(signed[at:at + PAGE]).digest() for at in range(0, len(signed), PAGE))


def sign(data, identifier):
    """The same program with an ad hoc signature as linkers make it, but of this identifier: macOS keeps what a person permits to a program under it."""
    program = Program(data)
    signed = bytearray(data)
    if any(command == SIGNATURE for command, _, _ in program.commands):
        command = program.one(SIGNATURE)
        del signed[struct.unpack_from("<I", data, command + 8)[0]:]
    else:  # for amd64, linkers make none
        command = program.end
        must(not any(data[command:command + 16]), "it has no room for a load command")
        signed.extend(bytes(-len(signed) % 16))
        struct.pack_into("<2I", signed, 16, len(program.commands) + 1, command + 16 - 32)
        struct.pack_into("<3I", signed, command, SIGNATURE, 16, len(signed))
    limit = len(signed)
    name = identifier.encode() + b"\0"
    pages, hashes = -(-limit // PAGE), struct.calcsize(FIELDS) + len(name)
    size = 20 + hashes + 32 * pages
    segments = program.segments()
    linkedit, _, _, start, _, _, _ = segments["__LINKEDIT"]
    _, _, _, text_start, text_size, _, _ = segments["__TEXT"]
    struct.pack_into("<I", signed, command + 12, size)
    struct.pack_into("<Q", signed, linkedit + 32, limit + size - start)
    struct.pack_into("<Q", signed, linkedit + 48, limit + size - start)
    directory = struct.pack(FIELDS, DIRECTORY, size - 20, VERSION, AD_HOC_BY_LINKER, hashes, struct.calcsize(FIELDS), 0, pages, limit, 32, SHA256, 0, 12,
                            0, 0, 0, 0, 0, text_start, text_size, MAIN_PROGRAM)
    return bytes(signed) + struct.pack(">5I", SUPER_BLOB, size, 1, 0, 20) + directory + name + page_hashes(bytes(signed))


def listed(folder, library, arch):
    """The names of a library's list in the folder that a program of this architecture takes. A name with an architecture after it is of that one only."""
    words = [line.split() for line in (folder / f"{library.rsplit('/', 1)[1]}.txt").read_text("utf-8").splitlines()]
    return {name for name, *only in words if only in ([], [arch])}


def stub(folder, library, arch):
    """What a linker must know of a library: its path and names."""
    target = {"amd64": "x86_64", "arm64": "arm64"}[arch] + "-macos"
    symbols = ", ".join(f"'{name}'" for name in sorted(listed(folder, library, arch)))
    return f"--- !tapi-tbd\ntbd-version: 4\ntargets: [ {target} ]\ninstall-name: '{library}'\nexports:\n  - targets: [ {target} ]\n    symbols: [ {symbols} ]\n...\n"


def check_layout(program):
    """Segments and sections lie as macOS wants them."""
    page, segments = {"amd64": 0x1000, "arm64": 0x4000}[program.arch], program.segments()
    must(segments["__TEXT"][3] == 0 and segments["__TEXT"][4] >= program.end, "the load commands are not in __TEXT")
    address = offset = 0
    storage = sum(length for segment in segments.values() for _, _, length, kind in segment[-1] if kind in THREAD_STORAGE)
    for name, (_, start, memory, at, size, permissions, sections) in segments.items():
        must(start % page == 0 and at % page == 0 and start >= address and (at >= offset or not size), f"segment {name} lies wrong")
        must(at + size <= len(program.data) and (size <= memory or not memory), f"segment {name} is too long")
        must(permissions & 6 != 6, f"segment {name} can be written and run")
        address, offset = start + memory, max(offset, at + size)
        for section, first, length, kind in sections:
            must(start <= first and first + length <= start + memory, f"section {section} is not in segment {name}")
            if kind in POINTERS:
                must(first % 8 == 0 and length % POINTERS[kind] == 0, f"section {section} is not aligned: it has {length} bytes at {first:#x}")
            if kind == THREAD_VARIABLES:
                for descriptor in range(at + first - start, at + first - start + length, 24):
                    place = struct.unpack_from("<Q", program.data, descriptor + 16)[0]
                    must(place < storage, f"section {section} names place {place:#x} in the {storage:#x} bytes of a thread")
    must(offset == len(program.data), "something follows the last segment")


def check(data, arch, minimum, identifier, needs, names):
    """Raises Bad, or returns what the program is, in words. needs: the libraries that it may load; names: the folder of their lists."""
    program = Program(data)
    must(program.arch == arch, f"it is for {program.arch}")
    check_layout(program)
    program.one(MAIN)
    program.one(UUID)
    must(program.minimum() == minimum, f"it needs macOS {program.minimum()}, not {minimum}")
    libraries = program.libraries()
    must(not any(command in OTHER_LIBRARIES for command, _, _ in program.commands), "it loads a library in an unusual way")
    must(sorted(libraries) == sorted(needs), f"it loads {', '.join(libraries)}, not {', '.join(needs)}")
    taken = program.undefined()
    wrong = [f"{name} of {library} is {'in no list' if name in taken[library] else 'in its list, but not asked for'}"
             for library in libraries for name in sorted(taken[library] ^ listed(names, library, arch))]
    must(not wrong, "; ".join(wrong))
    must(program.signature() == identifier, f"it is signed as {program.signature()}, not {identifier}")
    return f"for macOS {minimum} on {arch}: {len(libraries)} libraries, {sum(len(t) for t in taken.values())} names, signed as {identifier}"


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sign", action="store_true", help="sign the program first")
    asked.add_argument("--arch", required=True)
    asked.add_argument("--minimum", required=True, help="of macOS, such as 13.0")
    asked.add_argument("--identifier", required=True)
    asked.add_argument("--needs", required=True, help="the libraries that it may load, with commas between them")
    asked.add_argument("--names", type=pathlib.Path, required=True, help="the folder with a list of names for each library")
    asked.add_argument("program", type=pathlib.Path)
    o = asked.parse_args()
    if o.sign:
        o.program.write_bytes(sign(o.program.read_bytes(), o.identifier))
    try:
        print(check(o.program.read_bytes(), o.arch, o.minimum, o.identifier, o.needs.split(","), o.names))
    except (Bad, struct.error, ValueError, KeyError, OSError) as why:
        sys.exit(f"{o.program}: {why}")


if __name__ == "__main__":
    main()
