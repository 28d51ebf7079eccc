import { addressOfKey, generateEncryptionKeyPair, openSession, type SignerKey } from "@trellis/sdk";
import { expect, it } from "vitest";
import { newKey } from "../proposals/support.js";
import { browserWith, createSoftPasskey } from "../support/authenticator.js";
import { startTestCustodian } from "../support/custodian.js";
import { openByClient } from "../support/passkey-signers.js";
import { startTestService } from "../support/test-service.js";
import { use } from "../support/use.js";

/** An account of a guardian's wallet and a passkey that signs on chain: both have to agree. */
const guardian = use(() => startTestCustodian({ variables: { TRELLIS_CUSTODIAN_NAME: "kms_c" } }));
const trellis = use(() =>
  startTestService({
    TRELLIS_PUBLIC_URL: "http://localhost:3000",
    TRELLIS_GUARDIAN: "kms_c",
    TRELLIS_CUSTODIAN_KMS_C_URL: guardian.url,
    TRELLIS_CUSTODIAN_KMS_C_KEYS: guardian.folders.service,
  }),
);
const payee = addressOfKey(newKey());
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;
const content = { type: "transfer", currency: "sol", destination: payee, amount: 5_000_000n } as const;

it("a guardian and a passkey's session pay by a proposal of the guardian's, and not at once", async () => {
  const { account, passkeys, passkeySessions } = await open("ada@example.org");
  const { client } = trellis;
  const order = { account, currency: "sol", destination: payee, amount: 5_000_000n } as const;
  // In one transaction the guardian cannot read what the session executes.
  await expect(client.transfers.send({ ...order, passkeys, passkeySessions })).rejects.toMatchObject({
    code: "guardian_refused",
    details: [{ rule: "opaque" }],
  });
  const before = await trellis.lamportsOf(payee);
  const made = await client.proposals.create({ account, passkeys, content, approve: true });
  const proposal = made.proposalAddress;
  await client.proposals.vote({ account, passkeySessions, proposal, action: "approve", content });
  await client.proposals.execute({ account, passkeySessions, proposal, content });
  expect((await trellis.lamportsOf(payee)) - before).toBe(5_000_000n);
});

it("a guardian approves a session's proposal only where its policy lets it approve what it does not see", async () => {
  const { account, passkeys, passkeySessions, wallet } = await open("grace@example.org");
  const { client } = trellis;
  const before = await trellis.lamportsOf(payee);
  const made = await client.proposals.create({ account, passkeySessions, content, approve: true });
  const proposal = made.proposalAddress;
  const approve = () => client.proposals.vote({ account, passkeys, proposal, action: "approve", content });
  await expect(approve()).rejects.toMatchObject({ code: "guardian_refused", details: [{ rule: "unseen_vote" }] });
  const { policy } = await client.guardianPolicy.get(wallet);
  await client.guardianPolicy.set({ ...wallet, passkeys, policy: { ...policy, unseen_votes: "allow" } });
  await client.sandbox.advanceClock(86_400);
  await approve();
  await client.proposals.execute({ account, passkeySessions, proposal, content });
  expect((await trellis.lamportsOf(payee)) - before).toBe(5_000_000n);
});

/** An account that a guardian's wallet and a passkey share, with what signs for both. */
async function open(email: string) {
  const { client } = trellis;
  const recovery = { address: addressOfKey(newKey()) };
  await client.accounts.create({ type: "email", email, protection: "guarded", recovery });
  const [mail] = await client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const guarded = await client.accounts.verify({
    email,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  const session = await openSession(guarded.authentication[0], keyPair);
  const signer = guarded.policies.signers[1]?.address ?? "";
  const wallet = { account: guarded.address, signer, guardian: { identity: guardian.identity } };
  const credentials = browserWith(createSoftPasskey());
  const added = await client.passkeys.add({ ...wallet, session, name: "Phone", credentials });
  const { passkeyAccount, key } = await openByClient(client, createSoftPasskey(), newKey() as Uint8Array, {
    seconds: 604_800,
  });
  const signers = [passkeyAccount];
  const { address: account } = await client.accounts.create({ type: "signers", signers, threshold: 1 });
  await client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
  const passkeySessions = [{ passkeyAccount, key: key as SignerKey }];
  const may = (address: string) => ({ address, permissions: everything });
  const changes = { signers: [may(signer), may(passkeyAccount)], threshold: 2 };
  await client.accounts.update({ account, passkeySessions, changes });
  return {
    account,
    wallet,
    passkeys: { passkeys: [added], credentials },
    passkeySessions,
  };
}
