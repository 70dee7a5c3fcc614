/** The checks of an endpoint's status and of the limit of active endpoints per project. */
import { ApiError } from '@carecover/domain';

/** Checks that an endpoint is active. @throws ApiError endpoint_disabled */
export function requireActive({ status }: { readonly status: 'active' | 'disabled' }): void {
  if (status === 'disabled') {
    throw new ApiError(
      'endpoint_disabled',
      'The endpoint is disabled: first send PATCH /webhook_endpoints/{webhook_endpoint_id} with {"status": "active"}.',
    );
  }
}

/**
 * Checks that a project can have a further active endpoint.
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
