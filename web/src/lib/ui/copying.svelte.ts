/* Copying a text at a click, for what shows it in a field. */

export class Copying {
  /** It is in the clipboard. */
  done = $state(false);

  /** Where there is no clipboard, the text is selected at least: the field selects what it has when it is focused. */
  async copy(text: string, field: HTMLElement | undefined): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.done = true;
    } catch {
      field?.focus();
    }
  }
}
