/**
 * Identifies a person by the claims of an ID token. Only the subject (`sub`) identifies a person at an identity provider: an e-mail address
 * can change, can be given to another person, and at some providers a person can enter any address (OpenID Connect Core 1.0, section 5.7).
 */
import { ApiError } from '@carecover/domain';
import { type Role, rolesIn } from './roles';

/** A signed-in person. */
export interface Person {
  /** What the audit log and the services record. Unique at the identity provider, and never given to another person. */
  readonly subject: string;
  /** The e-mail address, which is only shown; null if the identity provider has not verified it. */
  readonly email: string | null;
  readonly roles: readonly Role[];
}

/** 1 to 255 ASCII characters (OpenID Connect Core 1.0, section 2), without control characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
/** A text without spaces, control characters, and characters that change the direction of text. */
const EMAIL = /^[^\s\p{C}]{1,254}$/u;

/**
 * Returns the person that the claims identify.
 *
 * @param rolesClaim the name of the claim that lists the person's roles
 * @throws ApiError permission_denied if the person has no role, or the subject is no text of OpenID Connect
 */
export function personOf(claims: Readonly<Record<string, unknown>>, rolesClaim: string): Person {
  const { sub: subject, email, email_verified: isVerified } = claims;
  if (typeof subject !== 'string' || !SUBJECT.test(subject))
    throw new ApiError(
      'permission_denied',
      'The identity provider identifies your account by a text that is not 1 to 255 printable ASCII characters.',
    );
  const roles = rolesIn(claims[rolesClaim]);
  if (roles.length === 0)
    throw new ApiError(
      'permission_denied',
      'Your account has no role in the console. An administrator of the identity provider assigns roles.',
    );
  const hasEmail = isVerified === true && typeof email === 'string' && EMAIL.test(email);
  return { subject, email: hasEmail ? email : null, roles };
}
