"""Estimates the cycles of a program run in QEMU, from block execution counts (`blocks.c`) and LLVM's processor models.

    python cycles.py blocks.txt --triple aarch64-linux-gnu neoverse-n1 neoverse-v1

Each block is treated as a loop of its own, with its data in the L1 cache.
"""

import argparse
import re
import subprocess
from collections import Counter
from pathlib import Path

ATTRIBUTES = {"aarch64": "+bf16,+i8mm,+dotprod,+fullfp16,+lse,+aes,+sha2", "x86_64": ""}
ITERATIONS = 50


def run(command: list[str], text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def read(path: Path) -> Counter[tuple[str, ...]]:
    """The execution count of each block."""
    blocks: Counter[tuple[str, ...]] = Counter()
    for line in path.read_text().splitlines():
        _, runs, *instructions = line.split()
        blocks[tuple(instructions)] += int(runs)
    return blocks


def hot(blocks: Counter[tuple[str, ...]], share: float) -> list[tuple[str, ...]]:
    """The blocks that make up a share of all executed instructions."""
    wanted = share * sum(len(block) * runs for block, runs in blocks.items())
    chosen: list[tuple[str, ...]] = []
    for block in sorted(blocks, key=lambda block: -len(block) * blocks[block]):
        if wanted <= 0:
            break
        chosen.append(block)
        wanted -= len(block) * blocks[block]
    return chosen


def disassemble(llvm: str, triple: str, instructions: set[str]) -> dict[str, str]:
    """The assembly of each instruction."""
    codes = sorted(instructions)
    command = [f"llvm-mc{llvm}", "--disassemble", f"--triple={triple}", "--mattr=" + ATTRIBUTES[triple.split("-")[0]]]
    bytes_of = ["".join(f"0x{code[i : i + 2]} " for i in range(0, len(code), 2)) for code in codes]
    process = run(command, "\n".join(bytes_of))
    unknown = {int(number) - 1 for number in re.findall(r"<stdin>:(\d+):", process.stderr)}
    lines = [line.strip() for line in process.stdout.splitlines() if line.strip() and not line.strip().startswith(".")]
    known = [code for number, code in enumerate(codes) if number not in unknown]
    if len(known) != len(lines):
        raise SystemExit(f"{len(lines)} instructions were disassembled, of {len(known)}")
    return dict(zip(known, lines, strict=True))


def cycles(llvm: str, triple: str, cpu: str, blocks: list[list[str]]) -> list[float]:
    """The cycles of each block."""
    regions = [f"# LLVM-MCA-BEGIN {n}\n" + "\n".join(block) + "\n# LLVM-MCA-END\n" for n, block in enumerate(blocks)]
    command = [
        f"llvm-mca{llvm}",
        f"-mtriple={triple}",
        f"-mcpu={cpu}",
        "-mattr=" + ATTRIBUTES[triple.split("-")[0]],
        f"-iterations={ITERATIONS}",
        "-skip-unsupported-instructions=any",
        "-resource-pressure=false",
        "-instruction-info=false",
    ]
    found = {}
    for region in run(command, "".join(regions)).stdout.split("Code Region - ")[1:]:
        total = re.search(r"Total Cycles: +(\d+)", region)
        found[int(region.split()[0])] = int(total.group(1)) / ITERATIONS if total else 0.0
    return [found.get(n, 0.0) for n in range(len(blocks))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("blocks", type=Path)
    parser.add_argument("cpus", nargs="+")
    parser.add_argument("--triple", required=True)
    parser.add_argument("--llvm", default="", help="the suffix of LLVM's programs, such as -19")
    parser.add_argument("--share", type=float, default=0.99, help="the share of the instructions to analyze")
    parser.add_argument("--less", type=Path, help="the blocks of a run to subtract, such as loading")
    arguments = parser.parse_args()

    blocks = read(arguments.blocks)
    if arguments.less:
        blocks.subtract(read(arguments.less))
        blocks = +blocks
    instructions = sum(len(block) * runs for block, runs in blocks.items())
    chosen = hot(blocks, arguments.share)
    assembly = disassemble(arguments.llvm, arguments.triple, {code for block in chosen for code in block})
    texts = [[assembly.get(code, "") for code in block] for block in chosen]
    mnemonics: Counter[str] = Counter()
    for block, text in zip(chosen, texts, strict=True):
        for line in text:
            mnemonics[line.split()[0] if line else "unknown"] += blocks[block]
    print(f"instructions: {instructions / 1e9:.3f} billion; the hottest {len(chosen)} blocks:")
    for name, count in mnemonics.most_common(12):
        print(f"    {name:<12} {count / 1e9:8.3f} billion")
    for cpu in arguments.cpus:
        each = cycles(arguments.llvm, arguments.triple, cpu, texts)
        total = sum(cycles * blocks[block] for cycles, block in zip(each, chosen, strict=True))
        print(f"{cpu}: {total / arguments.share / 1e9:.3f} billion cycles")


if __name__ == "__main__":
    main()
