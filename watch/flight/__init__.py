"""Reading the VM's event stream: the chunks of JDK Flight Recorder, while they grow."""

from jvmscope.watch.flight.chunk import Chunk, Event
from jvmscope.watch.flight.constants import Constants
from jvmscope.watch.flight.repository import Repository

__all__ = ["Chunk", "Constants", "Event", "Repository"]
