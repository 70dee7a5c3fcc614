package example.carecover;

/** A webhook was not signed with the secret, or its timestamp is not within five minutes of now. Respond with 400. */
public final class WebhookVerificationException extends CarecoverException {
  private static final long serialVersionUID = 1L;

  WebhookVerificationException(String message) {
    super(message, null);
  }
}
