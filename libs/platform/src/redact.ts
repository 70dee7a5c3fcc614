/** Replaces secrets in texts that people read: credentials of the API, and passwords in URLs. */

/** Keys (`sk_…`), tokens (`pt_…`) and signing secrets (`whsec_…`), also with a wrong length or checksum. */
const CREDENTIAL = /\b(sk|pt|whsec)_[^\s'"`,;)]+/g;
/** Keys and tokens in base64, as in an `Authorization: Basic` header: `sk_` and `pt_` are `c2tf` and `cHRf`. */
const ENCODED_CREDENTIAL = /\b(c2tf|cHRf)[A-Za-z0-9+/_-]{12,}=*/g;
const PASSWORD_IN_ADDRESS = /([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s]*@/gi;

/**
 * Replaces every secret in the text with `[redacted]`.
 *
 * @example redactSecrets('postgres://app:hunter2@db/x') // 'postgres://app:[redacted]@db/x'
 */
export function redactSecrets(text: string): string {
  return text
    .replace(CREDENTIAL, '$1_[redacted]')
    .replace(ENCODED_CREDENTIAL, '[redacted]')
    .replace(PASSWORD_IN_ADDRESS, '$1:[redacted]@');
}

/** Returns whether the text contains a secret that {@link redactSecrets} would replace. */
export function hasSecret(text: string): boolean {
  return redactSecrets(text) !== text;
}
