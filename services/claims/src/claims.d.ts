/** The claims service put together: its settings, and the parts that a process of it runs. */
import { type Config, Engine, type Handlers, type Sql } from '@carecover/platform';
export declare const CLAIMS_SETTINGS: {
    readonly CARECOVER_ENVIRONMENT: import("@carecover/platform").Reader<"production" | "sandbox">;
    readonly CARECOVER_MODE: import("@carecover/platform").Reader<"local" | "production" | "test">;
    readonly HOST: import("@carecover/platform").Reader<string>;
    readonly PORT: import("@carecover/platform").Reader<number>;
    readonly LOG_LEVEL: import("@carecover/platform").Reader<"debug" | "error" | "fatal" | "info" | "silent" | "warn">;
    readonly DATABASE_URL: import("@carecover/platform").Reader<string>;
    readonly DATABASE_POOL: import("@carecover/platform").Reader<number>;
    readonly CONTEXT_SECRET: import("@carecover/platform").Reader<string>;
    readonly TEMPORAL_ADDRESS: import("@carecover/platform").Reader<string>;
    readonly TEMPORAL_NAMESPACE: import("@carecover/platform").Reader<string>;
    readonly HASH_SECRET: import("@carecover/platform").Reader<string>;
    readonly NATS_URL: import("@carecover/platform").Reader<string>;
};
export type ClaimsConfig = Config<typeof CLAIMS_SETTINGS>;
/** Every operation that the contract gives to claims. */
export declare function claimsHandlers(sql: Sql, engine: Engine): Handlers;
/** Starts the parts that `roles` names (`server`, `worker`; both where none is named). */
export declare function startClaims(config: ClaimsConfig, roles: readonly string[]): Promise<import("@carecover/platform").Running & {
    readonly port: number | null;
}>;
