// The catalogue of event types.

/** Every event type with its meaning and the kind of resource whose data it contains. */
export const eventCatalogue = {
  'sandbox.ping': { about: 'ping', meaning: 'A test event, sent only by the test operation.' },
  'preauthorization.requested': { about: 'preauthorization', meaning: 'A pre-authorization was requested.' },
  'preauthorization.approved': { about: 'preauthorization', meaning: 'A pre-authorization was approved.' },
  'preauthorization.denied': { about: 'preauthorization', meaning: 'A pre-authorization was denied.' },
  'preauthorization.expired': { about: 'preauthorization', meaning: 'A pre-authorization expired.' },
  'preauthorization.cancelled': { about: 'preauthorization', meaning: 'A pre-authorization was cancelled.' },
  'claim.submitted': { about: 'claim', meaning: 'A claim was submitted.' },
  'claim.information_requested': { about: 'claim', meaning: 'The payer requested information.' },
  'claim.resubmitted': { about: 'claim', meaning: 'Evidence was added and the claim was resubmitted.' },
  'claim.approved': { about: 'claim', meaning: 'A claim was approved in full.' },
  'claim.partially_approved': { about: 'claim', meaning: 'A claim was approved in part.' },
  'claim.denied': { about: 'claim', meaning: 'A claim was denied.' },
  'claim.settled': { about: 'claim', meaning: 'The settlements of a claim reached its approved amount.' },
  'claim.reversed': { about: 'claim', meaning: 'A claim was reversed.' },
  'claim.cancelled': { about: 'claim', meaning: 'A claim was cancelled.' },
  'remittance.reconciled': {
    about: 'remittance',
    meaning: 'The settlements equal the total of the remittance.',
  },
  'remittance.exception': {
    about: 'remittance',
    meaning: 'The settlements do not match the remittance, or are late.',
  },
  'bulk_job.completed': { about: 'bulkJob', meaning: 'A bulk job has ended.' },
} as const;

export type EventType = keyof typeof eventCatalogue;

/** Every event type, in the order of the catalogue. */
export const eventTypes = Object.keys(eventCatalogue) as EventType[];

/** The version of the events' format. */
export const EVENT_SCHEMA_VERSION = 'v1';

/** The type of the event that a test of a webhook endpoint sends. */
export const TEST_EVENT_TYPE = 'sandbox.ping' satisfies EventType;
