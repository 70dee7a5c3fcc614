/** Finds the remittances that rows of a file name, and the settlements that are recorded under the rows' references. */
import type { Sql } from '@carecover/platform';
import type { CreditRow } from './row';

export interface KnownRow {
  readonly row: CreditRow;
  readonly remittanceId: string | null;
  /** The project's settlement with the row's reference: the same remittance, amount and currency, another one, or none. */
  readonly recorded: 'same' | 'other' | null;
}

export class FileLookup {
  constructor(
    private readonly sql: Sql,
    private readonly tenant: string,
  ) {}

  async find(rows: readonly CreditRow[]): Promise<KnownRow[]> {
    const remittances = await this.remittances(rows.map(({ payerReference }) => payerReference));
    const settlements = await this.settlements(rows.map(({ sourceReference }) => sourceReference));
    return rows.map((row) => {
      const remittanceId = remittances.get(row.payerReference) ?? null;
      const known = settlements.get(row.sourceReference);
      if (known === undefined) return { row, remittanceId, recorded: null };
      const same =
        known.remittance_id === remittanceId &&
        known.amount === row.amount &&
        known.currency === row.currency;
      return { row, remittanceId, recorded: same ? 'same' : 'other' };
    });
  }

  private async remittances(references: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.sql<{ id: string; payer_reference: string }[]>`
      select id, payer_reference from remittances
      where project_id = ${this.tenant} and payer_reference = any(${[...new Set(references)]})`;
    return new Map(rows.map(({ id, payer_reference }) => [payer_reference, id]));
  }

  private async settlements(references: readonly string[]) {
    const rows = await this.sql<
      { source_reference: string; remittance_id: string; amount: number; currency: string }[]
    >`
      select source_reference, remittance_id, amount, currency from settlements
      where project_id = ${this.tenant} and source_reference = any(${[...new Set(references)]})`;
    return new Map(rows.map((row) => [row.source_reference, row]));
  }
}
