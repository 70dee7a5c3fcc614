/**
 * Routes of operators: the postings of a claim, uploads of bank files, their rows that matched no remittance, the remittances and settlements
 * that wait for a person, and the rejected commands.
 */

import { listRejectedCommands } from '@carecover/commands';
import { isAmount, isIdentifier } from '@carecover/contract';
import { ApiError, notFound, requireOneOf } from '@carecover/domain';
import { type OperatorRoute, oldestRoutes, searchRoute } from '@carecover/http';
import { remittanceResource, settlementResource } from '../resources';
import { type CsvForm, csvAmountForms, csvDateForms } from '../settlement-files/csv';
import { isTimeZone } from '../settlement-files/local-time';
import { listOpenEntries, pageOfOpenEntries } from '../store/bank-entries';
import { listStatements } from '../store/bank-statements';
import { findCandidates } from '../store/candidates';
import { postingsOfClaim } from '../store/postings';
import { REMITTANCES } from '../store/remittances';
import { searchFunds } from '../store/search';
import { SETTLEMENTS } from '../store/settlements';
import { assignUnmatchedRow } from '../use-cases/assign-unmatched-row';
import { deliverIfAvailable, type RemittanceDeps } from '../use-cases/deliver-notifications';
import { importUploadedFile, MAX_UPLOAD_BYTES, type Upload } from '../use-cases/import-uploaded-file';
import { readTakebackPlan, takeBackCredit } from '../use-cases/take-back-credit';
import { checkWithdrawal } from '../use-cases/withdraw-advice';
import { bankDayRoutes } from './bank-days';
import { MAX_ROWS, readEntriesQuery, requireRow } from './unmatched-row';

const MAX_POSTINGS = 200;
const MAX_STATEMENTS = 50;
const MAX_FILE_NAME = 200;

/** Reads an uploaded bank file, whose content is in Base64. @throws ApiError validation_failed */
function readUpload(body: unknown): Upload {
  const {
    file,
    content,
    csv,
    time_zone: timeZone,
    dry_run: isDryRun,
  } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const { amounts, dates } = (csv ?? {}) as Partial<CsvForm>;
  const isNamed = typeof file === 'string' && file !== '' && file.length <= MAX_FILE_NAME;
  if (!isNamed || typeof content !== 'string')
    throw new ApiError('validation_failed', '/file must have a name and a content.');
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > MAX_UPLOAD_BYTES)
    throw new ApiError('payload_too_large', `The file must have at most ${MAX_UPLOAD_BYTES} bytes.`);
  const form = {
    amounts: requireOneOf(csvAmountForms, amounts, '/csv/amounts'),
    dates: requireOneOf(csvDateForms, dates, '/csv/dates'),
  };
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone))
    throw new ApiError('validation_failed', '/time_zone must be an IANA time zone.');
  return { file, content: bytes, csv: form, timeZone, isDryRun: isDryRun !== false };
}

export function operatorRoutes(deps: RemittanceDeps): OperatorRoute[] {
  const { sql } = deps;
  return [
    ...oldestRoutes(sql, 'remittances', REMITTANCES, ['exception'], remittanceResource),
    ...oldestRoutes(sql, 'settlements', SETTLEMENTS, ['unmatched'], settlementResource),
    {
      method: 'GET',
      path: '/claims/:claim/postings',
      async handle({ tenant }, { claim = '' }) {
        if (!isIdentifier('claim', claim)) throw notFound();
        const data = await postingsOfClaim(sql, tenant, claim, MAX_POSTINGS + 1);
        return { data: data.slice(-MAX_POSTINGS), has_more: data.length > MAX_POSTINGS };
      },
    },
    searchRoute((tenant, search) => searchFunds(sql, tenant, search)),
    {
      method: 'GET',
      path: '/unmatched_rows',
      async handle({ tenant }) {
        const data = await listOpenEntries(sql, tenant, MAX_ROWS + 1);
        return { data: data.slice(0, MAX_ROWS), has_more: data.length > MAX_ROWS };
      },
    },
    {
      method: 'POST',
      path: '/unmatched_rows',
      handle: ({ tenant }, _params, body) => pageOfOpenEntries(sql, tenant, readEntriesQuery(body)),
    },
    {
      method: 'GET',
      path: '/unmatched_rows/:row',
      handle: ({ tenant }, { row }) => requireRow(sql, tenant, row),
    },
    {
      method: 'GET',
      path: '/unmatched_rows/:row/candidates',
      async handle({ tenant }, params) {
        const row = await requireRow(sql, tenant, params.row);
        return findCandidates(sql, tenant, row);
      },
    },
    {
      method: 'POST',
      path: '/unmatched_rows/:row/assignments',
      async handle(author, params, body) {
        const { row } = await requireRow(sql, author.tenant, params.row);
        const { remittance_id: remittanceId, amount = null } = (body ?? {}) as Partial<
          Record<'remittance_id' | 'amount', unknown>
        >;
        if (typeof remittanceId !== 'string' || !isIdentifier('remittance', remittanceId))
          throw new ApiError('validation_failed', '/remittance_id must be the ID of a remittance, rem_….');
        if (amount !== null && (!isAmount(amount) || amount === 0))
          throw new ApiError('validation_failed', '/amount must be an integer of minor units, at least 1.');
        const settlement = await assignUnmatchedRow({ sql, author }, row, remittanceId, amount);
        if (settlement === null) throw notFound();
        await deliverIfAvailable(deps, author, remittanceId);
        return settlement;
      },
    },
    {
      method: 'GET',
      path: '/unmatched_rows/:row/takebacks',
      async handle({ tenant }, params) {
        const { row } = await requireRow(sql, tenant, params.row);
        const plan = await readTakebackPlan(sql, tenant, row);
        if (plan === null) throw notFound();
        return plan;
      },
    },
    {
      method: 'POST',
      path: '/unmatched_rows/:row/takebacks',
      async handle(author, params, body) {
        const { row } = await requireRow(sql, author.tenant, params.row);
        const { settlements: expected } = (body ?? {}) as Partial<Record<'settlements', unknown>>;
        if (!Array.isArray(expected) || !expected.every((id) => typeof id === 'string'))
          throw new ApiError('validation_failed', '/settlements must be the IDs of the settlements, stl_….');
        const result = await takeBackCredit(sql, author, row, expected);
        if (result === null) throw notFound();
        for (const { remittance_id } of result.data) await deliverIfAvailable(deps, author, remittance_id);
        return result;
      },
    },
    ...bankDayRoutes(deps),
    {
      method: 'GET',
      path: '/payment_advices/:advice/withdrawal',
      async handle(caller, { advice = '' }) {
        if (!isIdentifier('paymentAdvice', advice)) throw notFound();
        await checkWithdrawal(sql, caller, advice);
        return { is_permitted: true };
      },
    },
    {
      method: 'GET',
      path: '/bank_statements',
      handle: async ({ tenant }) => ({ data: await listStatements(sql, tenant, MAX_STATEMENTS) }),
    },
    {
      method: 'POST',
      path: '/bank_files',
      async handle(author, _params, body) {
        const upload = readUpload(body);
        const report = await importUploadedFile(sql, author, upload);
        if (!upload.isDryRun) deps.notifySignals();
        return report;
      },
    },
    {
      method: 'GET',
      path: '/rejected_commands',
      handle: async ({ tenant }) => ({ data: await listRejectedCommands(sql, tenant, null) }),
    },
  ];
}
