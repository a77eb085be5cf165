/** Makes the XML document that the style sheets transform: a catalogue of n books. */
final class Library {
  private Library() {}

  static String xml(int n) {
    StringBuilder xml = new StringBuilder("<library>\n");
    for (int i = 0; i < n; i++) {
      xml.append("<book id='b").append(i).append("' year='").append(1900 + i * 37 % 120);
      xml.append("'><title>Title ").append(Integer.toString(i * 7919, 36)).append("</title>");
      for (int a = 0; a <= i % 3; a++) {
        xml.append("<author>Author ").append((i * 31 + a) % 53).append("</author>");
      }
      xml.append("<price>").append(5 + i * 13 % 90).append(".50</price><text>");
      for (int w = 0; w < 12; w++) {
        xml.append(Integer.toString((i + w) * 12_345 % 99_991, 36)).append(w == 11 ? "" : " ");
      }
      xml.append("</text></book>\n");
    }
    return xml.append("</library>\n").toString();
  }
}
