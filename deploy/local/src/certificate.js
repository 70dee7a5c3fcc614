Object.defineProperty(exports, '__esModule', { value: true });
exports.certificateIn = certificateIn;
/** The gateway's TLS certificate on this machine: a certificate authority of the folder's own, and one leaf signed by it. */
const node_crypto_1 = require('node:crypto');
const promises_1 = require('node:fs/promises');
const node_path_1 = require('node:path');
const x509_1 = require('@peculiar/x509');
const files_1 = require('./files');
const DAY_MS = 86_400_000;
/** What browsers accept at most. */
const VALID_MS = 825 * DAY_MS;
const RENEW_BEFORE_MS = 30 * DAY_MS;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NAMES = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
];
/** The folder's certificate; made anew when there is none, or it ends within a month. */
async function certificateIn(folder) {
  const paths = {
    authority: (0, node_path_1.join)(folder, 'ca.pem'),
    leaf: (0, node_path_1.join)(folder, 'leaf.pem'),
    key: (0, node_path_1.join)(folder, 'leaf.key'),
  };
  const known = await (0, files_1.readIfThere)(paths.leaf);
  if (
    known !== undefined &&
    new x509_1.X509Certificate(known).notAfter.getTime() - Date.now() > RENEW_BEFORE_MS
  ) {
    return paths;
  }
  const unfinished = `${folder}.unfinished`;
  await (0, promises_1.rm)(unfinished, { recursive: true, force: true });
  await (0, promises_1.mkdir)(unfinished, { recursive: true, mode: 0o700 });
  const { authority, leaf, key } = await makeCertificate();
  await (0, promises_1.writeFile)((0, node_path_1.join)(unfinished, 'ca.pem'), authority);
  await (0, promises_1.writeFile)((0, node_path_1.join)(unfinished, 'leaf.pem'), leaf);
  await (0, promises_1.writeFile)((0, node_path_1.join)(unfinished, 'leaf.key'), key, { mode: 0o600 });
  await (0, promises_1.rm)(folder, { recursive: true, force: true });
  await (0, promises_1.rename)(unfinished, folder);
  return paths;
}
/** PEM texts. The authority's own key is forgotten, so that nothing else can ever be signed with it. */
async function makeCertificate() {
  x509_1.cryptoProvider.set(node_crypto_1.webcrypto);
  const validity = { notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + VALID_MS) };
  const authorityKeys = await node_crypto_1.webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const authority = await x509_1.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Carecover local certificate authority',
    ...validity,
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509_1.BasicConstraintsExtension(true, 0, true),
      new x509_1.KeyUsagesExtension(x509_1.KeyUsageFlags.keyCertSign | x509_1.KeyUsageFlags.cRLSign, true),
    ],
  });
  const leafKeys = await node_crypto_1.webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const leaf = await x509_1.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=localhost',
    issuer: authority.subject,
    ...validity,
    publicKey: leafKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509_1.BasicConstraintsExtension(false, undefined, true),
      new x509_1.KeyUsagesExtension(x509_1.KeyUsageFlags.digitalSignature, true),
      new x509_1.ExtendedKeyUsageExtension([x509_1.ExtendedKeyUsage.serverAuth]),
      new x509_1.SubjectAlternativeNameExtension([...NAMES]),
    ],
  });
  const key = await node_crypto_1.webcrypto.subtle.exportKey('pkcs8', leafKeys.privateKey);
  return {
    authority: authority.toString('pem'),
    leaf: leaf.toString('pem'),
    key: x509_1.PemConverter.encode(key, 'PRIVATE KEY'),
  };
}
/** Positive and never the same twice: some programs refuse two certificates of one issuer and number. */
function serialNumber() {
  return `4${(0, node_crypto_1.randomBytes)(15).toString('hex')}`.padEnd(32, '0');
}
