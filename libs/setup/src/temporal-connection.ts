/**
 * Connections to Temporal: over TLS with a client certificate (self-hosted) or an API key (Temporal Cloud); without TLS only in the
 * modes `local` and `test`.
 */
export interface TemporalSettings {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
  /** The API key for Temporal Cloud. */
  readonly TEMPORAL_API_KEY?: string | null;
  /** The client certificate and its key, both in PEM. */
  readonly TEMPORAL_TLS_CLIENT_CERT_PATH?: Buffer | null;
  readonly TEMPORAL_TLS_CLIENT_KEY_PATH?: Buffer | null;
  /** The certificate, in PEM, of the authority that signed the server's certificate; by default, the authorities that Node trusts. */
  readonly TEMPORAL_TLS_SERVER_CA_CERT_PATH?: Buffer | null;
  /** The name in the server's certificate, if it differs from the host of the address. */
  readonly TEMPORAL_TLS_SERVER_NAME?: string | null;
  /** The release of this process's worker; null: the worker has no version. */
  readonly WORKER_BUILD_ID?: string | null;
  /** The number of runs that a worker keeps in memory. A run that is not kept is replayed from its history for its next task. */
  readonly WORKER_CACHED_RUNS?: number;
}

/** Returns the connection options for clients and workers. */
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
