/* Events of the browser's page and network. Outside of a browser, there are none, and the page counts as
 * visible. */

type Page = Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>> & {
  document?: { visibilityState?: string };
};

const TOLD = ['online', 'offline', 'visibilitychange'] as const;
export type Told = (typeof TOLD)[number];

const page = globalThis as unknown as Page;

/** Whether the page is hidden. */
export function isHidden(): boolean {
  return page.document?.visibilityState === 'hidden';
}

/** Reports page events until the returned function is called. */
export function watchPage(tell: (what: Told) => void): () => void {
  const heard = (event: Event) => tell(event.type as Told);
  for (const what of TOLD) page.addEventListener?.(what, heard);
  return () => {
    for (const what of TOLD) page.removeEventListener?.(what, heard);
  };
}
