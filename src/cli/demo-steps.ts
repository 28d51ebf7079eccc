import { generateEncryptionKeyPair, openSession, type TrellisClient, type TrellisSession } from "@trellis/sdk";

/** Where a story is played and printed. */
export interface DemoOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly say: (line: string) => void;
  /** Of the guardian, for the story that knows one. */
  readonly identity?: string | undefined;
}

/** Numbers the steps of a story as they are printed. */
export function stepper(say: (line: string) => void): (title: string) => void {
  let number = 0;
  return (title) => {
    number += 1;
    say("");
    say(`${number}. ${title}`);
  };
}

/** A mail address not yet used in this sandbox. */
export function freshEmail(name: string): string {
  return `${name.toLowerCase()}.${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}@example.org`;
}

/** Signs in with an address that belongs to an account already; the sandbox shows the mail it would have sent. */
export async function signIn(client: TrellisClient, email: string): Promise<TrellisSession> {
  await client.auth.start({ email });
  const [mail] = await client.sandbox.outbox(email);
  if (!mail) throw new Error(`The outbox holds no mail for ${email}.`);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.auth.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}

/** Ends a story whose step ended otherwise than expected. */
export function requireThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
