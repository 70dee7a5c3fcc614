package example.carecover;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that records requests and sends the given answers, the last one repeatedly. */
final class ExampleServer implements AutoCloseable {
  static final String KEY = "sk_test_HeadOfTheKeyTailOfTheKey1234567";

  /** An answer; one with the status 0 ends the connection without a response. */
  record Answer(int status, String body, Map<String, String> headers) {}

  record Received(String method, String url, String authorization, String key, String contentType, String body) {}

  final List<Received> requests = new CopyOnWriteArrayList<>();
  private final List<Answer> answers;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  ExampleServer(Answer... answers) {
    this.answers = List.of(answers);
    try {
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  static Answer ok(String body) {
    return new Answer(200, body, Map.of());
  }

  static Answer lost() {
    return new Answer(0, "", Map.of());
  }

  static Answer error(int status, String code, Map<String, String> headers) {
    String body = "{\"error\":{\"code\":\"%s\",\"message\":\"a message\",\"docs\":\"https://docs.example/#code\"}}";
    return new Answer(status, body.formatted(code), headers);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  Carecover.Builder builder() {
    return Carecover.builder(url(), KEY);
  }

  Carecover client() {
    return builder().build();
  }

  private synchronized Answer record(Received received) {
    requests.add(received);
    return answers.get(Math.min(requests.size(), answers.size()) - 1);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var headers = exchange.getRequestHeaders();
      Answer answer =
          record(
              new Received(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI().toString(),
                  headers.getFirst("Authorization"),
                  headers.getFirst("Idempotency-Key"),
                  headers.getFirst("Content-Type"),
                  body));
      if (answer.status() == 0) return;
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      byte[] text = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), text.length == 0 ? -1 : text.length);
      exchange.getResponseBody().write(text);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
