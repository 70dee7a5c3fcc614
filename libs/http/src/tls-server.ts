/** The HTTPS server of the processes that clients on the internet connect to: the gateway and the console. */
import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';

export interface TlsCertificate {
  /** The certificate, with those of its intermediate authorities, in PEM. */
  readonly certificate: Buffer;
  /** The key of the certificate, in PEM. */
  readonly key: Buffer;
}

/** The cipher suites of TLS 1.3, and those of TLS 1.2 with forward secrecy and authenticated encryption. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/**
 * Returns the certificate of a process; null if a proxy terminates TLS. The loader of the settings rejects one without the other.
 *
 * @example const tls = tlsOf(settings); // with TLS_CERTIFICATE: setting.optional(setting.pemFile())
 */
export function tlsOf(settings: {
  readonly TLS_CERTIFICATE: Buffer | null;
  readonly TLS_KEY: Buffer | null;
}): TlsCertificate | null {
  const { TLS_CERTIFICATE: certificate, TLS_KEY: key } = settings;
  return certificate === null || key === null ? null : { certificate, key };
}

/** Maximum time in milliseconds from the start of a TLS handshake until its end. */
export const HANDSHAKE_MS = 10_000;

/** Creates an HTTPS server with TLS 1.3, or TLS 1.2 with authenticated encryption and forward secrecy. @throws Error for an invalid certificate */
export function createTlsServer({ certificate, key }: TlsCertificate, options: ServerOptions = {}): Server {
  return createServer({
    handshakeTimeout: HANDSHAKE_MS,
    ...options,
    cert: certificate,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS,
    // A handshake takes more processor time on the server than on the client, so a connection has only one handshake.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });
}
