/** What settings must fulfil together; each rule looks at those that a process reads, and passes over the others. */

type Values = Readonly<Record<string, unknown>>;

const CERTIFICATE = 'TEMPORAL_TLS_CLIENT_CERT_PATH';
const KEY = 'TEMPORAL_TLS_CLIENT_KEY_PATH';

function isTemporalPlain(values: Values): string | null {
  const isRead = values.TEMPORAL_ADDRESS !== undefined;
  if (!isRead || values.TEMPORAL_API_KEY !== null || values[CERTIFICATE] !== null) return null;
  return `TEMPORAL_API_KEY, or ${CERTIFICATE} with ${KEY}, must be set in production mode: else whoever reaches Temporal commands its workflows`;
}

function isCertificateAlone(values: Values): string | null {
  const [certificate, key] = [values[CERTIFICATE], values[KEY]];
  if (certificate === undefined || key === undefined || (certificate === null) === (key === null))
    return null;
  return `${CERTIFICATE} and ${KEY} must be set together`;
}

function isDatabaseOpen({ DATABASE_URL: address }: Values): string | null {
  if (typeof address !== 'string') return null;
  const url = new URL(address);
  if (url.password !== '' || url.searchParams.has('sslcert')) return null;
  return "DATABASE_URL must have the role's password in production mode";
}

/** Other modes relax what protects real members and money. */
function isProductionRelaxed({
  CARECOVER_ENVIRONMENT: environment,
  CARECOVER_MODE: mode,
}: Values): string | null {
  if (environment !== 'production' || mode === undefined || mode === 'production') return null;
  return 'CARECOVER_MODE must be production where CARECOVER_ENVIRONMENT is production';
}

/** A sentence for each rule that the settings break; a setting whose value could not be read is undefined. */
export function brokenRules(values: Values): string[] {
  const rules = [isCertificateAlone, isProductionRelaxed];
  if (values.CARECOVER_MODE === 'production') rules.push(isTemporalPlain, isDatabaseOpen);
  return rules.map((rule) => rule(values)).filter((problem) => problem !== null);
}
