/** Which changes the status of an endpoint and the project's limit permit. */
import { ApiError } from '@carecover/platform';

/** Rejects a request that would send to a disabled endpoint. @throws ApiError endpoint_disabled */
export function requireActive({ status }: { readonly status: 'active' | 'disabled' }): void {
  if (status === 'disabled') {
    throw new ApiError('endpoint_disabled', 'The endpoint is disabled; PATCH its status to active first.');
  }
}

/**
 * Rejects a further active endpoint of a project at its limit.
 *
 * @param active the number of active endpoints of the project
 * @throws ApiError endpoint_limit_reached
 */
export function requireBelowLimit(active: number, limit: number): void {
  if (active < limit) return;
  throw new ApiError(
    'endpoint_limit_reached',
    `The project has ${active} active webhook endpoints and can have at most ${limit}; disable one first.`,
  );
}
