"""Programs that load the VM into their own process: no launcher says what they run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from integration.recording import Recorder

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

    from oracle.toolchain import Jdk

_CALLED = """
public class Called {
  static void call() { System.out.println("called"); }
}
"""
# With the numbers of functions in the tables of jni.h.
_HOST = """
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_ubyte, c_void_p

class Option(Structure):
    _fields_ = [("text", c_char_p), ("extra", c_void_p)]

class Arguments(Structure):
    _fields_ = [("version", c_int), ("n", c_int), ("options", POINTER(Option)), ("lax", c_ubyte)]

def call(target, number, *arguments):
    table = ctypes.cast(target, POINTER(POINTER(c_void_p))).contents
    types = [c_char_p if isinstance(a, bytes) else c_void_p for a in arguments]
    return ctypes.CFUNCTYPE(c_void_p, c_void_p, *types)(table[number])(target, *arguments)

vm, env = c_void_p(), c_void_p()
options = (Option * 1)(Option(b"-Djava.class.path=classes", None))
arguments = Arguments(0x00010008, 1, options, 0)
if ctypes.CDLL(sys.argv[1]).JNI_CreateJavaVM(byref(vm), byref(env), byref(arguments)) != 0:
    sys.exit(3)
type_ = call(env, 6, b"Called")  # FindClass
method = call(env, 113, type_, b"call", b"()V")  # GetStaticMethodID
call(env, 143, type_, method, None)  # CallStaticVoidMethodA
call(vm, 3)  # DestroyJavaVM
sys.exit(7)
"""
_CALLS = "SELECT SUM(n_calls)::INT FROM context JOIN method USING (method_id) WHERE name = 'call'"
_BY_JNI = "SELECT SUM(n_transitions)::INT FROM native_transition WHERE kind = 'call_static'"


@pytest.mark.parametrize(
    ("options", "query"),
    [((), _CALLS), (("--no-tree", "--probes", "native"), _BY_JNI)],
    ids=["calls", "native code"],
)
def test_a_vm_that_no_launcher_started_is_recorded(
    tmp_path: Path, jdk: Jdk, options: tuple[str, ...], query: str
) -> None:
    """GIVEN a program that creates a VM and calls a method, THEN its run has the call."""
    recorder = Recorder.of(jdk, tmp_path, Called=_CALLED)
    library = next(jdk.home.glob("**/server/libjvm.so"))
    outcome = recorder.record(
        sys.executable, "-c", _HOST, library, options=(*options, "--inject", "env")
    )
    assert (outcome.status, outcome.stdout) == (7, "called\n"), outcome.stderr
    assert outcome.manifest.status == "complete"
    with jvmscope.open(recorder.directory / outcome.run) as run:
        assert list(run.query(query, language="sql").rows()) == [(1,)]
