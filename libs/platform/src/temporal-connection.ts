/** How Temporal is reached: plainly on an inner network, or over TLS with an API key, as Temporal Cloud asks. */
export interface TemporalSettings {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
  /** Null or absent for a server of one's own. */
  readonly TEMPORAL_API_KEY?: string | null;
}

/** What the client's and the worker's connections are made with. */
export function connectionOptions({ TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: apiKey }: TemporalSettings) {
  return apiKey ? { address, apiKey, tls: true as const } : { address };
}
