/**
 * The claims of a valuation run as an Apache Parquet file: texts as strings, amounts as 64-bit integers in minor units. The file is written
 * in row groups, so that only one of them is in memory. Equal claims have equal bytes until the library's version changes.
 */
import type { ValuationRunClaim } from '@carecover/contract';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { AMOUNT_COLUMNS, TEXT_COLUMNS } from '../rules/claim-files';

/** The number of claims of a row group. A row group takes about 10 ms of processor time, during which the process serves no request. */
const ROW_GROUP_CLAIMS = 2_000;

const SCHEMA = [
  { name: 'root', num_children: TEXT_COLUMNS.length + AMOUNT_COLUMNS.length },
  ...TEXT_COLUMNS.map((name) => ({
    name,
    type: 'BYTE_ARRAY' as const,
    converted_type: 'UTF8' as const,
    logical_type: { type: 'STRING' as const },
    repetition_type: 'REQUIRED' as const,
  })),
  ...AMOUNT_COLUMNS.map((name) => ({
    name,
    type: 'INT64' as const,
    repetition_type: isOptional(name) ? ('OPTIONAL' as const) : ('REQUIRED' as const),
  })),
];

const CREATED_BY = 'carecover';

/** The type of a struct, and what hyparquet-writer 0.17.0 writes instead in the header of an empty list (Thrift compact protocol). */
const THRIFT = { struct: 12, none: 0 };

/** Returns how the metadata of a file without rows ends: the fields num_rows = 0, row_groups = [] and created_by. */
function endOfEmptyMetadata(elementType: number): Buffer {
  return Buffer.from([0x16, 0, 0x19, elementType, 0x28, CREATED_BY.length, ...Buffer.from(CREATED_BY)]);
}

function isOptional(name: (typeof AMOUNT_COLUMNS)[number]): boolean {
  return name !== 'billed' && name !== 'remitted' && name !== 'settled';
}

/**
 * Returns the bytes that the library has written to its writer, and empties the writer. The library can continue, because it keeps its
 * position in the whole file separately, in `offset`.
 */
function takeBytes(writer: ByteWriter): Buffer {
  const taken = Buffer.from(writer.getBytes());
  writer.index = 0;
  return taken;
}

/**
 * Declares the elements of the empty list of row groups as structs, as the format requires. Readers on Rust Arrow reject the file otherwise.
 * A file of a version of the library that declares them stays as it is.
 */
function declareRowGroups(emptyFile: Buffer): Buffer {
  const position = emptyFile.lastIndexOf(endOfEmptyMetadata(THRIFT.none));
  if (position >= 0) endOfEmptyMetadata(THRIFT.struct).copy(emptyFile, position);
  return emptyFile;
}

/** Writes pages of claims to one Parquet file, and yields the file in parts. */
export async function* claimsParquet(
  pages: AsyncIterable<readonly ValuationRunClaim[]>,
): AsyncGenerator<Buffer> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA, createdBy: CREATED_BY });
  let claims: ValuationRunClaim[] = [];
  let hasRows = false;
  const writeGroup = async () => {
    await writer.write({
      rowGroupSize: ROW_GROUP_CLAIMS,
      columnData: [
        ...TEXT_COLUMNS.map((name) => ({ name, data: claims.map((claim) => claim[name]) })),
        ...AMOUNT_COLUMNS.map((name) => ({
          name,
          data: claims.map(({ amount }) => (amount[name] === null ? null : BigInt(amount[name]))),
        })),
      ],
    });
    claims = [];
    hasRows = true;
    return takeBytes(bytes);
  };
  for await (const page of pages) {
    claims.push(...page);
    if (claims.length >= ROW_GROUP_CLAIMS) yield await writeGroup();
  }
  if (claims.length > 0) yield await writeGroup();
  await writer.finish();
  const end = takeBytes(bytes);
  yield hasRows ? end : declareRowGroups(end);
}
