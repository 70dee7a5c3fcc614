package example.carecover;

import example.carecover.model.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An API error. Branch on the code, which is stable. The message is for people and can change. */
public final class CarecoverApiException extends CarecoverException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String docs;
  private final String requestId;
  private final Duration retryAfter;

  CarecoverApiException(int status, String code, String message, String docs, String requestId, Duration retryAfter) {
    super(message, null);
    this.status = status;
    this.code = code;
    this.docs = docs;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** Returns the HTTP status of the response. */
  public int getStatus() {
    return status;
  }

  /** Returns the code, which can be one that this release of the client does not know. */
  public ErrorCode getCode() {
    return new ErrorCode(code);
  }

  /** Returns whether the code is one of these. */
  public boolean hasCode(ErrorCode... codes) {
    return List.of(codes).contains(getCode());
  }

  /** Returns the URL of the explanation of the code. */
  public String getDocs() {
    return docs;
  }

  /** Returns the ID of the request in Carecover's logs, for support requests. */
  public Optional<String> getRequestId() {
    return Optional.ofNullable(requestId);
  }

  /** Returns the time of the response's Retry-After. */
  public Optional<Duration> getRetryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** Returns the code and the message. */
  @Override
  public String toString() {
    return getClass().getName() + ": " + code + ": " + getMessage();
  }
}
