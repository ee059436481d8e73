"""Start-up as a share of `import torch`: each command in a fresh process, best of several runs.

python benchmarks/startup.py
"""

import subprocess
import sys
import time

COMMANDS = {
    "import torch": ["-c", "import torch"],
    "import ccgkit": ["-c", "import ccgkit"],
    "ccgkit --help": ["-c", "from ccgkit.cli.main import main; main(['--help'])"],
    "ccgkit validate-category": [
        "-c",
        "from ccgkit.cli.main import main; main(['validate-category', 'S/NP'])",
    ],
}


def seconds(arguments: list[str], runs: int = 5) -> float:
    """The fastest of several runs, after one to warm the disk cache."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main() -> None:
    measured = {name: seconds(arguments) for name, arguments in COMMANDS.items()}
    for name, taken in measured.items():
        print(f"{name:28}{taken:7.3f} s   {taken / measured['import torch']:.3f} of import torch")


if __name__ == "__main__":
    main()
