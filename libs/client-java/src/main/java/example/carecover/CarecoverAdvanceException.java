package example.carecover;

import example.carecover.model.TestClock;

/** The advance of a test clock failed. The next advance continues. */
public final class CarecoverAdvanceException extends CarecoverException {
  private static final long serialVersionUID = 1L;

  private final transient TestClock clock;

  CarecoverAdvanceException(TestClock clock) {
    super("the advance ended at " + clock.getNow() + ": " + clock.getFailure(), null);
    this.clock = clock;
  }

  /** Returns the clock: it stands at the last completed instant, and has the reason as its failure. */
  public TestClock getClock() {
    return clock;
  }
}
