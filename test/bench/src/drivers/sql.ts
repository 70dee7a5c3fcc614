/** A driver that sends only the recorded SQL of Carecover, without HTTP and rules. */
import type { OpenLoad } from '../harness/driver';
import { openReplay, type ReplaySettings } from '../recording/replay';

export const open: OpenLoad<ReplaySettings> = async (settings, connections) => {
  const { play, close } = openReplay({ ...settings, pool: connections });
  return {
    size: null,
    async shoot(number) {
      await play(number);
    },
    close,
  };
};
