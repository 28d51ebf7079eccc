import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createTrellisClient, generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";

/** What every example gets: a client of a sandbox, and a place to tell what it does. */
export interface Stage {
  readonly client: TrellisClient;
  readonly say: (line: string) => void;
}

/** Plays an example against the server of TRELLIS_URL with the key of TRELLIS_API_KEY, when it is what was started. */
export async function runExample(moduleUrl: string, play: (stage: Stage) => Promise<void>): Promise<void> {
  const [, started] = process.argv;
  // A path can hold spaces, and lead over links.
  if (started === undefined || moduleUrl !== pathToFileURL(realpathSync(started)).href) return;
  const apiKey = process.env.TRELLIS_API_KEY;
  if (!apiKey) throw new Error("Set TRELLIS_API_KEY to the key that the service printed at its first start.");
  const baseUrl = process.env.TRELLIS_URL ?? "http://127.0.0.1:8080";
  await play({
    client: createTrellisClient({ baseUrl, apiKey, environment: "sandbox" }),
    say: (line) => process.stdout.write(`${line}\n`),
  });
}

/** A mail address that was not used in this sandbox. */
export function freshEmail(name: string): string {
  return `${name}.${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}@example.org`;
}

/** Creates an e-mail account; the sandbox shows the mail it would have sent. */
export async function openEmailAccount({ client }: Stage, email: string) {
  await client.accounts.create({ type: "email", email });
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: await readCode(client, email),
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return { address: verified.address, session: await openSession(verified.authentication[0], keyPair) };
}

/** Signs in with an address that belongs to an account already. */
export async function signIn({ client }: Stage, email: string) {
  await client.auth.start({ email });
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.auth.verify({
    email,
    otp_code: await readCode(client, email),
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}

async function readCode(client: TrellisClient, email: string): Promise<string> {
  const [mail] = await client.sandbox.outbox(email);
  if (!mail) throw new Error(`There is no mail for ${email}.`);
  return mail.otp_code;
}

/** A new Ed25519 key. A real app keeps it in the device's key store. */
export function newKey(): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(32));
}
