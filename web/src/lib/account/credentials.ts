/** The body members that CredentialFields.svelte edits. */
export const CREDENTIAL_POINTERS = ['/email', '/password', '/invite_code'];
