/** Dialogs that the menu of a table opens. */
export type Shown = 'rules' | 'log' | 'keys' | 'link';
