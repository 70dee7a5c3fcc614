// The descriptions of the named enumerations. The description of a field that has one of them is beside its reference.

const descriptions: Readonly<Record<string, string>> = {
  AdjudicationDecision: "The outcome of a claim's adjudication.",
  AgeBand: 'The age of a claim: whole days from its submission.',
  BookingStatus: 'The status of a booking.',
  BulkJobDryRun: 'Whether a bulk job writes nothing.',
  BulkJobKind: 'What each line of the file of a bulk job is.',
  BulkJobOnError: 'What a bulk job does after a rejected line.',
  BulkJobResultStatus: 'The outcome of a line of a bulk job.',
  BulkJobStatus: 'The status of a bulk job.',
  ClaimFactType: "The type of a fact in a claim's history.",
  ClaimStatus: 'The status of a claim.',
  ConsentStatus: "The status of a member's consent.",
  CoverageSource: 'How the service received an observation of a coverage.',
  CoverageStatus: 'The status of a coverage at the payer.',
  Currency: 'A currency: its ISO 4217 code.',
  DevelopmentMeasure: 'A sum in a development triangle.',
  DevelopmentOrigin: 'The periods of the rows of a development triangle.',
  DevelopmentStep: 'The distance of the valuation dates of a development triangle.',
  DueItemKind: 'What is due in a project with simulated time.',
  EligibilityReasonCode: 'A reason for the result of an eligibility check.',
  EligibilityStatus: 'The result of an eligibility check.',
  Environment: 'The environment of a key.',
  ErrorCode: 'The stable code of an API error.',
  EventType: 'The type of an event.',
  InformationRequestStatus: 'The status of an information request.',
  ListOrder: 'The order of a list by creation.',
  PaymentAdviceStatus: 'The status of a payment advice.',
  PaymentAdjustmentKind: 'What an amount of a payment advice that belongs to no claim is.',
  PaymentSource: 'Who pays for a session.',
  PreauthorizationOutcome: "The outcome of the payer's decision on a pre-authorization.",
  PreauthorizationStatus: 'The status of a pre-authorization.',
  ReconciliationOperation: 'The ID of an operation that leads to the reconciliation of a remittance.',
  ReconciliationReason: 'Why a remittance is not reconciled.',
  RemittanceStatus: 'The status of a remittance.',
  Scope: 'What a key or a token permits. `*` permits everything.',
  SessionFormat: 'How a session takes place.',
  SessionStatus: 'The status of a session.',
  SettlementStatus: 'The status of a settlement.',
  TestClockStatus: 'Whether a test clock is advancing.',
  UnmatchedReason: 'Why a settlement is unmatched.',
  ValuationDimension: 'A dimension by which a valuation run groups claims.',
  ValuationRunKind: 'The kind of the result of a valuation run.',
  ValuationRunStatus: 'The status of a valuation run.',
  WebhookDeliveryStatus: 'The status of the delivery of an event to an endpoint.',
  WebhookEndpointStatus: 'Whether an endpoint receives events.',
};

/** Returns the description of an enumeration. @throws TypeError if the table has none */
export function enumerationDescription(name: string): string {
  const description = descriptions[name];
  if (description === undefined) throw new TypeError(`the enumeration ${name} has no description`);
  return description;
}
