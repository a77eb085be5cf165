import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with a servlet that makes a page, and its load. */
public final class TomcatServer extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final int ROWS = 40;

  public static void main(String[] args) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "page", new TomcatServer());
    context.addServletMappingDecoded("/*", "page");
    tomcat.start();
    HttpLoad load = new HttpLoad(tomcat.getConnector().getLocalPort());
    OpenLoad.run(Integer.parseInt(args[0]), load::send);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/html");
    response.getWriter().write(page(request.getParameter("id"), request.getParameter("name")));
  }

  private static String page(String id, String name) {
    StringBuilder page = new StringBuilder("<html><h1>item ").append(id).append("</h1>");
    for (int k = 0; k < ROWS; k++) {
      page.append(row(k, name));
    }
    return page.append("</html>").toString();
  }

  private static String row(int number, String name) {
    return "<p>" + number + " of " + name + "</p>";
  }
}
