import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Compiles a style sheet and transforms a generated document with the factory named. */
public final class Transform {
  public static void main(String[] args) throws Exception {
    String document = Library.xml(20 * Iterations.size(args));
    Iterations.run(args, () -> transform(args[2], Path.of(args[3]), document));
  }

  private static String transform(String factory, Path sheet, String document) throws Exception {
    TransformerFactory xslt =
        factory.equals("jdk")
            ? TransformerFactory.newDefaultInstance()
            : TransformerFactory.newInstance(factory, Transform.class.getClassLoader());
    Templates templates = xslt.newTemplates(new StreamSource(sheet.toFile()));
    int hash = 1;
    int length = 0;
    for (int i = 0; i < 3; i++) {
      Transformer transformer = templates.newTransformer();
      transformer.setParameter("least", i * 30);
      StringWriter result = new StringWriter();
      transformer.transform(new StreamSource(new StringReader(document)), new StreamResult(result));
      hash = Iterations.mix(hash, result);
      length += result.toString().length();
    }
    return "html " + length + " " + hash;
  }
}
