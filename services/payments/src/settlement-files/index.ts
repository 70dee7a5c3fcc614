/** Settlement files of payers and banks: CSV and ISO 20022 camt.053. */
export type { ImportAuthor } from './import-call';
export {
  type ImportCounts,
  importSettlements,
  type SettlementFileFormat,
  type SettlementImport,
  settlementFileFormat,
  type UnmatchedRow,
} from './import-settlements';
export { FileError } from './row';
