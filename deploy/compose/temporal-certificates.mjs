/** Creates the certificates for mutual TLS between Temporal's server and its clients, signed by a new certificate authority. */
// The polyfill reflect-metadata must be loaded before @peculiar/x509, which uses it when it is imported.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const YEAR_MS = 365 * 86_400_000;
/**
 * The certificates are valid for ten years, because no part of Carecover warns before they expire. If a key leaks, all certificates are
 * replaced.
 */
const VALID_MS = 10 * YEAR_MS;

/** Returns a positive, unique serial number for a certificate, in hexadecimal. */
const serialNumber = () => `4${randomBytes(15).toString('hex')}`.padEnd(32, '0');
const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/**
 * Creates the certificates and their keys as PEM texts, by the names of their secrets. The key of the certificate authority is not kept, so
 * that it can't sign further certificates.
 */
export async function createTemporalCertificates() {
  x509.cryptoProvider.set(webcrypto);
  const validity = {
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + VALID_MS),
  };
  const authorityKeys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Carecover Temporal certificate authority',
    ...validity,
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  const files = { temporal_authority: authority.toString('pem') };
  // The certificate of Temporal's server is also a client certificate, because the services of the server call each other.
  const leaves = {
    server: ['temporal', [x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]],
    client: ['carecover', [x509.ExtendedKeyUsage.clientAuth]],
  };
  for (const [leaf, [name, usages]] of Object.entries(leaves)) {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: `CN=${name}`,
      issuer: authority.subject,
      ...validity,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension(usages),
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      ],
    });
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    files[`temporal_${leaf}_certificate`] = certificate.toString('pem');
    files[`temporal_${leaf}_key`] = x509.PemConverter.encode(key, 'PRIVATE KEY');
  }
  return files;
}
