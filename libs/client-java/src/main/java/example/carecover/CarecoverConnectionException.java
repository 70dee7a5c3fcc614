package example.carecover;

/**
 * The client received no valid response: the connection failed, the attempt timed out, the thread was interrupted, or the response did not
 * come from Carecover. The outcome is unknown. Repeat a write under the same idempotency key, so that it takes effect at most once.
 */
public final class CarecoverConnectionException extends CarecoverException {
  private static final long serialVersionUID = 1L;

  CarecoverConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
