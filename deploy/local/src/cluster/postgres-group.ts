/**
 * A PostgreSQL primary with two synchronous standbys, and the promotion of a standby. Clients and standbys connect to the port of a
 * balancer, whose only target is the primary (decision 0033).
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Child, Children } from '../children';
import { StartFailure } from '../failure';
import { readIfExists, writeAtomically } from '../files';
import { ADMIN_ROLE, databaseUrl, initCluster, startPostgres, withConnection } from '../postgres';
import { killProcessTree } from '../process-tree';
import { Supervised } from '../supervised';
import type { Balancer } from './balancer';

const run = promisify(execFile);

/** The database role with which standbys receive changes. */
const REPLICATION_ROLE = 'replicator';
/** The maximum for each server: ten per process of the services, their listeners, and those of Temporal's nodes. */
export const MAX_CONNECTIONS = '600';
/**
 * Files in the data folder of a running server that a copy leaves out. The standby receives the write-ahead log from the primary instead.
 */
const NOT_COPIED = ['pg_wal', 'postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf', 'standby.signal'];
const STREAMING_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const ANSWER_TIMEOUT_MS = 5_000;

interface PostgresGroupOptions {
  children: Children;
  folder: string;
  logs: string;
  /** The port of each server. In a new group, the first server is the primary. */
  ports: readonly number[];
  /** The port of the balancer whose target is the primary. */
  primaryPort: number;
  balancer: Balancer;
  passwords: { admin: string; betweenServers: string };
  print: (line: string) => void;
}

interface Member {
  readonly name: string;
  readonly port: number;
  readonly data: string;
  readonly supervised: Supervised;
}

export class PostgresGroup {
  readonly members: readonly Member[];
  private primary_: Member;
  private readonly stateFile: string;

  constructor(private readonly options: PostgresGroupOptions) {
    this.stateFile = join(options.folder, 'postgresql.primary');
    this.members = options.ports.map((port, index) => {
      const name = `postgresql-${index + 1}`;
      const member: Member = {
        name,
        port,
        data: join(options.folder, name),
        supervised: new Supervised(name, () => this.startMember(member), options.print),
      };
      return member;
    });
    this.primary_ = this.member('postgresql-1');
  }

  /** The name of the primary. */
  get primary(): string {
    return this.primary_.name;
  }

  /** Starts all servers. Creates the data of the primary and copies it to the standbys if they are missing. */
  async start(): Promise<void> {
    const known = await readIfExists(this.stateFile);
    this.primary_ = this.member(known ?? 'postgresql-1');
    const { data } = this.primary_;
    if (!existsSync(data)) {
      await initCluster(data, { auth: 'scram-sha-256', password: this.options.passwords.admin });
    }
    await writeAtomically(this.stateFile, this.primary_.name);
    await this.primary_.supervised.start();
    this.routeToPrimary();
    await this.ensureReplicationRole();
    await Promise.all(this.standbys().map(({ supervised }) => supervised.start()));
    await this.waitUntilStreaming(this.standbys().length);
  }

  /**
   * Promotes the standby that has received the most of the write-ahead log, and starts the old primary as a standby with a new copy of
   * the data. The old primary is killed first, so that it can't commit anything.
   *
   * @throws StartFailure if a standby does not respond, because it can be the only standby that has an acknowledged commit
   */
  async promote(): Promise<string> {
    const old = this.primary_;
    if ((await this.mostAdvancedStandby()) === null) {
      throw new StartFailure(
        'No standby is promoted: each commit is on the primary and on one standby or more, so that both standbys must respond. Start the missing one first.',
      );
    }
    this.options.balancer.setTargets([]);
    if (old.supervised.pid !== undefined) killProcessTree(old.supervised.pid);
    await old.supervised.kill();
    // The positions of the standbys are read a second time, because the old primary could commit until it was killed.
    const best = await this.mostAdvancedStandby();
    if (best === null) {
      await old.supervised.start();
      this.routeToPrimary();
      throw new StartFailure(
        `No standby is promoted, because one stopped meanwhile. ${old.name} runs again.`,
      );
    }
    await withConnection(this.url(best.port), (client) => client.query('select pg_promote(true, 30)'));
    this.primary_ = best;
    await writeAtomically(this.stateFile, best.name);
    this.routeToPrimary();
    void old.supervised.start().catch((error: unknown) => {
      this.options.print(`${old.name} can't be started as a standby: ${String(error)}`);
    });
    return best.name;
  }

  /** Returns the standby that has received the most of the write-ahead log; null if a standby does not respond. */
  private async mostAdvancedStandby(): Promise<Member | null> {
    let best: { readonly standby: Member; readonly position: bigint } | null = null;
    for (const { standby, position } of await Promise.all(
      this.standbys().map(async (each) => ({ standby: each, position: await this.receivedPosition(each) })),
    )) {
      if (position === undefined) return null;
      if (best === null || position > best.position) best = { standby, position };
    }
    return best?.standby ?? null;
  }

  /** Resolves when `count` standbys are connected to the primary and receive its changes. */
  async waitUntilStreaming(count: number): Promise<void> {
    const deadline = Date.now() + STREAMING_TIMEOUT_MS;
    while ((await this.countStreaming()) < count) {
      if (Date.now() > deadline) throw new StartFailure('The standbys of PostgreSQL receive no changes.');
      await sleep(POLL_MS);
    }
  }

  private async countStreaming(): Promise<number> {
    return withConnection(this.url(this.primary_.port), async (client) => {
      const query = "select count(*)::int as count from pg_stat_replication where state = 'streaming'";
      return (await client.query<{ count: number }>(query)).rows[0]?.count ?? 0;
    });
  }

  private member(name: string): Member {
    const found = this.members.find((member) => member.name === name);
    if (found === undefined) throw new Error(`there is no server ${name}`);
    return found;
  }

  private standbys(): Member[] {
    return this.members.filter((member) => member !== this.primary_);
  }

  private url(port: number): string {
    return databaseUrl({
      port,
      role: ADMIN_ROLE,
      password: this.options.passwords.admin,
      database: ADMIN_ROLE,
    });
  }

  private routeToPrimary(): void {
    // The health check of the balancer's only target always succeeds, because only a promotion may make another server the target.
    this.options.balancer.setTargets([{ port: this.primary_.port, check: async () => true }]);
  }

  private async ensureReplicationRole(): Promise<void> {
    await withConnection(this.url(this.primary_.port), async (client) => {
      // This database session does not wait for a standby at a commit: no standby is connected yet, so the wait would not end.
      await client.query('set synchronous_commit = local');
      const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [REPLICATION_ROLE]);
      if (rows.length === 0) await client.query(`create role ${REPLICATION_ROLE} login replication`);
      const password = client.escapeLiteral(this.options.passwords.betweenServers);
      await client.query(`alter role ${REPLICATION_ROLE} password ${password}`);
    });
  }

  /** Returns the position in the write-ahead log up to which a standby has received changes; undefined if it does not respond. */
  private async receivedPosition({ port }: Member): Promise<bigint | undefined> {
    const read = withConnection(this.url(port), async (client) => {
      const query = `select pg_wal_lsn_diff(coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0')::text as position`;
      return BigInt((await client.query<{ position: string }>(query)).rows[0]?.position ?? -1);
    });
    return Promise.race([read, sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false })]).catch(() => undefined);
  }

  private async startMember(member: Member): Promise<Child> {
    const { children, passwords, logs } = this.options;
    const isPrimary = member === this.primary_;
    // A server that is not the primary, and whose data are not those of a standby, gets a new copy of the primary's data. It can be an
    // earlier primary, with commits that the promoted standby does not have.
    if (!isPrimary && !existsSync(join(member.data, 'standby.signal'))) await this.copyPrimary(member);
    if (!isPrimary) await this.writeConnectionToPrimary(member);
    const others = this.members.filter((other) => other !== member).map(({ name }) => `"${name}"`);
    return startPostgres({
      children,
      name: member.name,
      dataFolder: member.data,
      logFile: join(logs, `${member.name}.log`),
      port: member.port,
      password: passwords.admin,
      settings: {
        max_connections: MAX_CONNECTIONS,
        synchronous_commit: 'on',
        synchronous_standby_names: `ANY 1 (${others.join(', ')})`,
        wal_keep_size: '1GB',
        wal_sender_timeout: '5s',
        wal_receiver_timeout: '5s',
        wal_retrieve_retry_interval: '200ms',
      },
    });
  }

  /**
   * Writes the address of the primary and the password to a configuration file of the standby, and not to its command line, which other
   * users of the machine can read.
   */
  private async writeConnectionToPrimary({ name, data }: Member): Promise<void> {
    const { primaryPort, passwords } = this.options;
    const target = `host=127.0.0.1 port=${primaryPort} user=${REPLICATION_ROLE} password=${passwords.betweenServers} application_name=${name}`;
    await writeAtomically(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${target}'\n`);
  }

  /** Replaces the data of a server by a copy of the running primary's data, made with the SQL functions that pg_basebackup uses too. */
  private async copyPrimary(member: Member): Promise<void> {
    const { data: source, port } = this.primary_;
    const copied = `${member.data}.unfinished`;
    await rm(copied, { recursive: true, force: true });
    await mkdir(copied, { mode: 0o700 });
    await withConnection(this.url(port), async (client) => {
      await client.query('select pg_backup_start($1, true)', [member.name]);
      for (const name of await readdir(source)) {
        if (!NOT_COPIED.includes(name)) await run('cp', ['-a', join(source, name), copied]);
      }
      const query = 'select labelfile from pg_backup_stop(false)';
      const { rows } = await client.query<{ labelfile: string }>(query);
      await writeFile(join(copied, 'backup_label'), rows[0]?.labelfile ?? '');
    });
    await mkdir(join(copied, 'pg_wal'), { mode: 0o700 });
    await writeFile(join(copied, 'standby.signal'), '');
    // The copy gets the owner of the primary's data folder, because the user that runs a PostgreSQL server must own its data folder.
    const { uid, gid } = await stat(source);
    await run('chown', ['-R', `${uid}:${gid}`, copied]);
    await rm(member.data, { recursive: true, force: true });
    await rename(copied, member.data);
  }
}
