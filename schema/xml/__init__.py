"""The XML view of a run: the same facts as ``classes.xml`` and ``cct.xml``, and back."""

from jvmscope.schema.xml.exporting import Form, export_xml
from jvmscope.schema.xml.importing import import_xml
from jvmscope.schema.xml.vocabulary import NAMESPACE

__all__ = ["NAMESPACE", "Form", "export_xml", "import_xml"]
