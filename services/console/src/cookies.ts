/** The cookies of the console: of its sessions, and of sign-ins that have not ended. No script of a page can read them. */
import type { Context } from 'koa';

export class Cookies {
  private readonly isSecure: boolean;

  /** @param consoleUrl the address of the console, as a browser sees it */
  constructor(consoleUrl: string) {
    this.isSecure = consoleUrl.startsWith('https:');
  }

  /** Returns a cookie's name in the browser. The prefix `__Host-` binds a cookie to exactly this host and to TLS. */
  nameOf(name: string): string {
    return this.isSecure ? `__Host-${name}` : name;
  }

  get(ctx: Context, name: string): string | undefined {
    return ctx.cookies.get(this.nameOf(name));
  }

  /**
   * Sets a cookie.
   *
   * @param value null deletes the cookie
   * @param maxAgeMs absent: until the browser ends
   */
  set(ctx: Context, name: string, value: string | null, maxAgeMs?: number): void {
    // Behind a proxy that terminates TLS, the request is plain HTTP, and Koa would reject a secure cookie.
    ctx.cookies.secure = this.isSecure;
    ctx.cookies.set(this.nameOf(name), value, {
      httpOnly: true,
      sameSite: 'lax',
      secure: this.isSecure,
      overwrite: true,
      path: '/',
      ...(maxAgeMs === undefined ? {} : { maxAge: maxAgeMs }),
    });
  }
}
