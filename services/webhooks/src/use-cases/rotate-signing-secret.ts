/** Rotates signing secrets of endpoints, and re-encrypts stored secrets after a rotation of the encryption keys. */
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { endpointResource } from '../resources';
import { requireActive } from '../rules/endpoint-status';
import type { Keyring } from '../signing/keyring';
import { newSigningSecret } from '../signing/signature';
import { lockEndpointBesideIntake } from '../store/endpoints';
import { lockSecretsOfKeys, replaceSecret, updateCiphertext } from '../store/signing-secrets';
import type { EndpointDeps } from './update-endpoint';

/**
 * Replaces the signing secret of an endpoint and returns the endpoint with the new secret. For 24 hours the previous secret signs too. No
 * response is stored, because it contains a secret: a repeated request rotates again.
 *
 * @throws ApiError resource_not_found, endpoint_disabled
 */
export async function rotateSigningSecret(
  { sql, keyring }: EndpointDeps,
  { caller, params }: Call<'rotateWebhookSecret'>,
) {
  const secret = newSigningSecret();
  const endpoint = await sql.begin(async (tx) => {
    const locked = await lockEndpointBesideIntake(tx, caller, params.webhook_endpoint_id);
    requireActive(locked);
    await replaceSecret(tx, caller.tenant, locked.id, keyring.encrypt(secret, locked.id));
    return locked;
  });
  return { ...endpointResource(endpoint), signing_secret: secret };
}

/**
 * Re-encrypts up to `batch` secrets that are encrypted with a configured key other than the current one. Secrets of a lost key stay, until a
 * rotation replaces them. Returns the number of re-encrypted secrets.
 */
export function reencryptSecrets(sql: Sql, keyring: Keyring, batch: number): Promise<number> {
  return sql.begin(async (tx) => {
    const otherKeys = keyring.keyIds.filter((id) => id !== keyring.currentKeyId);
    const secrets = await lockSecretsOfKeys(tx, otherKeys, batch);
    for (const stored of secrets) {
      const { id, endpointId } = stored;
      await updateCiphertext(tx, id, keyring.encrypt(keyring.decrypt(stored, endpointId), endpointId));
    }
    return secrets.length;
  });
}
