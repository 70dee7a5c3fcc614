import { type ClaimValuation, type Event } from '@carecover/client';
/** What the journey needs to know of a running stack. */
export interface JourneyStack {
  readonly base_url: string;
  /** Path of the certificate to trust. */
  readonly ca_certificate: string;
  readonly secret_key: string;
  readonly temporal_ui: string;
}
export interface JourneyOptions {
  readonly print: (line: string) => void;
  /** Recomputes the ledger; rejects where it does not balance. */
  readonly verifyLedger: () => Promise<void>;
}
export interface JourneyOutcome {
  readonly claimId: string;
  readonly remittanceId: string;
  readonly preauthorizationIds: readonly [string, string];
  readonly valuation: ClaimValuation;
  readonly events: readonly Event[];
}
/** Walks the whole way. @throws where a step fails or something is not as it must be */
export declare function runJourney(stack: JourneyStack, options: JourneyOptions): Promise<JourneyOutcome>;
