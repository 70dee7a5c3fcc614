/** The costliest requests of claims and valuation runs. */
import type { AdjudicationInput, ClaimId, ClaimInput } from '@carecover/client';
import { CLAIM_REQUEST_LIMIT, type OperationId, valuationDimensions } from '@carecover/contract';
import { eventually, testSize } from '@carecover/testing/servers';
import { SERVICE } from '@carecover/testing/stack';
import {
  fillPortfolio,
  insertClaimCopies,
  insertInformationRequests,
  insertLargeRun,
} from '../store/large-resources';
import {
  type Costliest,
  type CostlyProject,
  createEach,
  randomText,
  randomTexts,
  UNIQUE,
  WAITING_LEAD_MS,
} from './costly';

const LINES = 100;
const LINE_AMOUNT = 4_000;
/** The number of large claims in the project: more than one page of their list has. */
const LARGE_CLAIMS = testSize({ ci: 60, soak: 110 });
/** The number of small claims in the project, for sums and files over all of them. */
const PORTFOLIO = testSize({ ci: 20_000, soak: 100_000 });
const reason = { reason_code: 'a'.repeat(80) };

const largestLines: ClaimInput['lines'] = Array.from({ length: LINES }, (_, index) => ({
  code_system: randomText(100),
  code_system_version: randomText(100),
  service_code: index === 0 ? SERVICE : randomText(100),
  units: 1,
  amount: LINE_AMOUNT,
}));

const largestAdjudication = (): AdjudicationInput => ({
  policy_reference: randomText(200),
  policy_version: randomText(100),
  reason_codes: randomTexts(32, 200),
  evidence_refs: randomTexts(32, 200),
  lines: Array.from({ length: LINES }, (_, index) => ({
    line_number: index + 1,
    amount: {
      billed: LINE_AMOUNT,
      allowed: LINE_AMOUNT,
      payer: LINE_AMOUNT,
      patient_responsibility: 0,
      adjustment: 0,
    },
    reason_codes: randomTexts(16, 200),
  })),
});

async function largestClaimInput({ world }: CostlyProject): Promise<ClaimInput> {
  return world.claimInput(await world.createClaimableSession(), {
    lines: largestLines,
    evidence_refs: randomTexts(32, 200),
  });
}

async function submitLargest(project: CostlyProject): Promise<ClaimId> {
  return (await project.world.client.claims.submit(await largestClaimInput(project))).id;
}

/** Creates a claim with the largest lines, the largest adjudication and one information request fewer than permitted. */
const largestClaim = (project: CostlyProject) =>
  project.shared('the largest claim', async () => {
    const id = await submitLargest(project);
    await insertInformationRequests(project.databaseUrl, id, CLAIM_REQUEST_LIMIT - 1, randomTexts(16, 200));
    await project.world.client.claims.adjudicate(id, largestAdjudication());
    return id;
  });

const manyLargeClaims = (project: CostlyProject) =>
  project.shared('many large claims', async () => {
    const id = await largestClaim(project);
    await insertClaimCopies(project.databaseUrl, id, LARGE_CLAIMS);
  });

const portfolio = (project: CostlyProject) =>
  project.shared('a portfolio', () => fillPortfolio(project.databaseUrl, project.projectId, PORTFOLIO));

/** Creates a run of all claims with groups, and waits for its result. */
const readyRun = (project: CostlyProject) =>
  project.shared('a valuation run', async () => {
    await portfolio(project);
    const runs = project.world.client.valuationRuns;
    const { id } = await runs.create({
      valuation_at: new Date().toISOString(),
      kind: 'totals',
      group_by: ['status'],
    });
    await eventually('the valuation run is ready', async () => (await runs.retrieve(id)).status === 'ready');
    return id;
  });

const secondsAhead = (seconds: number) => `{now+${seconds * 1_000}}`;

export const claimsRequests = {
  listClaims: {
    create: async (project) => {
      await manyLargeClaims(project);
      return [{ query: { limit: '100' } }];
    },
  },
  createClaim: {
    create: (project) => createEach(project, async () => ({ body: await largestClaimInput(project) })),
  },
  getClaim: {
    create: async (project) => [{ params: { claim_id: await largestClaim(project) } }],
  },
  getClaimLinks: {
    create: async (project) => [{ params: { claim_id: await largestClaim(project) } }],
  },
  getClaimValuation: {
    leadMs: WAITING_LEAD_MS,
    create: async (project) => [
      { params: { claim_id: await largestClaim(project) }, query: { valuation_at: secondsAhead(4.8) } },
    ],
  },
  getReceivables: {
    create: async (project) => {
      await portfolio(project);
      return [{ query: { at: secondsAhead(-0.001) } }];
    },
  },
  listValuationRuns: {
    create: async (project) => {
      await readyRun(project);
      return [{ query: { limit: '100' } }];
    },
  },
  createValuationRun: {
    startsBackgroundWork: true,
    create: async (project) => {
      await portfolio(project);
      return [
        {
          body: { valuation_at: secondsAhead(-0.001), kind: 'totals', group_by: [...valuationDimensions] },
        },
      ];
    },
  },
  getValuationRun: {
    create: async (project) => [
      { params: { valuation_run_id: await insertLargeRun(project.databaseUrl, await readyRun(project)) } },
    ],
  },
  listValuationRunClaims: {
    create: async (project) => [
      { params: { valuation_run_id: await readyRun(project) }, headers: { accept: 'text/csv' } },
      {
        params: { valuation_run_id: await readyRun(project) },
        headers: { accept: 'application/vnd.apache.parquet' },
      },
      { params: { valuation_run_id: await readyRun(project) }, query: { limit: '100' } },
    ],
  },
  requestClaimInformation: {
    create: (project) =>
      createEach(project, async () => ({
        params: { claim_id: await submitLargest(project) },
        body: { ...reason, requested_evidence_types: randomTexts(16, 200) },
      })),
  },
  submitClaimEvidence: {
    create: (project) =>
      createEach(project, async () => {
        const claim_id = await submitLargest(project);
        const { information_requests } = await project.world.client.claims.requestInformation(claim_id, {
          ...reason,
          requested_evidence_types: randomTexts(16, 200),
        });
        const information_request_id = information_requests[0]?.id ?? '';
        return {
          params: { claim_id },
          body: { information_request_id, evidence_refs: randomTexts(32, 200) },
        };
      }),
  },
  adjudicateClaim: {
    create: async (project) => [
      {
        params: { claim_id: await largestClaim(project) },
        body: { ...largestAdjudication(), policy_version: UNIQUE },
      },
    ],
  },
  cancelClaim: {
    create: (project) =>
      createEach(project, async () => ({ params: { claim_id: await submitLargest(project) }, body: reason })),
  },
  reverseClaim: {
    create: (project) =>
      createEach(project, async () => {
        const claim_id = await submitLargest(project);
        await project.world.client.claims.adjudicate(claim_id, largestAdjudication());
        return { params: { claim_id }, body: reason };
      }),
  },
} satisfies Partial<Record<OperationId, Costliest>>;
