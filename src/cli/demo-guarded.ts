import {
  addressOfKey,
  createTrellisClient,
  generateEncryptionKeyPair,
  openSession,
  TrellisApiError,
  type TrellisClient,
} from "@trellis/sdk";
import { createDemoPasskey } from "./demo-passkey.js";
import { type DemoOptions, freshEmail, requireThat, stepper } from "./demo-steps.js";

/**
 * Plays the story of a guarded account: the service alone cannot pay, nor a session, nor the passkey; both together can. The guardian is
 * known by its identity, which the operator's terminal shows, and not by what the service answers.
 */
export async function playGuardedDemo({ baseUrl, apiKey, say, identity }: DemoOptions): Promise<void> {
  requireThat(
    identity !== undefined && /^[\w-]{43}$/.test(identity),
    'This story needs the guardian\'s identity, as the service prints it at its start behind "Guardian beside it", or trellis custodian ' +
      "prints it:\n\n  npm run demo -- guarded <identity>\n",
  );
  const client = createTrellisClient({ baseUrl, apiKey, environment: "sandbox" });
  const step = stepper(say);

  step("Ada keeps a recovery key on paper: it can vote, and do nothing else");
  const recovery = newAddress();
  say(`recovery     ${recovery}`);

  step("She asks for a guarded account by e-mail");
  const { account, session, signer } = await open(client, recovery, say);

  step("Her phone makes a passkey, and the guardian certifies that it obeys just that one");
  const credentials = createDemoPasskey();
  const guardian = { identity };
  const passkey = await client.passkeys.add({ account, session, signer, name: "Ada's phone", credentials, guardian });
  const passkeys = { passkeys: [passkey], credentials };
  say(`passkey      ${passkey.name}, for ${passkey.rp_id}, commands ${passkey.signer}`);
  say("Only now the address is shown to anybody who pays: the receipt was verified.");
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });

  step("A session alone does not pay, nor does the passkey alone");
  const order = { account, currency: "sol", destination: newAddress(), amount: 100_000_000n } as const;
  say(`session      ${await refusalOf(client.transfers.send({ ...order, session }))}`);
  say(`passkey      ${await refusalOf(client.transfers.send({ ...order, passkeys }))}`);

  step("Both together pay 0.1 SOL");
  const paid = await client.transfers.send({ ...order, session, passkeys });
  say(`confirmed at ${paid.confirmedAt}`);
  say(`signature    ${paid.signature}`);
  say("");
  say("Done. The guardian is another process, with keys and a database of its own.");
}

async function open(client: TrellisClient, recovery: string, say: (line: string) => void) {
  const email = freshEmail("Ada");
  await client.accounts.create({ type: "email", email, protection: "guarded", recovery: { address: recovery } });
  const [mail] = await client.sandbox.outbox(email);
  requireThat(mail !== undefined, `The outbox holds no mail for ${email}.`);
  const keyPair = generateEncryptionKeyPair();
  const verified = await client.accounts.verify({
    email,
    otp_code: mail.otp_code,
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  say(`account      two of three have to sign, none may change that alone`);
  for (const { address, provider, permissions } of verified.policies.signers) {
    say(`signer       ${address}  ${String(provider).padEnd(8)}  ${permissions.join(", ")}`);
  }
  const session = await openSession(verified.authentication[0], keyPair);
  const held = session.wallets.map(({ address }) => address);
  const signer = verified.policies.signers.find(
    ({ address, provider }) => provider !== "external" && !held.includes(address),
  );
  requireThat(signer !== undefined, "The account has no signer of a guardian.");
  return { account: verified.address, session, signer: signer.address };
}

/** The address of a new key that nothing here uses again. */
const newAddress = (): string => addressOfKey(globalThis.crypto.getRandomValues(new Uint8Array(32)));

/** Why it was refused. Throws when it was not. */
async function refusalOf(payment: Promise<unknown>): Promise<string> {
  try {
    await payment;
  } catch (error) {
    if (error instanceof TrellisApiError) return `refused: ${error.message} (${error.code})`;
    throw error;
  }
  throw new Error("One signature was enough: the account is not guarded.");
}
