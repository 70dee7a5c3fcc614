/**
 * Verifies access tokens of the identity provider for the console's MCP endpoint (RFC 9068, RFC 8707): signature, issuer, audience and expiry.
 * The audience is the endpoint itself, so an ID token, or a token for another service, is rejected.
 *
 * Failure policy: closed. While the identity provider's keys can't be read, the endpoint responds 503.
 */
import { ApiError, unavailable } from '@carecover/domain';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';

/** The algorithms of RFC 9068 and its successors. A symmetric one would make every holder of the key an issuer. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** The types of access tokens. Some identity providers name none, or only `JWT`. Tokens of other types, such as `logout+jwt`, are rejected. */
const TYPES = [undefined, 'JWT', 'at+jwt', 'application/at+jwt'];
const TIMEOUT_MS = 5_000;
const CLOCK_TOLERANCE_SECONDS = 5;

/** What the identity provider's metadata says. */
interface IssuerMetadata {
  readonly issuer: string;
  readonly jwks_uri?: string | undefined;
}

function invalid(message: string): ApiError {
  return new ApiError('api_key_invalid', message);
}

/** Whether the error says that the token is not valid. Otherwise the identity provider's keys could not be read. */
function isAboutToken(error: unknown): boolean {
  const isOfKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return error instanceof errors.JOSEError && !isOfKeys && error.code !== errors.JOSEError.code;
}

export class AccessTokens {
  private keys: { readonly uri: string; readonly get: JWTVerifyGetKey } | undefined;

  /**
   * @param audience the URL of the endpoint
   * @param metadata reads the identity provider's metadata @throws ApiError service_unavailable
   */
  constructor(
    private readonly audience: string,
    private readonly metadata: () => Promise<IssuerMetadata>,
  ) {}

  /** Returns the claims of a token. @throws ApiError api_key_invalid, service_unavailable */
  async verify(token: string): Promise<JWTPayload> {
    const { issuer, jwks_uri: uri } = await this.metadata();
    if (uri === undefined) throw unavailable('The identity provider');
    const { audience } = this;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keysAt(uri), {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(Date.now()),
      });
      if (!TYPES.includes(protectedHeader.typ)) throw invalid('The token is no access token.');
      // A token that is bound to a key of its client (DPoP, mutual TLS) must not be accepted from anyone who has read it.
      if (payload.cnf !== undefined)
        throw invalid('The token is bound to a key, and this endpoint accepts bearer tokens.');
      return payload;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof errors.JWTExpired) throw invalid('The token has expired.');
      if (error instanceof errors.JWTClaimValidationFailed)
        throw invalid(`The token's claim ${error.claim} is not valid for this endpoint.`);
      if (isAboutToken(error)) throw invalid('The token is not valid.');
      throw unavailable('The identity provider');
    }
  }

  /** Returns the function that finds the key of a token. Keys are read again if a token has an unknown one, at most every 30 seconds. */
  private keysAt(uri: string): JWTVerifyGetKey {
    if (this.keys?.uri !== uri)
      this.keys = { uri, get: createRemoteJWKSet(new URL(uri), { timeoutDuration: TIMEOUT_MS }) };
    return this.keys.get;
  }
}
