/**
 * Shared code of workflows, imported as `@carecover/temporal/workflow`. It is deterministic and uses no Node.js API, because it runs in
 * the workflow sandbox.
 */
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';

export * from '@carecover/setup/search-attributes';
export * from './changes';
export * from './resource-run';
export * from './summarized';

/**
 * Makes the runs of a short workflow end on the release on which they started. Without effect if the worker has no release, as in tests:
 * Temporal's time-skipping test server loses pinned runs of a worker without a release.
 */
export function pinToRelease<Input>(workflow: (input: Input) => Promise<unknown>): void {
  // A worker has a release only if its version has a deployment name. Temporal's SDK also gives a worker without a release a version.
  const isVersioned = () => (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') !== '';
  setWorkflowOptions(() => (isVersioned() ? { versioningBehavior: 'PINNED' } : {}), workflow);
}
