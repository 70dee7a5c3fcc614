/** Creates the gateway's TLS certificate for the local stack: a certificate authority and one leaf certificate. */
// The polyfill reflect-metadata must be loaded before @peculiar/x509, which uses it when it is imported.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { readIfExists } from './files';

const DAY_MS = 86_400_000;
/** The longest validity that browsers accept for a certificate whose authority the user added, in milliseconds. */
const VALID_MS = 825 * DAY_MS;
const RENEW_BEFORE_MS = 30 * DAY_MS;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NAMES = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
] as const;

export interface Certificate {
  /** Paths of PEM files: of the certificate authority's certificate, of the leaf certificate, and of the leaf's key. */
  authority: string;
  leaf: string;
  key: string;
}

/** Returns the paths of the certificate in a folder. Creates the certificate if it is missing or expires within 30 days. */
export async function certificateIn(folder: string): Promise<Certificate> {
  const paths = {
    authority: join(folder, 'ca.pem'),
    leaf: join(folder, 'leaf.pem'),
    key: join(folder, 'leaf.key'),
  };
  const known = await readIfExists(paths.leaf);
  if (known !== undefined && new X509Certificate(known).notAfter.getTime() - Date.now() > RENEW_BEFORE_MS) {
    return paths;
  }
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const { authority, leaf, key } = await createCertificate();
  await writeFile(join(unfinished, 'ca.pem'), authority);
  await writeFile(join(unfinished, 'leaf.pem'), leaf);
  await writeFile(join(unfinished, 'leaf.key'), key, { mode: 0o600 });
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return paths;
}

/** Creates the certificates as PEM texts. The key of the authority is not kept, so that it can't sign further certificates. */
async function createCertificate(): Promise<{ authority: string; leaf: string; key: string }> {
  cryptoProvider.set(globalThis.crypto);
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + VALID_MS) };
  const authorityKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const authority = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Carecover local certificate authority',
    ...validity,
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const leafKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const leaf = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=localhost',
    issuer: authority.subject,
    ...validity,
    publicKey: leafKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([...NAMES]),
    ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey);
  return {
    authority: authority.toString('pem'),
    leaf: leaf.toString('pem'),
    key: PemConverter.encode(key, 'PRIVATE KEY'),
  };
}

/**
 * Returns a positive, unique serial number in hexadecimal. Some programs reject two certificates with the same issuer and serial number.
 */
function serialNumber(): string {
  return `4${randomBytes(15).toString('hex')}`.padEnd(32, '0');
}
