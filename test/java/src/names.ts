/** The names of the Java client, from those of the API description. */

function wordsOf(name: string): string[] {
  return name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
}

/** Returns the name of a class. @example className('claim_lines') // 'ClaimLines' */
export function className(name: string): string {
  return wordsOf(name)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/** Returns the name of a variable. @example variableName('claim_id') // 'claimId' */
export function variableName(name: string): string {
  const exported = className(name);
  return `${exported.charAt(0).toLowerCase()}${exported.slice(1)}`;
}

/** Returns the name of the constant for a value of an enumeration. @example constantName('claims:read') // 'CLAIMS_READ' */
export function constantName(value: string): string {
  return value === '*' ? 'ALL' : wordsOf(value).join('_').toUpperCase();
}
