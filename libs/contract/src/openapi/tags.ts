// What each area of the reference is about.
import { type OperationTag, operationTags } from '../operation';
import type { Json } from './components';

const descriptions: Readonly<Record<OperationTag, string>> = {
  API: 'The version, and the environment of a key.',
  Practitioners: 'Who gives care, and the weekly hours in which they do, in their own time zone.',
  'Bookings and sessions': 'A booking reserves a slot and makes the session that is later claimed for.',
  Coverage: 'What a payer says that a member is covered for, as observations that are only ever added.',
  Benefits: "Eligibility checks before care, and pre-authorizations with the payer's decision.",
  Claims: 'From submission through questions and line-level adjudication, and what was known at any moment.',
  'Remittances and settlements':
    "A remittance is the payer's advice of what it paid; a settlement is independent evidence that money moved.",
  'Webhooks and events': 'What happened, told to your endpoints with a signature, and kept to be read again.',
  Consents: 'What members say about the sharing of their data.',
  Tokens: 'Short-lived credentials with a part of the scopes of a key, for browsers and mobile apps.',
  'Test helpers': 'Bring about in the sandbox what otherwise takes days. In production these paths are 404.',
};

export const tags: Json[] = operationTags.map((name) => ({ name, description: descriptions[name] }));
