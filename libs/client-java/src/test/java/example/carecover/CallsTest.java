package example.carecover;

import static example.carecover.ExampleServer.error;
import static example.carecover.ExampleServer.lost;
import static example.carecover.ExampleServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.carecover.ExampleServer.Answer;
import example.carecover.ExampleServer.Received;
import example.carecover.model.BookingInput;
import example.carecover.model.CancellationInput;
import example.carecover.model.Claim;
import example.carecover.model.ClaimEventData;
import example.carecover.model.ClaimInput;
import example.carecover.model.ClaimInputLine;
import example.carecover.model.ClaimStatus;
import example.carecover.model.CreateBulkJobQuery;
import example.carecover.model.BulkJobKind;
import example.carecover.model.CreatedWebhookEndpoint;
import example.carecover.model.ErrorCode;
import example.carecover.model.Event;
import example.carecover.model.InformationRequestInput;
import example.carecover.model.ListClaimsQuery;
import example.carecover.model.PreauthorizationDenial;
import example.carecover.model.TestClock;
import example.carecover.model.TokenInput;
import example.carecover.model.UnknownEventData;
import example.carecover.model.WebhookDelivery;
import example.carecover.model.WebhookEndpointStatus;
import example.carecover.model.WebhookEndpointUpdate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallsTest {
  private static final CancellationInput CANCELLATION = new CancellationInput().reasonCode("entered_in_error");

  @Test
  void everyAttemptOfAWriteHasTheSameKey() {
    try (ExampleServer server =
        new ExampleServer(
            error(503, "service_unavailable", Map.of()),
            lost(),
            error(429, "rate_limited", Map.of("Retry-After", "0")),
            new Answer(502, "<html>", Map.of()),
            ok("{\"id\":\"clm_1\",\"status\":\"cancelled\"}"))) {
      Claim claim = server.client().claims().cancel("clm_1", CANCELLATION);
      assertEquals(ClaimStatus.CANCELLED, claim.getStatus());
      Received first = server.requests.get(0);
      assertEquals(36, first.key().length());
      assertEquals(
          new Received(
              "POST",
              "/v1/claims/clm_1/cancellations",
              "Bearer " + ExampleServer.KEY,
              first.key(),
              "application/json",
              "{\"reason_code\":\"entered_in_error\"}"),
          first);
      assertEquals(List.of(first, first, first, first, first), server.requests);
    }
  }

  @Test
  void callsHaveDifferentKeysOrThatOfTheCaller() {
    try (ExampleServer server = new ExampleServer(ok("{\"id\":\"clm_1\"}"))) {
      ClaimsService claims = server.client().claims();
      claims.cancel("clm_1", CANCELLATION);
      claims.cancel("clm_1", CANCELLATION);
      claims.cancel("clm_1", CANCELLATION, new CallOptions().idempotencyKey("my-own-key-1"));
      claims.retrieve("clm_1");
      assertNotEquals(server.requests.get(0).key(), server.requests.get(1).key());
      assertEquals("my-own-key-1", server.requests.get(2).key());
      String authorization = "Bearer " + ExampleServer.KEY;
      assertEquals(
          new Received("GET", "/v1/claims/clm_1", authorization, null, null, ""), server.requests.get(3));
    }
  }

  @Test
  void anApiErrorIsTypedAndNotRetried() {
    Map<String, String> headers = Map.of("X-Request-Id", "req-1", "Retry-After", "7");
    try (ExampleServer server = new ExampleServer(error(409, "slot_unavailable", headers))) {
      CarecoverApiException failure =
          assertThrows(
              CarecoverApiException.class, () -> server.client().bookings().create(new BookingInput()));
      assertEquals(409, failure.getStatus());
      assertEquals(ErrorCode.SLOT_UNAVAILABLE, failure.getCode());
      assertEquals("a message", failure.getMessage());
      assertEquals("https://docs.example/#code", failure.getDocs());
      assertEquals("req-1", failure.getRequestId().orElseThrow());
      assertEquals(Duration.ofSeconds(7), failure.getRetryAfter().orElseThrow());
      assertTrue(failure.hasCode(ErrorCode.INVALID_STATE, ErrorCode.SLOT_UNAVAILABLE));
      assertFalse(failure.hasCode(ErrorCode.INVALID_STATE));
      assertEquals(1, server.requests.size());
    }
  }

  @Test
  void anErrorOfTheKeyIsAnApiError() {
    try (ExampleServer server = new ExampleServer(error(401, "api_key_invalid", Map.of()))) {
      CarecoverApiException failure =
          assertThrows(CarecoverApiException.class, () -> server.client().api().retrieve());
      assertTrue(failure.hasCode(ErrorCode.API_KEY_INVALID));
    }
  }

  @Test
  void theLastExceptionIsThrownAfterTheRetries() {
    try (ExampleServer server = new ExampleServer(lost())) {
      ClaimsService claims = server.builder().maxRetries(0).build().claims();
      assertThrows(CarecoverConnectionException.class, () -> claims.cancel("clm_1", CANCELLATION));
      assertEquals(1, server.requests.size());
      CallOptions once = new CallOptions().maxRetries(1);
      assertThrows(CarecoverConnectionException.class, () -> claims.cancel("clm_1", CANCELLATION, once));
      assertEquals(3, server.requests.size());
    }
  }

  @Test
  void aLongRetryAfterFailsAtOnce() {
    for (String value : List.of("121", "99999999999999999999", "Tue, 31 Dec 2199 23:59:59 GMT")) {
      try (ExampleServer server =
          new ExampleServer(error(429, "rate_limited", Map.of("Retry-After", value)))) {
        CarecoverApiException failure =
            assertThrows(CarecoverApiException.class, () -> server.client().api().retrieve());
        assertTrue(failure.hasCode(ErrorCode.RATE_LIMITED));
        assertEquals(1, server.requests.size());
      }
    }
  }

  @Test
  void anOperationWithoutKeyIsRetriedOnlyAfter429() {
    try (ExampleServer server = new ExampleServer(error(429, "rate_limited", Map.of()), lost(), ok("{}"))) {
      assertThrows(
          CarecoverConnectionException.class,
          () -> server.client().webhookEndpoints().rotateSecret("whe_1"));
      assertEquals(2, server.requests.size());
      assertNull(server.requests.get(0).key());
    }
  }

  @Test
  void theInterruptionOfTheThreadEndsACall() throws InterruptedException {
    try (ExampleServer server =
        new ExampleServer(error(503, "service_unavailable", Map.of("Retry-After", "100")))) {
      List<Object> outcome = new ArrayList<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  server.client().api().retrieve();
                } catch (CarecoverConnectionException failure) {
                  outcome.add(failure.getMessage());
                  outcome.add(Thread.currentThread().isInterrupted());
                }
              });
      thread.start();
      while (server.requests.isEmpty()) Thread.sleep(1);
      thread.interrupt();
      thread.join(20_000);
      assertTrue(outcome.get(0).toString().endsWith("the thread was interrupted"), outcome.toString());
      assertEquals(true, outcome.get(1));
    }
  }

  /** The server sends the head of a response and then nothing, which the timeout of an HttpRequest does not end. */
  @Test
  void anAttemptThatTakesTooLongIsRetried() throws IOException {
    AtomicInteger attempts = new AtomicInteger();
    String body = "{\"version\":\"v1\"}";
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread thread =
          new Thread(
              () -> {
                List<Socket> open = new ArrayList<>();
                try {
                  while (true) {
                    Socket socket = server.accept();
                    open.add(socket);
                    String text = attempts.incrementAndGet() == 1 ? "" : body;
                    String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n";
                    socket.getOutputStream().write((head + text).getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                  }
                } catch (IOException end) {
                  // The test has ended.
                }
              });
      thread.setDaemon(true);
      thread.start();
      String url = "http://127.0.0.1:" + server.getLocalPort() + "/v1";
      // The timeout of the second attempt is the same, so it is long enough for a busy machine.
      Carecover client = Carecover.builder(url, ExampleServer.KEY).timeout(Duration.ofSeconds(1)).build();
      assertEquals("v1", client.api().retrieve().getVersion());
      assertEquals(2, attempts.get());
    }
  }

  @Test
  void aRedirectIsNotFollowed() {
    try (ExampleServer server = new ExampleServer(new Answer(302, "", Map.of("Location", "/elsewhere")))) {
      CarecoverConnectionException failure =
          assertThrows(
              CarecoverConnectionException.class,
              () -> server.client().claims().cancel("clm_1", CANCELLATION));
      assertTrue(failure.getMessage().contains("redirect"));
      assertEquals(1, server.requests.size());
      HttpClient follows = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
      Carecover.Builder builder = server.builder().httpClient(follows);
      assertThrows(IllegalArgumentException.class, builder::build);
    }
  }

  @Test
  void aResponseOfAnotherServerIsNoResult() {
    for (Answer each :
        List.of(
            ok("<html>secret</html>"),
            ok("null"),
            ok("[]"),
            ok("{} secret"),
            ok("{\"version\":7}"),
            ok(""),
            new Answer(404, "secret", Map.of()),
            new Answer(404, "{\"error\":\"secret\"}", Map.of()),
            new Answer(404, "{\"error\":{\"code\":\"resource_not_found\"}}", Map.of()))) {
      try (ExampleServer server = new ExampleServer(each)) {
        CarecoverConnectionException failure =
            assertThrows(CarecoverConnectionException.class, () -> server.client().api().retrieve());
        assertFalse(failure.getMessage().contains("secret"));
        assertNull(failure.getCause());
        assertEquals(1, server.requests.size());
      }
    }
  }

  @Test
  void anUndeliveredTestEventIsAResult() {
    String body =
        "{\"id\":\"evt_1\",\"object\":\"webhook_delivery\",\"delivered\":false,\"attempts\":3,\"response_status\":500}";
    try (ExampleServer server = new ExampleServer(new Answer(502, body, Map.of()))) {
      WebhookDelivery delivery = server.client().webhookEndpoints().test("whe_1");
      assertFalse(delivery.getDelivered());
      assertEquals(1, server.requests.size());
    }
  }

  @Test
  void aListIsOnePageOrAllItems() {
    try (ExampleServer server =
        new ExampleServer(
            ok("{\"data\":[{\"id\":\"clm_3\"},{\"id\":\"clm_2\"}],\"has_more\":true}"),
            ok("{\"data\":[{\"id\":\"clm_1\"}],\"has_more\":false}"),
            ok("{\"data\":[{\"id\":\"clm_3\"}],\"has_more\":true}"),
            error(404, "resource_not_found", Map.of()))) {
      ListClaimsQuery query =
          new ListClaimsQuery()
              .status(ClaimStatus.QUERIED)
              .limit(2)
              .sessionId("ses_1")
              .createdAfter(Instant.parse("2025-03-01T00:00:00.001Z"));
      Items<Claim> claims = server.client().claims().all(query);
      // The query belongs to the caller, who can use it for another call.
      query.setStatus(ClaimStatus.DENIED);
      List<String> ids = new ArrayList<>();
      for (Claim claim : claims) ids.add(claim.getId());
      // The second iteration starts at the first page again, and ends with the exception of the second page.
      assertThrows(CarecoverApiException.class, () -> claims.stream().forEach(each -> ids.add(each.getId())));
      assertEquals(List.of("clm_3", "clm_2", "clm_1", "clm_3"), ids);
      String filters = "created_after=2025-03-01T00%3A00%3A00.001Z&limit=2&session_id=ses_1";
      String first = "/v1/claims?" + filters + "&status=queried";
      String after = "/v1/claims?" + filters + "&starting_after=ID&status=queried";
      assertEquals(
          List.of(first, after.replace("ID", "clm_2"), first, after.replace("ID", "clm_3")),
          server.requests.stream().map(Received::url).toList());
    }
  }

  @Test
  void anIterationThatStopsReadsNoFurtherPage() {
    try (ExampleServer server =
        new ExampleServer(ok("{\"data\":[{\"id\":\"clm_3\"},{\"id\":\"clm_2\"}],\"has_more\":true}"))) {
      Items<Claim> claims = server.client().claims().all();
      assertEquals("clm_3", claims.stream().findFirst().orElseThrow().getId());
      assertEquals(List.of("/v1/claims"), server.requests.stream().map(Received::url).toList());
    }
    try (ExampleServer server = new ExampleServer(ok("{\"data\":[],\"has_more\":false}"))) {
      assertThrows(NoSuchElementException.class, () -> server.client().claims().all().iterator().next());
    }
  }

  @Test
  void theLargestAmountKeepsAllDigits() {
    long largest = 9_007_199_254_740_991L;
    String body = "{\"amount\":{\"billed\":9007199254740991,\"approved\":null,\"settled\":9007199254740991}}";
    try (ExampleServer server = new ExampleServer(ok(body), ok("{\"amount\":{\"billed\":null}}"))) {
      ClaimInput input = new ClaimInput().lines(List.of(new ClaimInputLine().units(0.1).amount(largest)));
      Claim claim = server.client().claims().submit(input);
      assertEquals(largest, claim.getAmount().getBilled());
      assertNull(claim.getAmount().getApproved());
      assertEquals(largest, claim.getAmount().getSettled());
      String sent = server.requests.get(0).body();
      // An amount that must not be null is not 0.
      ClaimsService claims = server.client().claims();
      assertThrows(CarecoverConnectionException.class, () -> claims.retrieve("clm_1"));
      assertTrue(sent.contains("\"units\":0.1,\"amount\":9007199254740991"), sent);
    }
  }

  @Test
  void aBodyHasItsConstantsAndNoAbsentFields() {
    Map<Object, String> bodies =
        Map.of(
            new PreauthorizationDenial().policyReference("policy:a"),
            "{\"outcome\":\"denied\",\"reason_codes\":null,\"policy_reference\":\"policy:a\",\"policy_version\":null,\"evidence_references\":null}",
            new WebhookEndpointUpdate().status(WebhookEndpointStatus.ACTIVE),
            "{\"status\":\"active\"}",
            new TokenInput().expiresIn(60),
            "{\"scopes\":null,\"expires_in\":60}",
            // A token that can use no resource, which is not a token that can use all.
            new TokenInput().resourceIds(List.of()),
            "{\"scopes\":null,\"expires_in\":null,\"resource_ids\":[]}",
            new InformationRequestInput().dueAt(Instant.parse("2099-03-02T07:00:00Z")),
            "{\"reason_code\":null,\"requested_evidence_types\":null,\"due_at\":\"2099-03-02T07:00:00Z\"}");
    bodies.forEach((body, sent) -> assertEquals(sent, new String(Json.write(body), StandardCharsets.UTF_8)));
  }

  @Test
  void aFileIsSentAsItIsByEveryAttempt() {
    try (ExampleServer server =
        new ExampleServer(
            new Answer(503, "", Map.of()), new Answer(202, "{\"id\":\"job_1\",\"object\":\"bulk_job\"}", Map.of()))) {
      BulkJobsService jobs = server.client().bulkJobs();
      CreateBulkJobQuery query = new CreateBulkJobQuery().kind(BulkJobKind.CLAIMS);
      byte[] content = "{\"a\":1}\n".getBytes(StandardCharsets.UTF_8);
      assertEquals("job_1", jobs.create(query, new Upload(content, "application/x-ndjson")).getId());
      Received first = server.requests.get(0);
      assertEquals(List.of(first, first), server.requests);
      assertEquals("{\"a\":1}\n", first.body());
      assertEquals("application/x-ndjson", first.contentType());
      assertEquals(36, first.key().length());
      Upload invalid = new Upload(content, "text/csv\r\nx: y");
      assertThrows(IllegalArgumentException.class, () -> jobs.create(query, invalid));
    }
  }

  @Test
  void valuesThatTheServiceAddsLaterAreAccepted() {
    try (ExampleServer server =
        new ExampleServer(
            ok(
                "{\"data\":[{\"id\":\"evt_1\",\"type\":\"claim.invented\",\"data\":{\"a\":[1]},\"more\":1},"
                    + "{\"id\":\"evt_2\",\"type\":\"claim.settled\",\"data\":{\"status\":\"invented\"}},"
                    + "{\"id\":\"evt_3\",\"type\":\"claim.invented\",\"data\":7},{\"id\":\"evt_4\"}]}"),
            error(409, "invented_code", Map.of()))) {
      Carecover client = server.client();
      List<Event> events = client.events().list().getData();
      UnknownEventData unknown = assertInstanceOf(UnknownEventData.class, events.get(0).getData());
      assertEquals("{\"a\":[1]}", unknown.json().toString());
      assertEquals("claim.invented", events.get(0).getType().value());
      ClaimEventData claim = assertInstanceOf(ClaimEventData.class, events.get(1).getData());
      assertEquals(new ClaimStatus("invented"), claim.getStatus());
      assertInstanceOf(UnknownEventData.class, events.get(2).getData());
      assertNull(events.get(3).getData());
      CarecoverApiException failure =
          assertThrows(CarecoverApiException.class, () -> client.api().retrieve());
      assertEquals("invented_code", failure.getCode().value());
    }
  }

  @Test
  void aValueThatCantBeSentIsAnErrorWithoutTheValue() {
    try (ExampleServer server = new ExampleServer(ok("{}"))) {
      ClaimsService claims = server.client().claims();
      ClaimInput infinite = new ClaimInput().lines(List.of(new ClaimInputLine().units(Double.NaN)));
      List<Runnable> calls =
          List.of(
              () -> Carecover.builder(null, ExampleServer.KEY),
              () -> Carecover.builder("example/hidden", ExampleServer.KEY),
              () -> Carecover.builder("https:///hidden", ExampleServer.KEY),
              () -> Carecover.builder("https://user:hidden@host/v1", ExampleServer.KEY),
              () -> Carecover.builder("https://host/v1?hidden", ExampleServer.KEY),
              () -> Carecover.builder(server.url(), null),
              () -> Carecover.builder(server.url(), ""),
              () -> Carecover.builder(server.url(), "sk_hidden\n"),
              () -> Carecover.builder(server.url(), "sk_ hidden"),
              () -> Carecover.builder(server.url(), "sk_hiddené"),
              () -> server.builder().timeout(Duration.ZERO),
              () -> server.builder().maxRetries(-1),
              () -> server.builder().caCertificate(Path.of("missing.pem")).build(),
              () -> new CallOptions().idempotencyKey("hidden\r\nX: y"),
              () -> new CallOptions().idempotencyKey(" hidden"),
              () -> claims.retrieve("../hidden"),
              () -> claims.retrieve(null),
              () -> claims.retrieve("hidden?a=b"),
              () -> claims.submit(infinite),
              () -> claims.cancel("clm_1", new CancellationInput().reasonCode("hidden\ud800")));
      for (Runnable call : calls) {
        IllegalArgumentException problem = assertThrows(IllegalArgumentException.class, call::run);
        assertFalse(problem.getMessage().contains("hidden"), problem.getMessage());
      }
      assertEquals(List.of(), server.requests);
    }
  }

  @Test
  void theTextOfAnObjectHasNoSecret() throws IOException {
    byte[] body = "{\"id\":\"whe_1\",\"signing_secret\":\"whsec_a\"}".getBytes(StandardCharsets.UTF_8);
    CreatedWebhookEndpoint endpoint = Json.read(body, CreatedWebhookEndpoint.class);
    assertEquals("whsec_a", endpoint.getSigningSecret());
    assertFalse(endpoint.toString().contains("whsec_a"));
    assertTrue(endpoint.toString().contains("whe_1"));
  }

  private static Answer clock(String status, int completed) {
    String body =
        "{\"object\":\"test_clock\",\"now\":\"2025-06-01T00:00:00.000Z\",\"status\":\"%s\",\"completed\":%d,\"failure\":\"claims: gone.\"}";
    return ok(body.formatted(status, completed));
  }

  @Test
  void anAdvanceIsStartedOnceAndReadUntilTheClockIsReady() {
    try (ExampleServer server = new ExampleServer(clock("advancing", 1), clock("ready", 3))) {
      List<String> shown = new ArrayList<>();
      TestClock ready =
          server
              .client()
              .testClock()
              .advanceAndWait(
                  "2026-01-01T00:00:00Z",
                  each -> shown.add(each.getStatus() + " " + each.getCompleted()),
                  new CallOptions().idempotencyKey("my-own-key-1"));
      assertEquals(List.of("advancing 1", "ready 3"), shown);
      assertEquals(Instant.parse("2025-06-01T00:00:00Z"), ready.getNow());
      assertEquals("my-own-key-1", server.requests.get(0).key());
      assertEquals("{\"to\":\"2026-01-01T00:00:00Z\",\"wait_seconds\":1}", server.requests.get(0).body());
      assertEquals("GET /v1/test_clock", server.requests.get(1).method() + " " + server.requests.get(1).url());
    }
    try (ExampleServer server = new ExampleServer(clock("failed", 1))) {
      CarecoverAdvanceException failure =
          assertThrows(
              CarecoverAdvanceException.class, () -> server.client().testClock().advanceAndWait("next"));
      assertEquals("the advance ended at 2025-06-01T00:00:00Z: claims: gone.", failure.getMessage());
      assertEquals(1, failure.getClock().getCompleted());
    }
  }
}
