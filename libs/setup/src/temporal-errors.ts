/** Errors of requests to Temporal's server. */
import { isGrpcServiceError } from '@temporalio/client';

/** Codes of gRPC errors. */
export const GRPC = {
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  FAILED_PRECONDITION: 9,
  UNAVAILABLE: 14,
} as const;

/** Returns whether Temporal responded with one of the given codes of {@link GRPC}. */
export function hasGrpcCode(error: unknown, ...codes: readonly number[]): boolean {
  return isGrpcServiceError(error) && codes.includes(error.code);
}
