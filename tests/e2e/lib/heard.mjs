/* What a screen reader announces without being asked: changes in live regions, and dialogs that take the
 * focus. One line each, preceded by the region's role. A region that is inserted with its text is not
 * announced, unless it is an alert: browsers and screen readers disagree about it. */
import { openPage } from './browser.mjs';

/** In the page, before its own scripts. */
function listen() {
  const LIVE = '[aria-live], [role=status], [role=alert], [role=log]';
  const lines = [];
  const plain = (text) => text.replace(/\s+/g, ' ').trim();
  const words = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.ariaHidden === 'true' || !node.checkVisibility())
      return '';
    return node.ariaLabel ?? [...node.childNodes].map(words).join(' ');
  };
  const add = (kind, text) => {
    const said = plain(text).replaceAll(/ ([.,:!?])/g, '$1');
    if (said) lines.push(`${kind}: ${said}`);
  };
  const added = (records) => {
    const all = new Set(
      records.flatMap(({ type, target, addedNodes }) =>
        type === 'characterData' ? target : [...addedNodes],
      ),
    );
    const inside = (node) => {
      for (let up = node.parentNode; up; up = up.parentNode) if (all.has(up)) return true;
      return false;
    };
    return [...all].filter((node) => node.isConnected && !inside(node));
  };
  /* A log announces additions, any other region its whole content. */
  new MutationObserver((records) => {
    const regions = new Set();
    for (const node of added(records)) {
      const region = node.parentElement?.closest(LIVE);
      if (region?.role === 'log') add('log', words(node));
      else if (region) regions.add(region);
      else if (node.nodeType === Node.ELEMENT_NODE) {
        const alerts = [...node.querySelectorAll('[role=alert]'), ...(node.role === 'alert' ? [node] : [])];
        for (const alert of alerts) regions.add(alert);
      }
    }
    for (const region of regions)
      if (region.ariaLive !== 'off') add(region.role ?? region.ariaLive, words(region));
  }).observe(document, { childList: true, characterData: true, subtree: true });

  let within = null;
  const labels = (element, by) =>
    (element.getAttribute(by) ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '');
  const entered = (dialog, target) => {
    const all = [
      dialog.ariaLabel ?? '',
      ...labels(dialog, 'aria-labelledby'),
      ...labels(dialog, 'aria-describedby'),
    ];
    const focused = target === dialog ? '' : `[${plain(target.ariaLabel ?? target.textContent)}]`;
    add(dialog.role, [...all, focused].filter(Boolean).join(' · '));
  };
  addEventListener('focusin', ({ target }) => {
    const dialog = target.closest('[role=dialog], [role=alertdialog]');
    if (dialog && dialog !== within) setTimeout(() => entered(dialog, target)); // its labels may arrive later
    within = dialog;
  });
  window.heard = lines;
}

/** From its next document on, the page records announcements. */
export const overhear = (page) => page.addInitScript(listen);

/** A page that records announcements. */
export async function openHeard(browser, options) {
  const opened = await openPage(browser, options);
  await overhear(opened.page);
  return opened;
}

/** Records an action of the player between the announced lines. */
export const note = (page, text) => page.evaluate((what) => void window.heard.push(`> ${what}`), text);

/** All announcements in this document. */
export const heard = (page) => page.evaluate(() => window.heard);
