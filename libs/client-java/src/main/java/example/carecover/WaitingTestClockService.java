package example.carecover;

import example.carecover.model.TestClock;
import example.carecover.model.TestClockAdvanceInput;
import example.carecover.model.TestClockStatus;
import java.util.function.Consumer;

/** The test clock of a project with simulated time. */
public final class WaitingTestClockService extends TestClockService {
  /** For how many seconds the first response waits for the end of the advance. */
  private static final int FIRST_WAIT_SECONDS = 1;

  private static final long POLL_MILLIS = 1000;

  WaitingTestClockService(Transport transport) {
    super(transport);
  }

  /** As the method with options, without a function that is called. */
  public TestClock advanceAndWait(String to) {
    return advanceAndWait(to, clock -> {});
  }

  /** As the method with options, with those of the client. */
  public TestClock advanceAndWait(String to, Consumer<TestClock> onProgress) {
    return advanceAndWait(to, onProgress, new CallOptions());
  }

  /**
   * Moves the clock forward to an instant in RFC 3339, or to the {@code next} due item, and waits until it is ready. The interruption of the
   * thread ends the wait; the advance continues in the service.
   *
   * @param onProgress is called with the clock each time it was read, also at the end: {@code completed} and {@code remaining} are numbers of
   *     due items
   * @return the clock, which is ready
   * @throws CarecoverAdvanceException if the advance failed
   * @throws CarecoverApiException for an API error, such as invalid_state if the instant is before the clock's time
   */
  public TestClock advanceAndWait(String to, Consumer<TestClock> onProgress, CallOptions options) {
    TestClock clock = advance(new TestClockAdvanceInput().to(to).waitSeconds(FIRST_WAIT_SECONDS), options);
    while (true) {
      onProgress.accept(clock);
      if (TestClockStatus.FAILED.equals(clock.getStatus())) throw new CarecoverAdvanceException(clock);
      if (!TestClockStatus.ADVANCING.equals(clock.getStatus())) return clock;
      Transport.sleep(POLL_MILLIS);
      clock = retrieve(options);
    }
  }
}
