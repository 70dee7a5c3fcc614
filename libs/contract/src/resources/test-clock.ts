// Test clocks: the time of a sandbox project whose time is simulated, and the answer to the creation of such a project.

import { type Static, Type } from 'typebox';
import {
  closedObject,
  inlineObject,
  nullable,
  nullableObject,
  objectName,
  outputInstant,
  outputString,
  safeInteger,
  stringEnum,
} from '../schema';

export const testClockStatuses = ['ready', 'advancing', 'failed'] as const;
export type TestClockStatus = (typeof testClockStatuses)[number];

/** What is due at an instant of a project: the kinds of deadlines, and the start and end of a session. */
export const dueItemKinds = [
  'preauthorization.decide_by',
  'preauthorization.valid_until',
  'claim.information_due',
  'remittance.deadline',
  'webhook.retry',
  'session.start',
  'session.end',
] as const;
export type DueItemKind = (typeof dueItemKinds)[number];

export const TestClock = closedObject(
  'TestClock',
  'The time of a sandbox project whose time is simulated.',
  {
    object: objectName('test_clock'),
    now: outputInstant(
      "The project's time. Each write moves it by some milliseconds, so that facts are ordered.",
    ),
    status: stringEnum(
      'TestClockStatus',
      testClockStatuses,
      'advancing: due items are executed up to target. failed: the advance ended at now, for the reason in failure; the next advance continues.',
    ),
    target: nullable(outputInstant('Where the advance ends. Null while the clock is ready.')),
    next_due: nullableObject(
      inlineObject('The next due item of the project.', {
        at: outputInstant('When it is due.'),
        resource: outputString('The identifier of the resource.'),
        what: stringEnum('DueItemKind', dueItemKinds, 'What is due.'),
      }),
      'The next due item after now. Null if nothing is due.',
    ),
    advanced_to: nullable(
      outputInstant(
        'The last completed instant of the advances: everything that was due until then was executed. Null before the first advance.',
      ),
    ),
    completed: safeInteger('The number of due items that the latest advance has executed.'),
    remaining: safeInteger(
      'The number of due items until target that are known now; 0 while the clock is ready.',
    ),
    failure: nullable(outputString('Why the latest advance failed. Null unless it failed.')),
  },
  {
    object: 'test_clock',
    now: '2025-02-20T10:00:00.000Z',
    status: 'ready',
    target: null,
    next_due: {
      at: '2025-03-06T10:00:00.000Z',
      resource: 'preauth_01j9preauth000000000000000',
      what: 'preauthorization.decide_by',
    },
    advanced_to: '2025-02-20T10:00:00.000Z',
    completed: 12,
    remaining: 0,
    failure: null,
  },
);
export type TestClock = Static<typeof TestClock>;

export const SimulatedProject = closedObject(
  'SimulatedProject',
  'A new sandbox project whose time is simulated, with a first key that has all scopes.',
  {
    object: objectName('simulated_project'),
    project_id: outputString("The project's identifier."),
    key_id: outputString("The key's identifier."),
    secret_key: Type.String({
      pattern: '^sk_test_',
      description: 'The secret of the key. Only this response contains it.',
    }),
    now: outputInstant("The project's time."),
  },
  {
    object: 'simulated_project',
    project_id: 'prj_01j9project000000000000000_sim',
    key_id: 'key_01j9key0000000000000000000',
    secret_key: 'sk_test_EXAMPLE0000000000000000000000000000',
    now: '2022-01-01T00:00:00.000Z',
  },
);
export type SimulatedProject = Static<typeof SimulatedProject>;
