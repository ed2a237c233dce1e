/* Reads the number and the cost of frames from a trace of Chromium, for bench/motion.mjs.
 *
 * Times are processor times of a thread instead of wall times, so that other work on the machine hardly affects them.
 * Those of the page's main thread include the throttling of its processor. */

/** The categories of events that `read` needs. */
export const CATEGORIES = [
  '-*',
  '__metadata',
  'toplevel',
  'cc',
  'viz',
  'benchmark',
  'rail',
  'blink.animations',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
];

/** The time for a frame at 60 frames per second. */
const FRAME_MS = 1000 / 60;
const PAINT = ['PrePaint', 'Layerize', 'Paint', 'Commit'];
const PRESENTED = ['STATE_PRESENTED_ALL', 'STATE_PRESENTED_PARTIAL'];

const ms = (events) => events.reduce((sum, event) => sum + (event.tdur ?? 0), 0) / 1000;

/** The periods, in microseconds, in which animations and transitions ran. */
function moving(events) {
  const began = new Map();
  const spans = [];
  const last = events.reduce((latest, event) => Math.max(latest, event.ts), 0);
  for (const event of events.filter((one) => one.name === 'Animation').sort((a, b) => a.ts - b.ts)) {
    const id = event.id2?.local ?? event.id;
    if (event.ph === 'b') began.set(id, event.ts);
    else if (event.ph === 'e' && began.has(id)) {
      spans.push([began.get(id), event.ts]);
      began.delete(id);
    }
  }
  for (const from of began.values()) spans.push([from, last]);
  const merged = [];
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before && from <= before[1]) before[1] = Math.max(before[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The start times of the page's displayed frames. */
function presented(events, pid) {
  const state = (event) => (event.args.frame_reporter ?? event.args.chrome_frame_reporter)?.state;
  const own = events.filter(
    (event) => event.ph === 'b' && event.pid === pid && PRESENTED.includes(state(event)),
  );
  return own.map((event) => event.ts).sort((a, b) => a - b);
}

/** The main thread's events that are not nested in another one. */
function outermost(events) {
  let end = 0;
  return events
    .sort((a, b) => a.ts - b.ts)
    .filter((event) => {
      if (event.ts < end) return false;
      end = event.ts + event.dur;
      return true;
    });
}

/** trace: from Chromium. carried: an element was dragged all the time. Returns by name:
 *   seconds          in which animations ran; with `carried`, from the first frame to the last
 *   fps              frames per second in that time
 *   main             ms of the main thread, of which style, layout, and paint
 *   over             tasks of the main thread that took longer than a frame
 *   raster           ms of painting tiles
 *   draw, surfaces   per frame: ms to compose it, and the number of separate surfaces (a filter over a moving element
 *                    is one and is rendered again in every frame) */
export function read(trace, carried = false) {
  const { traceEvents: events } = JSON.parse(trace);
  const named = new Map();
  for (const event of events) {
    if (!named.has(event.name)) named.set(event.name, []);
    named.get(event.name).push(event);
  }
  const of = (name) => named.get(name) ?? [];
  const threads = new Map(of('thread_name').map((event) => [`${event.pid} ${event.tid}`, event.args.name]));
  const { pid } = of('ProxyMain::BeginMainFrame').at(-1) ?? of('UpdateLayoutTree').at(-1);
  const onMain = (event) =>
    event.pid === pid && event.ph === 'X' && threads.get(`${event.pid} ${event.tid}`) === 'CrRendererMain';
  const main = (name) => of(name).filter(onMain);
  const tasks = outermost(main('RunTask'));
  const shown = presented(of('PipelineReporter'), pid);
  const spans = carried ? [[shown[0], shown.at(-1)]] : moving(events.filter((event) => event.pid === pid));
  const seconds = spans.reduce((sum, [from, to]) => sum + to - from, 0) / 1e6;
  const frames = shown.filter((at) => spans.some(([from, to]) => from <= at && at <= to));
  const drawn = Math.max(1, of('DirectRenderer::DrawFrame').length);
  return {
    seconds,
    fps: frames.length / seconds,
    main: ms(tasks),
    style: ms(main('UpdateLayoutTree')),
    layout: ms(main('Layout')),
    paint: ms(PAINT.flatMap(main)),
    over: tasks.filter((task) => task.tdur / 1000 > FRAME_MS).length,
    raster: ms(of('RasterTask').filter((event) => event.pid === pid)),
    draw: ms(of('DirectRenderer::DrawFrame')) / drawn,
    surfaces: of('DirectRenderer::DrawRenderPass').length / drawn - 1,
  };
}
