"""The comparison with the oracles finds a wrong count, a wrong parent and a missing method."""

from __future__ import annotations

from oracle.compare import Difference, compare_blocks, compare_segments
from oracle.compare_trees import compare_trees
from oracle.recorded import Count, Recorded, RecordedMethod
from oracle.steps import MethodKey, SteppedMethod, Steps
from oracle.trees import NONE, Tree

MAIN = MethodKey("A", "main", "()V", 4)
LEAF = MethodKey("A", "leaf", "()V", 1)
LIBRARY = MethodKey("java/L", "call", "()V", 1)


def _steps(**counts: int) -> Steps:
    all_counts = {int(name[1:]): n for name, n in counts.items()}
    return {MAIN: SteppedMethod(MAIN, is_application=True, lines={}, all=all_counts)}


def _tree(*path: MethodKey) -> Tree:
    tree = Tree()
    row = tree.add_thread(("platform", "main"))
    for method in path:
        number = tree.add_method(method, is_application=method.class_name == "A")
        row = tree.add(row, number, NONE, 1)
    return tree


def _recorded(tree: Tree) -> Recorded:
    block = Count((0, 1, 2), 3, 3)
    segments = [Count((0, 1), 3, 3), Count((2,), 2, 2)]
    method = RecordedMethod(MAIN, True, "full", [block], segments)  # noqa: FBT003
    return Recorded([method], tree, {}, set(), has_segments=True)


def test_a_block_is_compared_with_its_first_bytecode() -> None:
    recorded = _recorded(_tree(MAIN))
    equal = compare_blocks(recorded, _steps(_0=3, _1=3, _2=2), application=True)
    assert (equal.n_compared, equal.differences) == (1, [])
    other = compare_blocks(recorded, _steps(_0=4), application=True)
    assert other.differences == [Difference("A.main()V @0", 3, 4)]


def test_every_bytecode_is_compared_with_its_segment() -> None:
    recorded = _recorded(_tree(MAIN))
    assert compare_segments(recorded, _steps(_0=3, _1=3, _2=2)).differences == []
    other = compare_segments(recorded, _steps(_0=3, _1=3, _2=3))
    assert other.differences == [Difference("A.main()V @2", 2, 3)]


def test_a_method_that_the_run_lacks_differs() -> None:
    steps = _steps(_0=3)
    steps[LEAF] = SteppedMethod(LEAF, is_application=True, lines={}, all={0: 2})
    compared = compare_blocks(_recorded(_tree(MAIN)), steps, application=True)
    assert compared.differences == [Difference("A.leaf()V: not in the run", 0, 2)]


def test_library_frames_are_spliced_out_of_the_applications_tree() -> None:
    recorded = _recorded(_tree(MAIN, LEAF))
    n, differences = compare_trees(recorded, _tree(MAIN, LIBRARY, LEAF), "A", application=True)
    assert (n, differences) == (2, [])


def test_another_parent_differs_at_the_topmost_node() -> None:
    recorded = _recorded(_tree(MAIN, LEAF))
    _, differences = compare_trees(recorded, _tree(MAIN, LIBRARY, LEAF), "A", application=False)
    assert sorted((d.recorded, d.oracle) for d in differences) == [(0, 1), (1, 0)]
