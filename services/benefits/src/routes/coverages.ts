/** HTTP routes of coverages, which payers state one by one or in batches. */

import { requireResource } from '@carecover/domain';
import type { Handlers } from '@carecover/http';
import { observationResource } from '../resources';
import { latestObservation } from '../store/observations';
import { type CoverageDependencies, createCoverage } from '../use-cases/create-coverage';
import { createCoverageBatch } from '../use-cases/create-coverage-batch';

export function coverageHandlers(
  deps: CoverageDependencies,
): Pick<Handlers, 'createCoverage' | 'createCoverageBatch' | 'getCoverage'> {
  return {
    createCoverage: (call) => createCoverage(deps, call),

    createCoverageBatch: (call) => createCoverageBatch(deps, call),

    async getCoverage({ caller, params }) {
      const id = params.coverage_id;
      const row = requireResource(caller, id, await latestObservation(deps.sql, caller.tenant, id));
      return { status: 200, body: observationResource(row) };
    },
  };
}
