/** Wakes a loop: what happens while it works is not lost, and it looks about by itself from time to time. */
export class WakeUpSignal {
  private rung = false;
  private wake: () => void = () => undefined;

  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Resolves when rung, at once if it was since the last wait; or after `limitMs`. Gives whether it was rung. */
  async wait(limitMs: number): Promise<boolean> {
    if (!this.rung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, limitMs);
      });
      clearTimeout(timer);
    }
    const rung = this.rung;
    this.rung = false;
    return rung;
  }
}
