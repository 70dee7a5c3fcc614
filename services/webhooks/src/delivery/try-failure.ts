/** Why a try got no answer, in a sentence that the endpoint's owner can act on and that tells nothing of our network. */
const SENTENCES: Readonly<Record<string, string>> = {
  ADDRESS_NOT_ALLOWED: 'The name leads to an address to which nothing is sent.',
  ENOTFOUND: 'The name could not be resolved.',
  ENODATA: 'The name could not be resolved.',
  ESERVFAIL: 'The name could not be resolved.',
  ETIMEOUT: 'The name could not be resolved in time.',
  ECONNREFUSED: 'The connection was refused.',
  EHOSTUNREACH: 'The receiver can not be reached.',
  ENETUNREACH: 'The receiver can not be reached.',
  ETIMEDOUT: 'The connection could not be made in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time.',
  ECONNRESET: 'The connection was closed before an answer.',
  EPIPE: 'The connection was closed before an answer.',
  UND_ERR_SOCKET: 'The connection was closed before an answer.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
};

const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ISSUER|ALTNAME/;
const TLS = /^(ERR_SSL|ERR_TLS|EPROTO)/;

/** The code of the error or of what caused it; else its name. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('cause' in error && error.cause !== undefined) return codeOf(error.cause);
  return 'name' in error ? String(error.name) : 'unknown';
}

/** @param timedOut whether the try's own time had run out */
export function describeFailure(error: unknown, timedOut: boolean): string {
  if (timedOut) return 'There was no answer in time.';
  const code = codeOf(error);
  const known = SENTENCES[code];
  if (known !== undefined) return known;
  if (CERTIFICATE.test(code)) return `The certificate of the receiver is not valid (${code}).`;
  if (TLS.test(code)) return `No secure connection could be made (${code}).`;
  if (code.startsWith('HPE_') || code === 'HTTPParserError') return 'The answer is not HTTP.';
  return `The try failed (${code}).`;
}
