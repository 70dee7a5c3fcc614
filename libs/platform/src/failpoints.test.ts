import { armFailpoints, failpoint } from './failpoints';

test.each(['production', 'local'])('they cannot be armed in %s mode', (mode) => {
  expect(() => armFailpoints('command.accepted', mode)).toThrow('test mode only');
  expect(() => failpoint('command.accepted')).not.toThrow();
});
