"""NumPy, framejit and its peers on programs of arrays, interleaved, in one run.

    python tests/bench/peer_table.py [--sizes N ...] [--dtypes NAME ...] [--peers NAME ...]
        [--json FILE] [--plot FILE] [WORKLOAD ...]

Each workload runs in a process of its own. One line for each workload, size and dtype: the time of
NumPy, and how many times as fast as NumPy each peer is, by the medians of interleaved rounds;
"-" where a peer refuses the workload. Each may use two threads, "framejit alone" one. The results
of framejit have to be NumPy's bit for bit (the exit code tells); `~` marks a peer whose
result differs by more than a tolerance or has another dtype.

Peers that are not installed are left out: `pip install --group bench` brings numexpr and
matplotlib, `pip install jax torch` the others.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from statistics import geometric_mean, median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from bench.measuring import Time, measure
from bench.peers import PEERS, THREADS
from bench.workloads import load

SIZES = (100, 10_000, 1_000_000, 10_000_000)
DTYPES = ("float64", "float32")
NEEDS = {"numexpr": "numexpr", "jax": "jax", "torch": "torch"}
WRONG = {"WRONG", "another dtype"}
TRIAD = 10_000_000
"""Elements of the arrays whose sum measures the bandwidth of memory."""

Key = tuple[str, int, str]


def measured_elsewhere(name: str, options: argparse.Namespace) -> list[Time]:
    """Times one workload in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "times.json")
        command = [sys.executable, __file__, "--here", "--json", str(found), name]
        command += ["--sizes", *map(str, options.sizes), "--dtypes", *options.dtypes]
        command += ["--peers", *options.peers]
        subprocess.run(command, check=True, env=_environment(), stdout=subprocess.DEVNULL)
        return [Time(**fields) for fields in json.loads(found.read_text())]


def measured_here(name: str, options: argparse.Namespace) -> list[Time]:
    """Times one workload at each size and dtype."""
    workload = load()[name]
    times: list[Time] = []
    for dtype in options.dtypes:
        for size in options.sizes:
            times += measure(workload, size, dtype, options.peers)
    return times


def _environment() -> dict[str, str]:
    threads = dict.fromkeys(
        ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(THREADS)
    )
    return {**os.environ, **threads}


def bandwidth() -> float:
    """Bytes a second of `a = b + s * c` into memory that is there already, in one thread."""
    import numba
    import numpy as np

    @numba.njit(error_model="numpy")
    def triad(a, b, c, s):  # type: ignore[no-untyped-def]
        for i in range(a.size):
            a[i] = b[i] + s * c[i]

    a, b, c = np.zeros(TRIAD), np.ones(TRIAD), np.ones(TRIAD)
    triad(a, b, c, 2.0)
    best = 1e9
    for _ in range(10):
        start = perf_counter()
        triad(a, b, c, 2.0)
        best = min(best, perf_counter() - start)
    return 3 * a.nbytes / best


def gains_of(times: Iterable[Time]) -> dict[Key, dict[str, float]]:
    """Return the speed of each peer relative to NumPy; wrong answers count for nothing."""
    seconds: dict[Key, dict[str, float]] = defaultdict(dict)
    for time in times:
        if time.answer not in WRONG:
            seconds[time.workload, time.size, time.dtype][time.peer] = time.seconds
    return {
        key: {peer: by_peer["numpy"] / value for peer, value in by_peer.items()}
        for key, by_peer in seconds.items()
    }


def rows(times: Sequence[Time], peers: Sequence[str]) -> list[str]:
    """The lines of the table for one workload."""
    by_key: dict[Key, dict[str, Time]] = defaultdict(dict)
    for time in times:
        by_key[time.workload, time.size, time.dtype][time.peer] = time
    lines = []
    for (name, size, dtype), of in by_key.items():
        base = of["numpy"]
        cells = [f"{name:22} {size:9,} {dtype:8} {base.seconds * 1e6:11.2f} {base.spread:5.0%}"]
        for peer in peers[1:]:
            time = of.get(peer)
            if time is None:
                cells.append(f"{'-':>9} ")
            else:
                mark = "~" if time.answer in WRONG else " "
                cells.append(f"{base.seconds / time.seconds:9.2f}{mark}")
        ours = of.get("framejit")
        if ours is not None:
            cells.append(f"{ours.spread:5.0%} {ours.first:6.2f}")
            cells.append("" if ours.answer == "same bits" else f"  {ours.answer}")
        lines.append("".join(cells))
    return lines


def header(peers: Sequence[str]) -> str:
    """Return the lines above the table."""
    names = "".join(f"{peer.replace('parallel', 'par'):>9} " for peer in peers[1:])
    return f"{'':22} {'elements':>9} {'':8} {'NumPy us':>11} {'+-':>5}{names}{'+-':>5} first"


def summary(times: Sequence[Time], peers: Sequence[str]) -> list[str]:
    """Geometric means and medians over the workloads, for each dtype and size."""
    gains = gains_of(times)
    lines = [f"{'speed over NumPy: geometric mean (median)':43}"]
    groups = dict.fromkeys((dtype, size) for _, size, dtype in gains)
    for dtype, size in groups:
        cells = []
        for peer in peers[1:]:
            found = [
                of[peer]
                for (_, n, d), of in gains.items()
                if (d, n) == (dtype, size) and peer in of
            ]
            cells.append(
                f"{peer} {geometric_mean(found):.2f} ({median(found):.2f}) of {len(found)}"
                if found
                else f"{peer} -"
            )
        lines.append(f"{dtype} {size:>10,}: " + "; ".join(cells))
    slow = [
        f"{name} {size:,} {dtype} {of['framejit']:.2f}"
        for (name, size, dtype), of in gains.items()
        if of.get("framejit", 1.0) < 0.95
    ]
    lines.append(f"framejit slower than NumPy: {', '.join(slow) or 'nowhere'}")
    return lines


def plot(times: Sequence[Time], peers: Sequence[str], path: Path) -> None:
    """One panel for each dtype and size: a point for each workload and peer."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    gains = gains_of(times)
    groups = list(dict.fromkeys((dtype, size) for _, size, dtype in gains))
    names = list(dict.fromkeys(name for name, *_ in gains))
    figure, axes = pyplot.subplots(
        *(1, len(groups)),
        figsize=(3.2 * len(groups) + 2.5, 0.24 * len(names) + 1.5),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for panel, (dtype, size) in zip(axes[0], groups, strict=True):
        for peer in peers[1:]:
            points = [
                (of[peer], names.index(name))
                for (name, n, d), of in gains.items()
                if (d, n) == (dtype, size) and peer in of
            ]
            ours = peer == "framejit"
            color = "black" if ours else f"C{peers.index(peer)}"
            panel.scatter(
                [gain for gain, _ in points],
                [place for _, place in points],
                s=42 if ours else 18,
                zorder=3 if ours else 2,
                color=color,
                label=peer,
            )
        panel.axvline(1.0, color="grey", linewidth=0.8)
        panel.set_xscale("log")
        panel.set_title(f"{dtype}, {size:,}", fontsize=9)
        panel.set_xlabel("times as fast as NumPy", fontsize=8)
        panel.grid(alpha=0.3)
    axes[0][0].set_yticks(range(len(names)), names, fontsize=7)
    axes[0][0].invert_yaxis()
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, loc="outside right center")
    figure.savefig(path, dpi=110)


def parsed() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--dtypes", nargs="+", default=DTYPES, choices=DTYPES)
    parser.add_argument("--peers", nargs="+", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--json", type=Path, help="write the times there as well")
    parser.add_argument("--plot", type=Path, help="draw the gains there")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    installed = [name for name in options.peers if find_spec(NEEDS.get(name, "numpy"))]
    options.peers = list(dict.fromkeys(["numpy", *installed]))
    unknown = sorted(set(options.workloads) - set(load()))
    if unknown:
        parser.error(f"no workload {', '.join(unknown)}; there are {', '.join(load())}")
    return options


def main() -> int:
    """Prints the table; 1 if a result of framejit is not NumPy's."""
    options = parsed()
    measured = measured_here if options.here else measured_elsewhere
    times: list[Time] = []
    print(header(options.peers))
    for name in options.workloads or load():
        found = measured(name, options)
        times += found
        print("\n".join(rows(found, options.peers)), flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(time) for time in times], indent=1))
    if not options.here:
        print("\n".join(summary(times, options.peers)))
        print(f"triad of {TRIAD:,} float64: {bandwidth() / 1e9:.1f} GB/s")
    if options.plot:
        plot(times, options.peers, options.plot)
    ours = [time for time in times if time.peer == "framejit"]
    return int(any(time.answer != "same bits" for time in ours))


if __name__ == "__main__":
    sys.exit(main())
