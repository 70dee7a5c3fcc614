package example.carecover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Calls operations over HTTP. A call is retried after a 429, a 5xx or a lost connection under the same idempotency key. If the last retry
 * fails too, the call throws the exception of that retry. The three operations that create a new secret each time, one of them with a
 * project, have no idempotency key and are retried only after a 429.
 */
final class Transport {
  private final String baseUrl;
  private final String apiKey;
  private final Duration timeout;
  private final int maxRetries;
  private final HttpClient http;

  Transport(String baseUrl, String apiKey, Duration timeout, int maxRetries, HttpClient http) {
    this.baseUrl = baseUrl.endsWith("/") ? baseUrl.substring(0, baseUrl.length() - 1) : baseUrl;
    this.apiKey = apiKey;
    this.timeout = timeout;
    this.maxRetries = maxRetries;
    this.http = http;
  }

  /** Calls an operation and returns the parsed body of the response. */
  <T> T call(Class<T> type, Request request, CallOptions options) {
    HttpResponse<byte[]> response = send(request, options);
    try {
      T result = Json.read(response.body(), type);
      if (result != null) return result;
    } catch (IOException error) {
      // Its message can quote the response, and so a token or a signing secret.
    }
    throw invalidResponse(response);
  }

  private HttpResponse<byte[]> send(Request request, CallOptions options) {
    HttpRequest outgoing = prepare(request, options);
    for (int attempt = 0; ; attempt++) {
      int status = 0;
      Duration retryAfter = null;
      CarecoverException failure;
      try {
        HttpResponse<byte[]> response = attempt(outgoing, options.timeoutOr(timeout));
        if (isSuccess(response, request)) return response;
        status = response.statusCode();
        retryAfter = Retries.retryAfterOf(response.headers(), Instant.now());
        failure = toException(response, retryAfter);
      } catch (CarecoverConnectionException error) {
        failure = error;
      }
      long delay = Retries.delayMillis(attempt, retryAfter, ThreadLocalRandom.current().nextDouble());
      boolean isLast = attempt >= options.maxRetriesOr(maxRetries) || Thread.currentThread().isInterrupted();
      if (isLast || delay < 0 || !Retries.isRetryable(status, request.isRepeatable())) throw failure;
      sleep(delay);
    }
  }

  private HttpRequest prepare(Request request, CallOptions options) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(baseUrl + request.target())).header("Authorization", "Bearer " + apiKey);
    // A GET with an empty body would have a Content-Length.
    if (!request.method.equals("GET"))
      builder.method(request.method, HttpRequest.BodyPublishers.ofByteArray(request.body));
    request.headers.forEach(builder::header);
    if (request.isIdempotent) {
      String key = options.idempotencyKey();
      builder.header("Idempotency-Key", key == null ? UUID.randomUUID().toString() : key);
    }
    return builder.build();
  }

  /** Sends the request once. @throws CarecoverConnectionException without a response */
  private HttpResponse<byte[]> attempt(HttpRequest request, Duration limit) {
    // The timeout of an HttpRequest ends with the headers of the response.
    CompletableFuture<HttpResponse<byte[]>> response =
        http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
    try {
      return response.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException error) {
      response.cancel(true);
      throw noResponse(request, "none within " + limit.toMillis() + " ms", error);
    } catch (InterruptedException error) {
      response.cancel(true);
      Thread.currentThread().interrupt();
      throw noResponse(request, "the thread was interrupted", error);
    } catch (ExecutionException error) {
      Throwable cause = error.getCause();
      String remedy = cause instanceof SSLException ? " (set caCertificate to the authority's file)" : "";
      throw noResponse(request, cause + remedy, cause);
    }
  }

  /** Waits. @throws CarecoverConnectionException if the thread is interrupted */
  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new CarecoverConnectionException("the thread was interrupted", error);
    }
  }

  /**
   * Returns whether a response is a result and not an error. A status above 399 is one only if the body is a resource, because a proxy can
   * send the same status.
   */
  private static boolean isSuccess(HttpResponse<byte[]> response, Request request) {
    int status = response.statusCode();
    if (status >= 200 && status < 300) return true;
    return status == request.alsoSuccess && parse(response).path("object").isTextual();
  }

  /** Returns the body; a missing value if it is no JSON. */
  private static JsonNode parse(HttpResponse<byte[]> response) {
    try {
      return Json.parse(response.body());
    } catch (IOException error) {
      return MissingNode.getInstance();
    }
  }

  /** Converts an error response. One that is not from Carecover, such as a proxy's page or a redirect, is no API error. */
  private static CarecoverException toException(HttpResponse<byte[]> response, Duration retryAfter) {
    int status = response.statusCode();
    if (status < 400) {
      String rule = "is a redirect, which is not followed: set baseUrl to the URL of the API itself";
      return new CarecoverConnectionException("the response with status " + status + " " + rule, null);
    }
    JsonNode error = parse(response).path("error");
    for (String field : new String[] {"code", "message", "docs"})
      if (!error.path(field).isTextual()) return invalidResponse(response);
    HttpHeaders headers = response.headers();
    return new CarecoverApiException(
        status,
        error.path("code").textValue(),
        error.path("message").textValue(),
        error.path("docs").textValue(),
        headers.firstValue("X-Request-Id").orElse(null),
        retryAfter);
  }

  private static CarecoverConnectionException invalidResponse(HttpResponse<byte[]> response) {
    String problem = "the response with status " + response.statusCode() + " is not from the service";
    return new CarecoverConnectionException(problem, null);
  }

  /** Without the URL, whose query can contain references. */
  private static CarecoverConnectionException noResponse(HttpRequest request, String problem, Throwable cause) {
    URI url = request.uri();
    String origin = url.getScheme() + "://" + url.getRawAuthority();
    return new CarecoverConnectionException("no response from " + origin + ": " + problem, cause);
  }
}
