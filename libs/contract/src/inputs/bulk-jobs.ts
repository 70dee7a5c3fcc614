// The lines of the files of bulk jobs: the body of the operation that a line executes, with what names its resource.

import { type Static, type TProperties, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { ADVICE_LINE_LIMIT } from '../limits';
import {
  boundedArray,
  boundedString,
  closedObject,
  inlineObject,
  inputCurrency,
  moneyAmount,
} from '../schema';
import { SessionInput } from './care';
import { AdjudicationInput, ClaimInput } from './claims';
import { memberReference } from './fields';
import { RemittanceInput } from './payments';

const { eligibility_check_id: _check, session_id: _session, ...claimFields } = ClaimInput.properties;
const [adjudicationExample] = Reflect.get(AdjudicationInput, 'examples') as [Record<string, unknown>];
const [claimExample] = Reflect.get(ClaimInput, 'examples') as [Record<string, unknown>];
const [sessionExample] = Reflect.get(SessionInput, 'examples') as [Record<string, unknown>];
const [remittanceExample] = Reflect.get(RemittanceInput, 'examples') as [Record<string, unknown>];

/** A claim with the session that it bills and the values of its eligibility check, in place of their identifiers. */
export const RecordedClaimInput = closedObject(
  'RecordedClaimInput',
  'A claim of care that happened elsewhere: its session is recorded, its cover is checked at the start of the session, and the claim is submitted.',
  {
    session: inlineObject('The session, as in POST /sessions.', {
      ...(SessionInput.properties as TProperties),
    }),
    eligibility_check: inlineObject(
      'The retrospective eligibility check, as in POST /eligibility_checks without scheduled_at, which is the start of the session.',
      {
        member_reference: memberReference(),
        service_code: boundedString(1, 100, 'The service.', { pattern: '^[A-Za-z0-9:._/-]+$' }),
        amount: moneyAmount('The price of the session.', 1),
        currency: inputCurrency(),
      },
    ),
    ...(claimFields as TProperties),
  },
  {
    session: sessionExample,
    eligibility_check: {
      member_reference: 'member:88123',
      service_code: 'psy.individual.50',
      amount: 350000,
      currency: 'KES',
    },
    provider_claim_reference: claimExample.provider_claim_reference,
    lines: claimExample.lines,
  },
);
export type RecordedClaimInput = Omit<ClaimInput, 'eligibility_check_id' | 'session_id'> & {
  readonly session: SessionInput;
  readonly eligibility_check: {
    readonly member_reference: string;
    readonly service_code: string;
    readonly amount: number;
    readonly currency: Static<ReturnType<typeof inputCurrency>>;
  };
};

/** An adjudication with what names its claim: its identifier, or the provider's reference. */
export const ClaimAdjudicationInput = closedObject(
  'ClaimAdjudicationInput',
  'The adjudication of a claim, as in POST /claims/{claim_id}/adjudications, with either claim_id or provider_claim_reference.',
  {
    claim_id: Type.Optional(identifier('claim', 'The claim.')),
    provider_claim_reference: Type.Optional(boundedString(3, 200, "The provider's reference of the claim.")),
    ...(AdjudicationInput.properties as TProperties),
  },
  { claim_id: exampleIdentifier('claim'), ...adjudicationExample },
);
export type ClaimAdjudicationInput = AdjudicationInput & {
  readonly claim_id?: string;
  readonly provider_claim_reference?: string;
};

/** A remittance with as many allocations as a payment advice can have. */
export const BulkRemittanceInput = closedObject(
  'BulkRemittanceInput',
  `A remittance, as in POST /remittances, with at most ${ADVICE_LINE_LIMIT} allocations.`,
  {
    ...(RemittanceInput.properties as TProperties),
    allocations: boundedArray(
      RemittanceInput.properties.allocations.items,
      1,
      ADVICE_LINE_LIMIT,
      'The allocations, at most one per claim.',
    ),
  },
  remittanceExample,
);
export type BulkRemittanceInput = RemittanceInput;
