// What an event tells of its resource: identity, state, versions, currency and amounts as they were then, and nothing of the person
// or of the care. The receiver fetches the rest with its key.
import Type, { type Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';

import { type Claim, claimStatuses } from '../resources/claim';

import { type Preauthorization, preauthorizationStatuses } from '../resources/preauthorization';
import { type Remittance, remittanceStatuses } from '../resources/remittance';
import { amount, closedObject, count, nullable, objectName, oneOf, outputCurrency, part } from '../schema';

export const PingEventData = closedObject(
  'PingEventData',
  'What the test event says.',
  { message: Type.Literal('pong', { description: 'Always `pong`.' }) },
  { message: 'pong' },
);
export type PingEventData = Static<typeof PingEventData>;

export const PreauthorizationEventData = closedObject(
  'PreauthorizationEventData',
  'A pre-authorization as it was.',
  {
    id: identifier('preauthorization', 'The pre-authorization.'),
    object: objectName('preauthorization'),
    status: oneOf(preauthorizationStatuses, 'Where it stood.'),
    decision_version: nullable(count("The decision's version; null if undecided.", 1)),
    amount: part('Amounts, in one currency.', {
      requested: amount('What was asked for.', 1),
      approved: nullable(amount('What was approved; null unless it was.', 1)),
      currency: outputCurrency(),
    }),
  },
  {
    id: exampleIdentifier('preauthorization'),
    object: 'preauthorization',
    status: 'approved',
    decision_version: 1,
    amount: { requested: 350000, approved: 350000, currency: 'KES' },
  },
);
export type PreauthorizationEventData = Static<typeof PreauthorizationEventData>;

export const ClaimEventData = closedObject(
  'ClaimEventData',
  'A claim as it was.',
  {
    id: identifier('claim', 'The claim.'),
    object: objectName('claim'),
    status: oneOf(claimStatuses, 'Where it stood.'),
    submission_version: count('How often it had been submitted.', 1),
    adjudication_version: nullable(count("The standing adjudication's version; null if none stood.", 1)),
    amount: part('Amounts, in one currency.', {
      currency: outputCurrency(),
      billed: amount('What was claimed.'),
      approved: nullable(amount("The payer's total; null while no adjudication stood.")),
      remitted: nullable(amount('What remittances advised; null until the first.')),
      settled: nullable(amount('What was seen to move; null until the first.')),
    }),
  },
  {
    id: exampleIdentifier('claim'),
    object: 'claim',
    status: 'settled',
    submission_version: 2,
    adjudication_version: 1,
    amount: { currency: 'KES', billed: 350000, approved: 300000, remitted: 300000, settled: 300000 },
  },
);
export type ClaimEventData = Static<typeof ClaimEventData>;

export const RemittanceEventData = closedObject(
  'RemittanceEventData',
  'A remittance as it was.',
  {
    id: identifier('remittance', 'The remittance.'),
    object: objectName('remittance'),
    status: oneOf(remittanceStatuses, 'Where it stood.'),
    amount: part('The total.', { currency: outputCurrency(), paid: amount('The sum of the allocations.') }),
  },
  {
    id: exampleIdentifier('remittance'),
    object: 'remittance',
    status: 'reconciled',
    amount: { currency: 'KES', paid: 300000 },
  },
);
export type RemittanceEventData = Static<typeof RemittanceEventData>;

/** What an event says of a pre-authorization. */
export function preauthorizationEventData(
  resource: Pick<Preauthorization, 'id' | 'status' | 'amount'> & {
    decision: Pick<NonNullable<Preauthorization['decision']>, 'version'> | null;
  },
): PreauthorizationEventData {
  const { requested, approved, currency } = resource.amount;
  return {
    id: resource.id,
    object: 'preauthorization',
    status: resource.status,
    decision_version: resource.decision?.version ?? null,
    amount: { requested, approved, currency },
  };
}

/** What an event says of a claim. */
export function claimEventData(
  resource: Pick<Claim, 'id' | 'status' | 'submission_version' | 'amount'> & {
    adjudication: Pick<NonNullable<Claim['adjudication']>, 'version'> | null;
  },
): ClaimEventData {
  const { currency, billed, approved, remitted, settled } = resource.amount;
  return {
    id: resource.id,
    object: 'claim',
    status: resource.status,
    submission_version: resource.submission_version,
    adjudication_version: resource.adjudication?.version ?? null,
    amount: { currency, billed, approved, remitted, settled },
  };
}

/** What an event says of a remittance. */
export function remittanceEventData(
  resource: Pick<Remittance, 'id' | 'status' | 'amount'>,
): RemittanceEventData {
  const { currency, paid } = resource.amount;
  return { id: resource.id, object: 'remittance', status: resource.status, amount: { currency, paid } };
}
