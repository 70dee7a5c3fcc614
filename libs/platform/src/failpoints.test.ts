import { enableFailpoints, failpoint } from './failpoints';

test.each(['production', 'local'])('they can not be enabled in %s mode', (mode) => {
  expect(() => enableFailpoints('command.accepted', mode)).toThrow('test mode only');
  expect(() => failpoint('command.accepted')).not.toThrow();
});
