import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Requests over HTTP, by the JDK's client, which gets no static probes. */
final class HttpLoad {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String address;

  HttpLoad(int port) {
    address = "http://127.0.0.1:" + port;
  }

  void send(long number) throws IOException, InterruptedException {
    URI uri = URI.create(address + "/item?id=" + number % 97 + "&name=n" + number % 11);
    HttpRequest request = HttpRequest.newBuilder(uri).header("X-Number", "" + number).build();
    HttpResponse<String> response =
        client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200 || !response.body().contains("item " + number % 97)) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
  }
}
