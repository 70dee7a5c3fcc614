package example.carecover;

/** Every exception of the client, except IllegalArgumentException for a value that can't be sent. */
public abstract class CarecoverException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CarecoverException(String message, Throwable cause) {
    super(message, cause);
  }
}
