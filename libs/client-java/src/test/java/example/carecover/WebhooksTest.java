package example.carecover;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import example.carecover.model.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class WebhooksTest {
  /** The vectors are those of the clients for the other languages. */
  @TestFactory
  Stream<DynamicTest> vectors() throws IOException {
    JsonNode vectors = Json.parse(Files.readAllBytes(Path.of("../client/src/testing/webhook-vectors.json")));
    assertTrue(vectors.size() >= 50);
    return StreamSupport.stream(vectors.spliterator(), false)
        .map(each -> DynamicTest.dynamicTest(each.path("name").textValue(), () -> check(each)));
  }

  private static Event verify(JsonNode vector) {
    return Webhooks.verify(
        vector.path("body").textValue().getBytes(StandardCharsets.UTF_8),
        name -> vector.path("headers").path(name).textValue(),
        vector.path("secret").textValue(),
        Instant.ofEpochSecond(vector.path("now").longValue()));
  }

  private static void check(JsonNode vector) {
    String problem = vector.path("problem").textValue();
    if (problem == null) {
      assertNotNull(verify(vector).getId());
      return;
    }
    String message = assertThrows(WebhookVerificationException.class, () -> verify(vector)).getMessage();
    assertTrue(message.contains(problem), message);
    String secret = vector.path("secret").textValue();
    assertTrue(secret.length() <= 8 || !message.contains(secret.substring(6)), message);
  }

  @Test
  void aSecretThatIsNullIsAVerificationException() {
    String now = String.valueOf(Instant.now().getEpochSecond());
    WebhookVerificationException failure =
        assertThrows(WebhookVerificationException.class, () -> Webhooks.verify(new byte[0], name -> now, null));
    assertTrue(failure.getMessage().endsWith("it is null"));
  }

  @Test
  void dataOfAnotherTypeIsNoEvent() {
    String[] bodies = {
      "{\"type\":\"claim.settled\",\"data\":{\"id\":7}}",
      "{\"type\":\"claim.settled\",\"data\":[]}",
      "{\"id\":7}",
      "{\"type\":{}}",
      "{\"resource_version\":\"1\"}",
      "{\"resource_version\":1.5}"
    };
    for (String body : bodies)
      assertThrows(
          IOException.class, () -> Json.read(body.getBytes(StandardCharsets.UTF_8), Event.class), body);
  }
}
