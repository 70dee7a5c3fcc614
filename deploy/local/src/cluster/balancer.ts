/**
 * A TCP load balancer on the loopback address. It replaces the load balancer of a platform, such as a Kubernetes Service: new connections
 * go to the targets in rotation. A target that is not ready, for example because it stops, gets no new connections. If a target does not
 * respond to its health check, its connections are closed.
 */
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';

const CHECK_INTERVAL_MS = 500;
const CHECK_TIMEOUT_MS = 1_500;
const CONNECT_TIMEOUT_MS = 1_000;

interface Target {
  readonly port: number;
  /** Returns whether the target accepts new requests. @throws if the target does not respond */
  readonly check: () => Promise<boolean>;
}

/** Checks the readiness route of a process over HTTP. */
export const httpCheck = (healthPort: number) => async () => {
  const url = `http://127.0.0.1:${healthPort}/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
  await response.arrayBuffer();
  return response.ok;
};

/** Checks that a gRPC server responds to an HTTP/2 PING, which a suspended process does not. */
export const grpcCheck = (port: number) => () =>
  new Promise<boolean>((resolve, reject) => {
    const session: ClientHttp2Session = connectHttp2(`http://127.0.0.1:${port}`);
    const timer = setTimeout(() => session.destroy(new Error('no response to a PING')), CHECK_TIMEOUT_MS);
    session.once('error', reject);
    session.once('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was closed'));
    });
    session.once('connect', () => {
      // The connection can be closed by the peer, or by the timer, before this listener is called.
      if (session.destroyed || session.closed) return;
      session.ping((error) => {
        if (error === null) resolve(true);
        else reject(error);
        session.close();
      });
    });
  });

interface TargetState extends Target {
  isHealthy: boolean;
  readonly sockets: Set<Socket>;
}

export class Balancer {
  private readonly server: Server;
  private targets: readonly TargetState[] = [];
  private next = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor() {
    this.server = createServer((client) => this.forward(client));
    this.timer = setInterval(() => void this.checkAll(), CHECK_INTERVAL_MS);
  }

  /** Starts a balancer that listens on the port. It closes every connection until it has targets. */
  static async listen(port: number): Promise<Balancer> {
    const balancer = new Balancer();
    await new Promise<void>((resolve, reject) => {
      balancer.server.once('error', reject);
      balancer.server.listen(port, '127.0.0.1', resolve);
    });
    return balancer;
  }

  /** Replaces the targets, and closes all connections to the previous targets. */
  setTargets(targets: readonly Target[]): void {
    const previous = this.targets;
    this.targets = targets.map((target) => ({ ...target, isHealthy: true, sockets: new Set() }));
    for (const target of previous) closeConnections(target);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.setTargets([]);
    await new Promise((resolve) => this.server.close(resolve));
  }

  private forward(client: Socket): void {
    client.on('error', () => client.destroy());
    client.setNoDelay(true);
    const start = this.next++;
    const rotated = this.targets.map((_, index) => this.targets[(start + index) % this.targets.length]);
    const order = rotated.filter((target) => target !== undefined);
    // Unhealthy targets are tried last. If all targets fail their checks, a connection still reaches one that has recovered since its
    // check.
    this.connectTo(
      client,
      order.sort((a, b) => Number(b.isHealthy) - Number(a.isHealthy)),
    );
  }

  private connectTo(client: Socket, [target, ...others]: readonly TargetState[]): void {
    if (target === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const upstream = connect(target.port, '127.0.0.1');
    upstream.setNoDelay(true);
    upstream.setTimeout(CONNECT_TIMEOUT_MS, () => upstream.destroy(new Error('no connection in time')));
    const tryOthers = () => this.connectTo(client, others);
    upstream.once('error', tryOthers);
    upstream.once('connect', () => {
      upstream.setTimeout(0);
      upstream.off('error', tryOthers);
      upstream.on('error', () => client.destroy());
      target.sockets.add(upstream);
      const end = () => {
        target.sockets.delete(upstream);
        upstream.destroy();
        client.destroy();
      };
      upstream.once('close', end);
      client.once('close', end);
      client.pipe(upstream).pipe(client);
      if (client.destroyed || !this.targets.includes(target)) end();
    });
  }

  private async checkAll(): Promise<void> {
    await Promise.all(
      this.targets.map(async (target) => {
        target.isHealthy = await target.check().catch(() => {
          closeConnections(target);
          return false;
        });
      }),
    );
  }
}

function closeConnections({ sockets }: TargetState): void {
  for (const socket of sockets) socket.destroy();
}
