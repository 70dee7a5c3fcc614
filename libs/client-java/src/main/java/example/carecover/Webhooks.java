package example.carecover;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import example.carecover.model.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies webhooks by the Standard Webhooks specification: an HMAC-SHA256 over {@code id.timestamp.body}, and a timestamp within five minutes
 * of now.
 */
public final class Webhooks {
  private static final double TOLERANCE_SECONDS = 300;
  private static final String SECRET_PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";

  private Webhooks() {}

  /**
   * Verifies a webhook, and returns its event.
   *
   * @param body the exact body of the request, before any parser reads it
   * @param header returns the first value of a header; null for none. For example {@code request::getHeader} of a servlet, or {@code
   *     headers::getFirst} of Spring and of the JDK's server
   * @param secret the endpoint's signing secret ({@code whsec_…})
   * @throws WebhookVerificationException if the signature or the timestamp is not valid, or if the body is no event
   */
  public static Event verify(byte[] body, UnaryOperator<String> header, String secret) {
    return verify(body, header, secret, Instant.now());
  }

  static Event verify(byte[] body, UnaryOperator<String> header, String secret, Instant now) {
    String id = require(header, "webhook-id");
    String timestamp = require(header, "webhook-timestamp");
    String signatures = require(header, "webhook-signature");
    if (!isRecent(timestamp, now))
      throw new WebhookVerificationException(
          "webhook-timestamp must be within five minutes of the current time; check the clock");
    byte[] expected = sign(decodeSecret(secret), id + "." + timestamp + ".", body);
    for (String signature : signatures.split(" ")) {
      int comma = signature.indexOf(',');
      if (comma < 0 || !signature.substring(0, comma).equals("v1")) continue;
      if (MessageDigest.isEqual(decodeBase64(signature.substring(comma + 1)), expected)) return parse(body);
    }
    throw new WebhookVerificationException(
        "no signature matches; check the secret, and that the body is the unparsed text");
  }

  private static String require(UnaryOperator<String> header, String name) {
    String value = header.apply(name);
    if (value == null || value.isEmpty())
      throw new WebhookVerificationException("the header " + name + " is required");
    return value;
  }

  private static boolean isRecent(String timestamp, Instant now) {
    try {
      return Math.abs(now.toEpochMilli() / 1000.0 - Long.parseLong(timestamp)) <= TOLERANCE_SECONDS;
    } catch (NumberFormatException error) {
      return false;
    }
  }

  private static byte[] decodeSecret(String secret) {
    String problem = Input.findSecretProblem(secret);
    byte[] key = new byte[0];
    if (problem == null) {
      key = decodeBase64(secret.startsWith(SECRET_PREFIX) ? secret.substring(SECRET_PREFIX.length()) : secret);
      if (key.length == 0) problem = "it is no base64";
    }
    if (problem == null) return key;
    throw new WebhookVerificationException(
        "the secret must be the signing secret of the endpoint (whsec_…); " + problem);
  }

  private static byte[] sign(byte[] key, String head, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update(head.getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException("Java has no " + ALGORITHM, error);
    }
  }

  /** Decodes base64 with or without padding, as the clients for other languages do; nothing for other text. */
  private static byte[] decodeBase64(String text) {
    String digits = text.length() % 4 == 0 ? text.replaceFirst("={1,2}$", "") : text;
    try {
      return digits.contains("=") ? new byte[0] : Base64.getDecoder().decode(digits);
    } catch (IllegalArgumentException error) {
      return new byte[0];
    }
  }

  private static Event parse(byte[] body) {
    JsonNode value;
    try {
      value = Json.parse(body);
    } catch (IOException error) {
      // Its message quotes the body.
      value = MissingNode.getInstance();
    }
    if (!value.isObject())
      throw new WebhookVerificationException("the body is signed, but it is no JSON object");
    try {
      return Json.read(value, Event.class);
    } catch (IOException error) {
      throw new WebhookVerificationException("the body is signed, but it is no event");
    }
  }
}
