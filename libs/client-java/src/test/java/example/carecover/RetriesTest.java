package example.carecover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final Instant NOW = Instant.parse("2025-03-01T00:00:00Z");

  private static Duration retryAfter(String value, String date) {
    Map<String, List<String>> headers =
        date == null
            ? Map.of("Retry-After", List.of(value))
            : Map.of("Retry-After", List.of(value), "Date", List.of(date));
    return Retries.retryAfterOf(HttpHeaders.of(headers, (name, each) -> true), NOW);
  }

  @Test
  void aRetryAfterIsSecondsOrADate() {
    assertEquals(Duration.ofSeconds(7), retryAfter("7", null));
    assertEquals(Duration.ofSeconds(30), retryAfter("Sat, 01 Mar 2025 00:00:30 GMT", null));
    // The local clock is an hour early.
    assertEquals(
        Duration.ofSeconds(30),
        retryAfter("Sat, 01 Mar 2025 01:00:30 GMT", "Sat, 01 Mar 2025 01:00:00 GMT"));
    assertEquals(Duration.ZERO, retryAfter("Fri, 28 Feb 2025 00:00:00 GMT", null));
    for (String invalid : List.of("", "-1", "1.5", "soon", "Sat, 01 Mar 2025 00:00:30 +0000"))
      assertEquals(null, retryAfter(invalid, null), invalid);
  }

  @Test
  void theDelayGrowsToEightSecondsAndIsAtLeastTheRetryAfter() {
    assertEquals(250, Retries.delayMillis(0, null, 1));
    assertEquals(125, Retries.delayMillis(0, null, 0));
    assertEquals(8000, Retries.delayMillis(30, null, 1));
    assertEquals(110_000, Retries.delayMillis(0, Duration.ofSeconds(100), 1));
    assertEquals(-1, Retries.delayMillis(0, Duration.ofSeconds(121), 0));
  }
}
