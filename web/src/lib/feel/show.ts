/* Opens the settings on any page, whether or not a player is signed in. The dialog is loaded on first
 * use. */
import { part } from '$lib/parts/parts.svelte';
import { mount, unmount } from 'svelte';

let open = false;

export async function showSettings(): Promise<void> {
  if (open) return;
  open = true;
  const { default: SettingsDialog } = await part(() => import('./SettingsDialog.svelte'));
  const onclose = () => {
    open = false;
    void unmount(dialog);
  };
  const dialog = mount(SettingsDialog, { target: document.body, props: { onclose } });
}
