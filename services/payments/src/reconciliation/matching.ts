/** Which waiting observations settle what of which claim. Pure. */
import {
  type Advised,
  type ClaimAmount,
  comparable,
  compareWithTotal,
  type Observation,
} from './observation';

/** An observation that settles something now; its allocations sum to its amount. */
export interface Match {
  readonly id: string;
  readonly allocations: readonly ClaimAmount[];
}

/** True where every part fits what its claim lacks. */
export function fits(lacks: ReadonlyMap<string, number>, asked: readonly ClaimAmount[]): boolean {
  return asked.every(({ claimId, amount }) => amount <= (lacks.get(claimId) ?? 0));
}

function take(lacks: Map<string, number>, parts: readonly ClaimAmount[]): void {
  for (const { claimId, amount } of parts) lacks.set(claimId, (lacks.get(claimId) ?? 0) - amount);
}

/** Fills the claims in the order of the advice until the amount is used up. */
function fill(lacks: ReadonlyMap<string, number>, amount: number): ClaimAmount[] {
  const parts: ClaimAmount[] = [];
  let rest = amount;
  for (const [claimId, lack] of lacks) {
    const part = Math.min(lack, rest);
    if (part > 0) parts.push({ claimId, amount: part });
    rest -= part;
  }
  return parts;
}

/**
 * Matches the observations that wait, in the order in which they were recorded: where an observer's own allocations fit they
 * hold; without them a partial one goes to a sole allocation, else it waits. At the exact total nothing waits: every remainder
 * is settled. Above the total, nothing more is matched.
 *
 * @param lacking what each allocation of the advice still lacks, in the advice's order
 * @param standing unreversed observations in the order in which they were recorded
 */
export function matchWaiting(
  advised: Advised,
  lacking: readonly ClaimAmount[],
  standing: readonly Observation[],
): Match[] {
  const sum = compareWithTotal(advised, standing);
  if (sum === 'above') return [];
  const lacks = new Map(lacking.map(({ claimId, amount }) => [claimId, amount]));
  const matches: Match[] = [];
  const left: Observation[] = [];
  for (const observation of comparable(advised, standing)) {
    if (observation.matched) continue;
    const { id, amount, allocations } = observation;
    const asked = allocations.length > 0 ? allocations : soleAllocation(lacking, amount);
    if (asked === null || !fits(lacks, asked)) {
      left.push(observation);
      continue;
    }
    take(lacks, asked);
    matches.push({ id, allocations: asked });
  }
  if (sum === 'below') return matches;
  for (const { id, amount } of left) {
    const allocations = fill(lacks, amount);
    take(lacks, allocations);
    matches.push({ id, allocations });
  }
  return matches;
}

function soleAllocation(lacking: readonly ClaimAmount[], amount: number): ClaimAmount[] | null {
  const [sole, ...others] = lacking;
  return sole === undefined || others.length > 0 ? null : [{ claimId: sole.claimId, amount }];
}
