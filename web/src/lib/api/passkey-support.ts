/* Whether passkeys are available. Small, because the sign-in page offers them; only using one loads the rest
 * (passkey.ts). */
/** Whether this browser supports passkeys and this page may use them. */
export function passkeysThere(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && isSecureContext;
}

/** Whether the browser can offer passkeys in autofill. */
export async function passkeysFillIn(): Promise<boolean> {
  if (!passkeysThere()) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}
