/** Takes secrets out of a text that people will read: credentials of ours, and passwords in addresses. */

/** `sk_…`, `pt_…` and `whsec_…`, mistyped ones too. */
const CREDENTIAL = /\b(sk|pt|whsec)_[^\s'"`,;)]+/g;
const PASSWORD_IN_ADDRESS = /([a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s]*@/gi;

/** @example redactSecrets('postgres://app:hunter2@db/x') // 'postgres://app:[redacted]@db/x' */
export function redactSecrets(text: string): string {
  return text.replace(CREDENTIAL, '$1_[redacted]').replace(PASSWORD_IN_ADDRESS, '$1:[redacted]@');
}

/** Whether {@link redactSecrets} finds something. */
export function hasSecret(text: string): boolean {
  return redactSecrets(text) !== text;
}
