import { ApiError } from '@carecover/platform';

/** Returns the code of the API error with which a rule rejects; null if the rule accepts. */
export function rejectionCode(rule: () => void): string | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
