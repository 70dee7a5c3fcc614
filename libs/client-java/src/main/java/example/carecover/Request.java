package example.carecover;

import com.fasterxml.jackson.core.type.TypeReference;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A call of an operation. */
final class Request {
  private static final TypeReference<TreeMap<String, Object>> PARAMETERS = new TypeReference<>() {};

  final String method;
  final Map<String, String> headers = new TreeMap<>();

  /** The body, which is empty for a request without one. */
  byte[] body = new byte[0];

  /** Whether the client sends an idempotency key. */
  boolean isIdempotent = false;

  /** A status above 399 whose body is no API error: the delivery of a test event that the receiver did not accept. */
  int alsoSuccess = 0;

  private final Map<String, Object> parameters;
  private String path;

  Request(String method, String path) {
    this(method, path, new TreeMap<>());
  }

  private Request(String method, String path, Map<String, Object> parameters) {
    this.method = method;
    this.path = path;
    this.parameters = parameters;
  }

  Request id(String name, String value) {
    Input.requireIdentifier(name, value);
    path = path.replace("{" + name + "}", value);
    return this;
  }

  Request header(String name, String value) {
    Input.requireHeader(name, value);
    headers.put(name, value);
    return this;
  }

  Request query(Object query) {
    parameters.putAll(Json.convert(query, PARAMETERS));
    return this;
  }

  /** Returns the request for the page after an item; for the first page if the identifier is null. */
  Request startingAfter(String id) {
    Request page = new Request(method, path, new TreeMap<>(parameters));
    page.headers.putAll(headers);
    if (id != null) page.parameters.put("starting_after", id);
    return page;
  }

  Request body(Object value) {
    body = Json.write(value);
    return header("Content-Type", "application/json");
  }

  Request upload(Upload file) {
    body = file.content();
    header("Content-Type", file.mediaType());
    return file.isGzip() ? header("Content-Encoding", "gzip") : this;
  }

  Request idempotent() {
    isIdempotent = true;
    return this;
  }

  Request alsoSuccess(int status) {
    alsoSuccess = status;
    return this;
  }

  /** Whether a second attempt has no second effect. */
  boolean isRepeatable() {
    return isIdempotent || method.equals("GET");
  }

  /** Returns the path with the query. */
  String target() {
    String query =
        parameters.entrySet().stream()
            .filter(each -> each.getValue() != null)
            .map(each -> each.getKey() + "=" + encode(String.valueOf(each.getValue())))
            .collect(Collectors.joining("&"));
    return query.isEmpty() ? path : path + "?" + query;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
