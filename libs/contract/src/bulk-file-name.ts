/** What the name of a bulk job's file says of its content. */

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
};

/**
 * Returns the media type that the ending of a file's name says, null for another ending, and whether the file is compressed: its name then ends
 * in `.gz`, after the ending of the content.
 *
 * @example bulkFileFormat('Claims.csv.gz') // { mediaType: 'text/csv', isCompressed: true }
 */
export function bulkFileFormat(name: string): {
  readonly mediaType: string | null;
  readonly isCompressed: boolean;
} {
  const [, content = '', gz] = /^(.*?)(\.gz)?$/s.exec(name.toLowerCase()) ?? [];
  const ending = /\.(\w+)$/.exec(content)?.[1] ?? '';
  const mediaType = Object.hasOwn(MEDIA_TYPES, ending) ? (MEDIA_TYPES[ending] ?? null) : null;
  return { mediaType, isCompressed: gz !== undefined };
}
