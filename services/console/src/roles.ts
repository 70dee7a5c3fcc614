/** The roles of persons, which the identity provider assigns, and what each role permits. */

const ROLES = ['viewer', 'operator', 'finance', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The permission that a page or an act requires. `read`: see everything except members' references and the pages of `administrate`.
 * `adjudicate`: decide on claims and pre-authorizations, and submit and change bulk jobs. `money`: change remittances and settlements. `webhooks`: change endpoints and send
 * events again. `reveal`: see members' references. `administrate`: change project settings and keys, and see the audit log.
 */
export type Permission = 'read' | 'adjudicate' | 'money' | 'webhooks' | 'reveal' | 'administrate';

const GRANTS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['read'],
  operator: ['read', 'adjudicate', 'webhooks', 'reveal'],
  finance: ['read', 'money'],
  administrator: ['read', 'adjudicate', 'money', 'webhooks', 'reveal', 'administrate'],
};

/**
 * Returns the known roles in the value of a claim of the ID token (OpenID Connect): a list of texts, or a text with spaces between them.
 */
export function rolesIn(claim: unknown): Role[] {
  const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return ROLES.filter((role) => names.includes(role));
}

export function permits(roles: readonly Role[], permission: Permission): boolean {
  return roles.some((role) => GRANTS[role].includes(permission));
}
