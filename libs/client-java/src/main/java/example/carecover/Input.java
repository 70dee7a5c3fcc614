package example.carecover;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Checks of what a program passes to the client, before a request is sent. No retry corrects an invalid value, so the call fails at once. A
 * problem never contains the value, because the value can be a secret or name a person.
 */
final class Input {
  /**
   * Matches identifiers that can be inserted in a path. Another character, such as a slash, could make the path that of another operation.
   */
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9_-]+");

  private Input() {}

  /** Throws IllegalArgumentException if there is a problem. */
  static void require(String rule, String problem) {
    if (problem != null) throw new IllegalArgumentException(rule + "; " + problem);
  }

  /** Returns what is wrong with a text of one line; null if nothing is. */
  private static String findLineProblem(String text) {
    if (text == null) return "it is null";
    if (text.isEmpty()) return "it is empty";
    if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) return "it has a line end";
    return text.chars().anyMatch(Character::isISOControl) ? "it has a control character" : null;
  }

  private static String findAsciiProblem(String text) {
    String problem = findLineProblem(text);
    if (problem != null) return problem;
    return text.chars().anyMatch(each -> each > 127) ? "it has a character that is not ASCII" : null;
  }

  /** Returns what is wrong with the text of a secret, such as a line end from the file that contains it; null if nothing is. */
  static String findSecretProblem(String secret) {
    String problem = findAsciiProblem(secret);
    if (problem != null) return problem;
    return secret.contains(" ") ? "it has a space" : null;
  }

  static String findBaseUrlProblem(String text) {
    String problem = findLineProblem(text);
    if (problem != null) return problem;
    if (text.contains(" ")) return "it has a space";
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException error) {
      return "it is no URL";
    }
    if (!"https".equals(url.getScheme()) && !"http".equals(url.getScheme()))
      return "it does not start with https:// or http://";
    if (url.getHost() == null) return "it has no host";
    if (url.getRawUserInfo() != null) return "it has a user or a password";
    return url.getRawQuery() != null || url.getRawFragment() != null ? "it has a query or a fragment" : null;
  }

  /** Throws IllegalArgumentException if the value can't be sent as a header (RFC 9110, section 5.5), in ASCII only. */
  static void requireHeader(String name, String value) {
    String problem = findAsciiProblem(value);
    if (problem == null && !value.equals(value.strip())) problem = "it starts or ends with a space";
    require("the header " + name + " must be visible ASCII characters, with spaces only between them", problem);
  }

  static void requireIdentifier(String name, String value) {
    if (value == null || !IDENTIFIER.matcher(value).matches())
      throw new IllegalArgumentException(name + " must be an identifier such as clm_0199f2a4");
  }

  static Duration requirePositive(Duration timeout) {
    if (timeout == null || timeout.isNegative() || timeout.isZero())
      throw new IllegalArgumentException("timeout must be longer than zero");
    return timeout;
  }

  static int requireNotNegative(int maxRetries) {
    if (maxRetries < 0) throw new IllegalArgumentException("maxRetries must not be negative");
    return maxRetries;
  }
}
