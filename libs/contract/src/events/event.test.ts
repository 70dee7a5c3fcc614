// Tests that events identify a resource and its state, and contain no personal or clinical data.
import { BulkJob, Claim, Preauthorization, Remittance } from '../index';
import { validateEvent } from '../outputs';
import { bulkJobEventData, claimEventData, preauthorizationEventData, remittanceEventData } from './data';
import { type Event, eventSchemas } from './event';
import { type EventType, eventCatalogue, eventTypes } from './types';

function example<T>(schema: object): T {
  return structuredClone(Reflect.get(schema, 'examples')[0]);
}

const claim = example<Claim>(Claim);
const preauthorization = example<Preauthorization>(Preauthorization);
const remittance = example<Remittance>(Remittance);

const data = {
  ping: { message: 'pong' },
  claim: claimEventData(claim),
  preauthorization: preauthorizationEventData(preauthorization),
  remittance: remittanceEventData(remittance),
  bulkJob: bulkJobEventData(example<BulkJob>(BulkJob)),
};

function event(type: EventType): Record<string, unknown> {
  return { ...example<Record<string, unknown>>(eventSchemas[type]), data: data[eventCatalogue[type].about] };
}

test('the catalogue is complete', () => {
  expect(eventTypes).toEqual([
    'sandbox.ping',
    'preauthorization.requested',
    'preauthorization.approved',
    'preauthorization.denied',
    'preauthorization.expired',
    'preauthorization.cancelled',
    'claim.submitted',
    'claim.information_requested',
    'claim.resubmitted',
    'claim.approved',
    'claim.partially_approved',
    'claim.denied',
    'claim.settled',
    'claim.reversed',
    'claim.cancelled',
    'remittance.reconciled',
    'remittance.exception',
    'bulk_job.completed',
  ]);
});

test.each(eventTypes)('%s: the data created from a resource is valid', (type) => {
  expect(validateEvent(event(type))).toBeUndefined();
});

test.each(eventTypes)('%s: data of another kind of resource is rejected', (type) => {
  const other = eventCatalogue[type].about === 'claim' ? data.remittance : data.claim;
  expect(validateEvent({ ...event(type), data: other })).toBeDefined();
});

test('events contain no line, evidence, person, member or clinical identifier', () => {
  const json = JSON.stringify(eventTypes.map(event));
  for (const name of [
    'lines',
    'evidence',
    'member',
    'reference',
    'service_code',
    'session_id',
    'booking_id',
  ]) {
    expect(json).not.toContain(name);
  }
});

test('the version of a missing decision is null', () => {
  const { amount } = preauthorization;
  const pending = { ...preauthorization, decision: null, amount: { ...amount, approved: null } };
  expect(preauthorizationEventData({ ...pending, status: 'pending' })).toEqual({
    id: preauthorization.id,
    object: 'preauthorization',
    status: 'pending',
    decision_version: null,
    amount: { requested: amount.requested, approved: null, currency: amount.currency },
  });
  expect(claimEventData({ ...claim, adjudication: null }).adjudication_version).toBeNull();
});

test('the type of an event determines the type of its data at compile time', () => {
  const settled = event('claim.settled') as unknown as Event;
  expect(settled.type === 'claim.settled' && settled.data.submission_version).toBe(claim.submission_version);
});
