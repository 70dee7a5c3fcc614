/**
 * The configured encryption keys of stored signing secrets: the first key encrypts, all keys decrypt. To rotate them, an operator appends a
 * new key to the setting of all processes and then moves it to the first position. A sweep then re-encrypts all secrets, after which the
 * old key can be removed.
 *
 * Failure policy: closed. A secret that was altered, copied to another endpoint, or encrypted with an unknown key is not decrypted.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SettingReader } from '@carecover/config';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The encrypted form of a signing secret, as it is stored, with the ID of the key that decrypts it. */
export interface EncryptedSecret {
  readonly keyId: string;
  /** The nonce, the encrypted secret and the authentication tag of AES-256-GCM, in this order. */
  readonly ciphertext: Uint8Array;
}

export class Keyring {
  /** The ID of the key with which secrets are encrypted. */
  readonly currentKeyId: string;

  /**
   * Creates a keyring.
   *
   * @param keys the keys by ID, 32 bytes each; the first key encrypts
   * @throws Error if `keys` is empty
   */
  constructor(private readonly keys: ReadonlyMap<string, Buffer>) {
    const [first] = keys.keys();
    if (first === undefined) throw new Error('a keyring must have at least one key');
    this.currentKeyId = first;
  }

  /** Encrypts a signing secret. The endpoint's ID is authenticated data, so that the result can't be decrypted for another endpoint. */
  encrypt(secret: string, endpointId: string): EncryptedSecret {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(this.currentKeyId), nonce).setAAD(Buffer.from(endpointId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { keyId: this.currentKeyId, ciphertext: Buffer.concat([nonce, text, cipher.getAuthTag()]) };
  }

  /** Decrypts a signing secret. @throws Error if its key is not configured or the bytes were not encrypted for this endpoint */
  decrypt({ keyId, ciphertext }: EncryptedSecret, endpointId: string): string {
    const bytes = Buffer.from(ciphertext);
    const decipher = createDecipheriv(CIPHER, this.key(keyId), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(endpointId)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  /**
   * Decrypts the secrets of an endpoint, without those that can't be decrypted, such as replaced ones of a lost key.
   *
   * @throws Error if none can be decrypted
   */
  decryptEach(secrets: readonly EncryptedSecret[], endpointId: string): string[] {
    const errors: unknown[] = [];
    const decrypted = secrets.flatMap((secret) => {
      try {
        return [this.decrypt(secret, endpointId)];
      } catch (error) {
        errors.push(error);
        return [];
      }
    });
    if (decrypted.length === 0) throw new Error('no signing secret can be decrypted', { cause: errors[0] });
    return decrypted;
  }

  /** The IDs of the keys that can decrypt. */
  get keyIds(): readonly string[] {
    return [...this.keys.keys()];
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`the encryption key ${id} is not configured`);
    return key;
  }
}

/** Reads a keyring from a setting such as `id1:base64,id2:base64`. */
export const keyring: SettingReader<Keyring> = {
  expects: 'one or more id:key separated by commas, each key 32 bytes in base64, each id different',
  read(text) {
    const keys = new Map<string, Buffer>();
    for (const part of text.split(',')) {
      const [, id, base64] = /^\s*([\w-]{1,50}):([A-Za-z0-9+/]{43}=)\s*$/.exec(part) ?? [];
      if (id === undefined || base64 === undefined || keys.has(id)) return undefined;
      const key = Buffer.from(base64, 'base64');
      if (key.length !== KEY_BYTES) return undefined;
      keys.set(id, key);
    }
    return new Keyring(keys);
  },
};
