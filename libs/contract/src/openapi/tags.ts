// The descriptions of the groups of operations.
import { type OperationTag, operationTags } from '../operations/definition';
import type { Json } from './components';

const descriptions: Readonly<Record<OperationTag, string>> = {
  API: 'The version of the API and the environment of a key.',
  Practitioners: 'The people who give care, their weekly hours in their own time zone, and their free slots.',
  'Bookings and sessions': 'A booking reserves a slot and creates the session that a claim can bill.',
  Coverage: "Append-only observations of members' cover, as stated by the payer.",
  Benefits: "Eligibility checks before care, and pre-authorizations with the payer's decision.",
  Claims: "Submission, information requests, adjudication per line, and a claim's valuation at any cutoff.",
  'Bulk jobs': 'Files whose lines are executed, each as one operation, with a result per line.',
  'Remittances and settlements':
    "A remittance is the payer's advice of payment; a settlement is independent evidence that funds moved.",
  'Webhooks and events': 'Signed events for your endpoints, their deliveries, and the stored events.',
  Consents: "Members' consent to the sharing of their data.",
  Tokens: 'Short-lived credentials with a subset of the scopes of a key, for browsers and mobile apps.',
  'Test helpers':
    'Cause changes in the sandbox that otherwise take days. In production these paths respond 404.',
  'Test clocks':
    'Sandbox projects whose time is simulated: an advance executes what is due, each item at its own instant. In production these paths respond 404.',
};

/** The tag of the requests that your endpoints receive. No operation has it. */
export const EVENT_TAG = 'Event notifications';

/** The `tags` of the OpenAPI document. */
export const openApiTags: Json[] = [
  ...operationTags.map((name) => ({ name, description: descriptions[name] })),
  { name: EVENT_TAG, description: 'The requests that Carecover sends to your endpoints: one per event.' },
];
