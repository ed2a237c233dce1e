/* Copying the text of a field with a click. */

export class Copying {
  /** Whether the text is in the clipboard. */
  done = $state(false);

  /** Without a clipboard, the text is at least selected, because the field selects its content on focus. */
  async copy(text: string, field: HTMLElement | undefined): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.done = true;
    } catch {
      field?.focus();
    }
  }
}
