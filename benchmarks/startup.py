"""Start-up as a share of `import torch`: each command in a fresh process by turns, the least of several.

python benchmarks/startup.py
"""

import os
import subprocess
import sys

COMMANDS = {
    "import torch": ["-c", "import torch"],
    "import ccgkit": ["-c", "import ccgkit"],
    "ccgkit --help": ["-c", "from ccgkit.cli.main import main; main(['--help'])"],
    "ccgkit tag": ["-c", "from ccgkit.cli.main import main; main(['tag', 'United serves Miami.'])"],
    "ccgkit validate-category": [
        "-c",
        "from ccgkit.cli.main import main; main(['validate-category', 'S/NP'])",
    ],
}


def seconds(arguments: list[str]) -> float:
    """The processor time of a fresh process, which other work on the machine hardly changes."""
    before = os.times()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main(runs: int = 5) -> None:
    turns = [{name: seconds(arguments) for name, arguments in COMMANDS.items()} for _ in range(runs + 1)]
    measured = {name: min(turn[name] for turn in turns[1:]) for name in COMMANDS}  # the first warms the disk
    for name, taken in measured.items():
        print(f"{name:28}{taken:7.3f} s   {taken / measured['import torch']:.3f} of import torch")


if __name__ == "__main__":
    main()
