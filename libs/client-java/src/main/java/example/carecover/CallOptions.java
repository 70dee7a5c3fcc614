package example.carecover;

import java.time.Duration;

/** Options of one call. */
public final class CallOptions {
  private String idempotencyKey;
  private Duration timeout;
  private Integer maxRetries;

  /**
   * Sets the idempotency key of a write. By default, the client creates one per call. Pass your own to repeat a write after a restart of your
   * process.
   */
  public CallOptions idempotencyKey(String idempotencyKey) {
    Input.requireHeader("Idempotency-Key", idempotencyKey);
    this.idempotencyKey = idempotencyKey;
    return this;
  }

  /** Limits each attempt of the call, in place of the client's timeout. */
  public CallOptions timeout(Duration timeout) {
    this.timeout = Input.requirePositive(timeout);
    return this;
  }

  /** Sets the number of attempts after the first one, in place of the client's. */
  public CallOptions maxRetries(int maxRetries) {
    this.maxRetries = Input.requireNotNegative(maxRetries);
    return this;
  }

  /** Returns the key; null if the client creates it. */
  String idempotencyKey() {
    return idempotencyKey;
  }

  Duration timeoutOr(Duration other) {
    return timeout == null ? other : timeout;
  }

  int maxRetriesOr(int other) {
    return maxRetries == null ? other : maxRetries;
  }
}
