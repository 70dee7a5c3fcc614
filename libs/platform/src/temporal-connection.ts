/**
 * How Temporal is reached: over TLS with a client certificate, as a server of one's own should ask, or with an API key, as Temporal
 * Cloud does; plainly in the modes `local` and `test` alone.
 */
export interface TemporalSettings {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
  /** Null or absent where the server asks for a certificate, or for nothing. */
  readonly TEMPORAL_API_KEY?: string | null;
  /** PEM: what the server is told who we are by, and the key of it. */
  readonly TEMPORAL_TLS_CLIENT_CERT_PATH?: Buffer | null;
  readonly TEMPORAL_TLS_CLIENT_KEY_PATH?: Buffer | null;
  /** PEM: who must have signed the server's certificate; the authorities that Node trusts unless given. */
  readonly TEMPORAL_TLS_SERVER_CA_CERT_PATH?: Buffer | null;
  /** The name in the server's certificate, where it is not the one in the address. */
  readonly TEMPORAL_TLS_SERVER_NAME?: string | null;
}

/** What the client's and the worker's connections are made with. */
export function connectionOptions(settings: TemporalSettings) {
  const {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_API_KEY: apiKey,
    TEMPORAL_TLS_CLIENT_CERT_PATH: crt,
    TEMPORAL_TLS_CLIENT_KEY_PATH: key,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority,
    TEMPORAL_TLS_SERVER_NAME: serverName,
  } = settings;
  const tls = {
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
    ...(authority ? { serverRootCACertificate: authority } : {}),
    ...(serverName ? { serverNameOverride: serverName } : {}),
  };
  const isTls = Boolean(apiKey) || Object.keys(tls).length > 0;
  return { address, ...(apiKey ? { apiKey } : {}), ...(isTls ? { tls } : {}) };
}
