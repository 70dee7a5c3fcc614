/** What an operator reads about a remittance on its workflow's page. */
import type { RemittanceState } from './ledger';

/** Markdown; amounts in minor units, as everywhere. */
export function details(state: RemittanceState): string {
  const { status, currency, total, settled, deadline, untold } = state;
  const lines = [
    `**${status}**`,
    `${settled} of ${total} ${currency} (minor units) settled`,
    status === 'received' ? `Waits for its money until ${deadline}` : null,
    untold.length === 0 ? null : `${untold.length} record(s) on their way to claims`,
  ];
  return lines.filter((line) => line !== null).join('\n\n');
}
