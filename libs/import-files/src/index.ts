/** Readers of the files that operators import: CSV, JSON lines, and text in UTF-8 or UTF-16. Each reader is bounded in time and memory. */
export { type CsvColumns, type CsvRow, type CsvSeparator, csvSeparators, readCsvRows } from './csv-rows';
export { copyText, decodeText, limitBytes } from './file-bytes';
export { FileError } from './file-error';
export { MAX_ROW_BYTES, readFileRows } from './file-rows';
export { readJsonLines } from './json-lines';
