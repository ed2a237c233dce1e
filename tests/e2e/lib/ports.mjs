import { createServer } from 'node:net';

/** `n` free ports of 127.0.0.1. All are held until the last one is found, so that they are distinct. */
export async function freePorts(n) {
  const probes = [];
  while (probes.length < n)
    probes.push(
      await new Promise((done, failed) => {
        const probe = createServer().once('error', failed);
        probe.listen(0, '127.0.0.1', () => done(probe));
      }),
    );
  const ports = probes.map((probe) => probe.address().port);
  await Promise.all(probes.map((probe) => new Promise((done) => probe.close(done))));
  return ports;
}
