/* A proxy to a local port whose connections a test can kill silently: it stops passing bytes and closes
 * nothing, like a radio out of range. Data sent meanwhile arrives when it recovers. The proxy can also be
 * cut, and then refuses all connections. */
import { createServer, connect } from 'node:net';

export class Line {
  /** Both ends of each connection; `dead` ones never recover. */
  pairs = new Set();
  stalled = { up: false, down: false };
  down = false;

  /** It listens on `port`; `to` may be set later. */
  async start(to = 0) {
    this.to = to;
    this.server = createServer({ allowHalfOpen: true }, (near) => this.join(near));
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.port = this.server.address().port;
    return this;
  }

  join(near) {
    if (this.down) {
      near.destroy();
      return;
    }
    const pair = { near, far: connect({ port: this.to, host: '127.0.0.1', allowHalfOpen: true }) };
    this.pairs.add(pair);
    const pass = (from, to) => {
      from.on('data', (bytes) => to.write(bytes));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => to.closed || to.end());
    };
    pass(pair.near, pair.far);
    pass(pair.far, pair.near);
    pair.near.on('close', () => this.pairs.delete(pair));
    this.hold(pair);
  }

  hold({ near, far, dead }) {
    near[dead || this.stalled.up ? 'pause' : 'resume']();
    far[dead || this.stalled.down ? 'pause' : 'resume']();
  }

  /** Stops passing bytes; up: from the page, down: to it. */
  stall({ up = true, down = true } = {}) {
    this.stalled = { up, down };
    for (const pair of this.pairs) this.hold(pair);
  }

  /** Ends all connections; new ones are refused. */
  cut() {
    this.down = true;
    for (const { near, far } of this.pairs) {
      near.destroy();
      far.destroy();
    }
    this.pairs.clear();
  }

  /** Passes bytes again; old: also for existing connections. */
  carry({ old = true } = {}) {
    this.down = false;
    if (!old) for (const pair of this.pairs) pair.dead = true;
    this.stall({ up: false, down: false });
  }

  stop() {
    this.cut();
    return new Promise((done) => this.server.close(done));
  }
}
