/**
 * Stands in for the claims service in tests of this service alone: it keeps each record once per cause, as the port promises. It can
 * fail for a while, and lose records: settled money that comes after a lost one then waits.
 */
import type { StepHandlers } from '@carecover/platform';
import type { ClaimsForRemittances } from '@carecover/workflow-remittance';

export class ClaimsRecorder implements StepHandlers<ClaimsForRemittances> {
  readonly records = new Map<string, unknown>();
  readonly known = new Set<string>();
  /** How many calls to come fail, as those of a service that is away do. */
  failures = 0;
  private readonly lost = new Set<string>();

  /** Forgets these records, as a service that is restored does. */
  lose(causes: readonly string[]): void {
    for (const cause of causes) {
      this.records.delete(cause);
      this.lost.add(cause);
    }
  }

  knownClaims = async ({ claimIds }: { claimIds: readonly string[] }) =>
    claimIds.filter((claimId) => this.known.has(claimId));

  recordRemittance: StepHandlers<ClaimsForRemittances>['recordRemittance'] = async (input) =>
    this.keep(input.remittanceId, input);

  recordSettlement: StepHandlers<ClaimsForRemittances>['recordSettlement'] = async (input) => {
    const missing = input.amounts.find(({ after }) => after && this.lost.has(after));
    if (missing !== undefined) throw new Error(`${missing.after} comes before ${input.causeId}`);
    this.keep(input.causeId, input);
  };

  private keep(cause: string, input: unknown): void {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('claims is away');
    }
    const before = this.records.get(cause);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(input)) {
      throw new Error(`${cause} was told in two ways`);
    }
    this.records.set(cause, input);
    this.lost.delete(cause);
  }
}
