/** The names of the Go client, from those of the API description. */

/** Words that Go writes in capitals. */
const INITIALISMS: ReadonlyMap<string, string> = new Map(
  ['API', 'ID', 'IDs', 'SHA256', 'URL'].map((word) => [word.toLowerCase(), word]),
);

/**
 * Returns the exported Go name for a name of the API description.
 *
 * @example goName('claim_id') // 'ClaimID'
 * @example goName('days_0_30') // 'Days0_30'
 */
export function goName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  return words
    .map((word, index) => {
      const written =
        INITIALISMS.get(word.toLowerCase()) ?? `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
      const isBetweenDigits = /\d$/.test(words[index - 1] ?? '') && /^\d/.test(word);
      return isBetweenDigits ? `_${written}` : written;
    })
    .join('');
}

/** Returns the name of a Go variable. @example variableName('claim_id') // 'claimID' */
export function variableName(name: string): string {
  const exported = goName(name);
  return `${exported.charAt(0).toLowerCase()}${exported.slice(1)}`;
}

/** Returns the name of a type of the items of a list. @example itemName('ClaimLines') // 'ClaimLine' */
export function itemName(list: string): string {
  if (list.endsWith('ies')) return `${list.slice(0, -3)}y`;
  return list.endsWith('s') ? list.slice(0, -1) : `${list}Item`;
}
