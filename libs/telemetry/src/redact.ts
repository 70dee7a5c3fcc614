/** Replaces secrets in texts that people read: credentials of the API, and passwords in URLs. */

/** Keys (`sk_…`), tokens (`pt_…`) and signing secrets (`whsec_…`), also with a wrong length or checksum. */
const CREDENTIAL = /\b(sk|pt|whsec)_[^\s'"`,;)]+/g;
/**
 * Credentials in the form in which they are issued, also without their end. Fewer characters than these can be a name, such as `pt_test_day`; a
 * person recognizes a key by the first four.
 */
const ISSUED_CREDENTIAL = /\b((sk|pt)_(test|live)_[A-Za-z0-9]{12}|whsec_[A-Za-z0-9+/]{12})/;
/** Keys and tokens in base64, as in an `Authorization: Basic` header: `sk_` and `pt_` are `c2tf` and `cHRf`. */
const ENCODED_CREDENTIAL = /\b(c2tf|cHRf)[A-Za-z0-9+/_-]{12,}=*/g;
/** A word that ends with `@` and has a URL with a password: the password ends at the word's last `@`. */
const PASSWORD_IN_ADDRESS = /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]*):\S*@$/i;

/** Replaces the password in a text without white space. The time grows linearly with the length of the text. */
function redactPassword(word: string): string {
  const end = word.lastIndexOf('@') + 1;
  return word.slice(0, end).replace(PASSWORD_IN_ADDRESS, '$1:[redacted]@') + word.slice(end);
}

/**
 * Replaces every secret in the text with `[redacted]`.
 *
 * @example redactSecrets('postgres://app:hunter2@db/x') // 'postgres://app:[redacted]@db/x'
 */
export function redactSecrets(text: string): string {
  return redactOthers(text.replace(CREDENTIAL, '$1_[redacted]'));
}

/** Replaces credentials in base64 and passwords in URLs. */
function redactOthers(text: string): string {
  return text.replace(ENCODED_CREDENTIAL, '[redacted]').replace(/\S+/g, redactPassword);
}

/**
 * Returns whether the text contains a secret: a credential in the form in which it is issued, or a password in a URL. {@link redactSecrets} also replaces
 * what only begins as a credential does.
 *
 * @example hasSecret('pt_BR') // false
 */
export function hasSecret(text: string): boolean {
  return ISSUED_CREDENTIAL.test(text) || redactOthers(text) !== text;
}
