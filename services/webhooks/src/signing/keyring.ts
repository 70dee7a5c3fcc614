/**
 * The keys that seal signing secrets at rest, from the configuration: the first seals, all open. An operator rotates them
 * by putting a new one first, once every replica has it; a sweep then seals everything again, and the old one can go.
 *
 * Failure policy: closed. What was altered, moved to another endpoint, or sealed under a key that is no longer configured
 * does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SettingReader } from '@carecover/platform';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A secret as it is stored: the nonce, the cipher text and the tag in one, and the id of the key. */
export interface Sealed {
  readonly keyId: string;
  readonly sealed: Uint8Array;
}

export class Keyring {
  /** The id of the key that seals. */
  readonly currentKeyId: string;

  /** @param keys by id, 32 bytes each, the sealing one first. @throws where there is none */
  constructor(private readonly keys: ReadonlyMap<string, Buffer>) {
    const [first] = keys.keys();
    if (first === undefined) throw new Error('a keyring needs a key');
    this.currentKeyId = first;
  }

  /** Seals `secret` for the endpoint: it opens for no other. */
  seal(secret: string, endpointId: string): Sealed {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key(this.currentKeyId), nonce).setAAD(Buffer.from(endpointId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { keyId: this.currentKeyId, sealed: Buffer.concat([nonce, text, cipher.getAuthTag()]) };
  }

  /** @throws where the key is unknown or the bytes are not what was sealed for this endpoint */
  open({ keyId, sealed }: Sealed, endpointId: string): string {
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv(CIPHER, this.key(keyId), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(endpointId)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`the encryption key ${id} is not configured`);
    return key;
  }
}

/** Reads the setting `id:base64,id:base64`. */
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
