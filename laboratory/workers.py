"""Playing all deals of an experiment on several cores. The results have the same order with any number of workers."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing, contextmanager
from itertools import starmap
from multiprocessing.process import BaseProcess
from threading import Thread

from laboratory.duplicates import Duplicate, play_twice
from laboratory.experiment import Experiment, Pair

Job = tuple[Experiment, Pair, int]


def all_cores() -> int:
    return os.cpu_count() or 1


def play_all(
    experiment: Experiment, workers: int, note: Callable[[], object] = lambda: None
) -> dict[Pair, list[Duplicate]]:
    """Play every pair's deals.

    ``note`` is called after each of them. An exception that it raises ends the workers at once.
    """
    jobs = [(experiment, pair, number) for pair in experiment.pairs for number in range(experiment.deals)]
    played: dict[Pair, list[Duplicate]] = {pair: [] for pair in experiment.pairs}
    with closing(answers(jobs, min(workers, len(jobs)))) as duplicates:
        for (_, pair, _), duplicate in zip(jobs, duplicates, strict=True):
            played[pair].append(duplicate)
            note()
    return played


def answers(jobs: Sequence[Job], workers: int) -> Generator[Duplicate]:
    """Each job's result. One worker computes in this process, several in processes of their own."""
    if workers == 1:
        yield from starmap(play_twice, jobs)
        return
    with crew(workers) as pool:
        # Not `pool.map`: after an error it cancels the remaining jobs, and a broken pool of Python 3.11 cannot handle
        # that.
        for future in submitted(pool, jobs):
            yield future.result()


@contextmanager
def crew(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes that end at once when an exception is raised here. Only one such crew may run at a time."""
    # Spawned, not forked: the calling process may have threads, such as the progress bar's.
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=end_with_parent)
    others = multiprocessing.active_children()
    try:
        yield pool
    except BaseException:
        for worker in multiprocessing.active_children():
            if worker not in others:
                worker.terminate()
        raise
    finally:
        pool.shutdown()


def submitted(pool: ProcessPoolExecutor, jobs: Iterable[Job]) -> list[Future[Duplicate]]:
    """The submitted jobs. Workers start here with SIGINT blocked: Ctrl-C reaches only the parent, which ends them."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return [pool.submit(play_twice, *job) for job in jobs]
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def end_with_parent() -> None:
    """End a worker whose parent was killed. It would otherwise wait for its next deal for ever."""
    Thread(target=wait_for_end, args=(multiprocessing.parent_process(),), daemon=True).start()


def wait_for_end(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
