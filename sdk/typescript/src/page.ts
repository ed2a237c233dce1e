/* What a browser tells of its page and of its network. A program elsewhere is told nothing, and counts as looked at. */

type Page = Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>> & {
  document?: { visibilityState?: string };
};

const TOLD = ['online', 'offline', 'visibilitychange'] as const;
export type Told = (typeof TOLD)[number];

const page = globalThis as unknown as Page;

/** Nobody sees this page now. */
export function isHidden(): boolean {
  return page.document?.visibilityState === 'hidden';
}

/** Tells what happens to the page until the function that this answers is called. */
export function watchPage(tell: (what: Told) => void): () => void {
  const heard = (event: Event) => tell(event.type as Told);
  for (const what of TOLD) page.addEventListener?.(what, heard);
  return () => {
    for (const what of TOLD) page.removeEventListener?.(what, heard);
  };
}
