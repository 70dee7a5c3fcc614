import { ApiError } from '@carecover/domain';

/** Returns the code of the API error that a rule throws; null if the rule throws none. */
export function rejectionCode(rule: () => void): string | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
