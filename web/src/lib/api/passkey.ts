/* Passkeys: the browser's part of WebAuthn. Converts the server's request for the authenticator, and the
 * authenticator's reply back to text. Browsers have had built-in functions for this only since 2024. */
import type { components } from '@rummyd/client';
import { say } from '$lib/messages/messages';

type Schemas = components['schemas'];
export type Passkey = Schemas['Passkey'];

export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

export function toBase64url(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** A sentence that explains why the browser or the player refused. */
class PasskeyError extends Error {
  constructor(thrown: unknown) {
    const name = thrown instanceof Error ? thrown.name : '';
    super(
      say(
        name === 'InvalidStateError'
          ? 'passkey.there'
          : name === 'SecurityError'
            ? 'passkey.site'
            : 'passkey.none',
      ),
    );
    this.name = name;
  }
}

async function ask<T extends AuthenticatorResponse>(
  asked: Promise<Credential | null>,
): Promise<{ id: string; response: T }> {
  const got = await asked.catch((thrown: unknown) => {
    throw new PasskeyError(thrown);
  });
  if (!(got instanceof PublicKeyCredential)) throw new PasskeyError(null);
  return { id: toBase64url(got.rawId), response: got.response as T };
}

const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** Creates a passkey. Returns everything that the server needs except a name. */
export async function makePasskey({
  public_key: asked,
}: Schemas['PasskeyOptions']): Promise<Omit<Schemas['PasskeyNew'], 'name'>> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...asked,
    challenge: fromBase64url(asked.challenge),
    user: { ...asked.user, id: fromBase64url(asked.user.id) },
    excludeCredentials: asked.excludeCredentials.map((known) => ({
      ...known,
      id: fromBase64url(known.id),
      transports: known.transports as AuthenticatorTransport[],
    })),
  };
  const made = await ask<AuthenticatorAttestationResponse>(navigator.credentials.create({ publicKey }));
  const transports = (made.response.getTransports?.() ?? []).filter((name) => TRANSPORTS.includes(name));
  return {
    client_data: toBase64url(made.response.clientDataJSON),
    attestation_object: toBase64url(made.response.attestationObject),
    ...(transports.length > 0 && { transports: transports.join(' ') }),
  };
}

/** Signs with a passkey. With `signal`, waits in autofill until it is aborted; otherwise, opens the prompt
 * at once. */
export async function signWithPasskey(
  { public_key: asked }: Schemas['PasskeyLoginOptions'],
  signal?: AbortSignal,
): Promise<Schemas['PasskeyLogin']> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...asked,
    challenge: fromBase64url(asked.challenge),
  };
  const request = signal ? { publicKey, signal, mediation: 'conditional' as const } : { publicKey };
  const { id, response } = await ask<AuthenticatorAssertionResponse>(navigator.credentials.get(request));
  return {
    credential_id: id,
    client_data: toBase64url(response.clientDataJSON),
    authenticator_data: toBase64url(response.authenticatorData),
    signature: toBase64url(response.signature),
    user_handle: response.userHandle ? toBase64url(response.userHandle) : '',
  };
}
