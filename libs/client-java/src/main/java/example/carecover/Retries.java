package example.carecover;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The retry policy: which calls are retried and after which delay. A 429 is always retried. After a 5xx response or a lost connection the
 * outcome is unknown, so a call is retried only if it can't have a second effect.
 */
final class Retries {
  private static final long FIRST_DELAY_MILLIS = 250;
  private static final long MAX_DELAY_MILLIS = 8000;

  /** The longest Retry-After for which the client waits. For a longer one, the call fails at once. */
  private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(2);

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,10}");
  private static final Pattern MANY_DIGITS = Pattern.compile("[0-9]{11,}");
  private static final int NO_RESPONSE = 0;

  private Retries() {}

  /** Returns whether a failed call can be retried. The status is 0 if there was no response. */
  static boolean isRetryable(int status, boolean isRepeatable) {
    if (status == 429) return true;
    return isRepeatable && (status == NO_RESPONSE || status >= 500);
  }

  /**
   * Returns the Retry-After of a response, of Carecover or of a proxy; null if it is missing or invalid (RFC 9110, section 10.2.3). A date is
   * compared with the response's own Date, because the local clock can be wrong.
   */
  static Duration retryAfterOf(HttpHeaders headers, Instant now) {
    String value = headers.firstValue("Retry-After").orElse("");
    if (DIGITS.matcher(value).matches()) return Duration.ofSeconds(Long.parseLong(value));
    // More than three centuries.
    if (MANY_DIGITS.matcher(value).matches()) return Duration.ofSeconds(Integer.MAX_VALUE * 10L);
    Optional<Instant> until = parseDate(value);
    if (until.isEmpty()) return null;
    Instant sent = headers.firstValue("Date").flatMap(Retries::parseDate).orElse(now);
    Duration left = Duration.between(sent, until.get());
    return left.isNegative() ? Duration.ZERO : left;
  }

  private static Optional<Instant> parseDate(String text) {
    if (!text.endsWith(" GMT")) return Optional.empty();
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException error) {
      return Optional.empty();
    }
  }

  /**
   * Returns the milliseconds before the next attempt: the longer one of an exponential backoff with jitter, and the Retry-After plus up to
   * 10 %. Returns -1 if the Retry-After is longer than two minutes.
   *
   * @param attempt the number of attempts before the failed one
   * @param retryAfter null if there is none
   * @param random from 0 to 1
   */
  static long delayMillis(int attempt, Duration retryAfter, double random) {
    if (retryAfter != null && retryAfter.compareTo(MAX_RETRY_AFTER) > 0) return -1;
    double backoff = Math.min(MAX_DELAY_MILLIS, FIRST_DELAY_MILLIS * Math.pow(2, attempt)) * (0.5 + random / 2);
    double requested = retryAfter == null ? 0 : retryAfter.toMillis() * (1 + random / 10);
    return (long) Math.max(backoff, requested);
  }
}
