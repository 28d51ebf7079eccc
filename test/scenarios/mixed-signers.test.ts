/** Accounts whose signatures have several sources: both custodians, keys of the caller's own, all of them together. */
import { AccountRole, type Address, address, getBase64Encoder, getTransactionDecoder } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { executeTransactionSyncInstruction } from "@trellis/program-client";
import {
  generateEncryptionKeyPair,
  openSession,
  type PreparedTransfer,
  type SubmitKmsPayload,
  signKmsAPayload,
  signPayload,
  type TrellisSession,
} from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { dataOf, expectError, makeKey, type OwnKey, signWire } from "../adversarial/support.js";
import { useTestService } from "../support/scene.js";

const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const everything = ["CAN_INITIATE", "CAN_VOTE", "CAN_EXECUTE"] as const;

describe("both custodians in one transaction", () => {
  it("sign for one user, in any order of the entries", async () => {
    const ada = await trellis.openHolder({ sol: "1000000000" });
    const kmsB = await signIn(ada.email, "kms_b");
    const { policies } = await trellis.client.accounts.get(ada.address);
    const members = policies.signers.map((signer) => signer.address);
    for (const sessions of [
      [ada.session, kmsB],
      [kmsB, ada.session],
    ]) {
      const to = makeKey().address;
      const prepared = await prepare(ada, to, members);
      expect(prepared.kms_payloads.map(({ provider }) => provider).sort()).toEqual(["kms_a", "kms_b"]);
      const entries = stampWith(prepared, ...sessions);
      expect(entries).toHaveLength(2);
      dataOf(await trellis.submit(ada.address, prepared.transaction, entries));
      expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
    }
  });

  it("kms_a by its legacy top-level signature too, beside kms_b in its only form", async () => {
    const ada = await trellis.openHolder({ sol: "1000000000" });
    const kmsB = await signIn(ada.email, "kms_b");
    const { policies } = await trellis.client.accounts.get(ada.address);
    const to = makeKey().address;
    const prepared = await prepare(
      ada,
      to,
      policies.signers.map((signer) => signer.address),
    );
    const forA = prepared.kms_payloads.find(({ provider }) => provider === "kms_a");
    if (!forA) throw new Error("kms_a has no payload");
    const { signature } = signKmsAPayload(forA.payload, ada.session.authorizationKey);
    for (const kms_signed_payload of [undefined, null]) {
      const wrong = [{ provider: "kms_b", signature, kms_signed_payload }, ...stampWith(prepared, ada.session)];
      expectError(await trellis.submit(ada.address, prepared.transaction, wrong), 400, "invalid_request");
    }
    const entries = [...stampWith(prepared, kmsB), { provider: "kms_a", signature, kms_signed_payload: null }];
    dataOf(await trellis.submit(ada.address, prepared.transaction, entries));
    expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
  });
});

describe("a threshold above one", () => {
  it("of three is met by an external key and both custodians together, and by no two of them", async () => {
    const { account, key, kmsA, kmsB, members } = await openMixed(3);
    const to = makeKey().address;
    const prepared = await prepare(account, to, members);
    expect([...prepared.transaction_signers].sort()).toEqual([...members].sort());
    const signed = signWire(prepared.transaction, [key]);
    const missing: [string, readonly SubmitKmsPayload[]][] = [
      [prepared.transaction, stampWith(prepared, kmsA, kmsB)],
      [signed, stampWith(prepared, kmsA)],
      [signed, stampWith(prepared, kmsB)],
      [signed, []],
    ];
    for (const [transaction, entries] of missing) {
      expectError(await trellis.submit(account.address, transaction, entries), 400, "missing_signature");
    }
    expect(await trellis.lamportsOf(to)).toBe(0n);
    dataOf(await trellis.submit(account.address, signed, stampWith(prepared, kmsB, kmsA)));
    expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
  });

  it("of two is met by any two of them", async () => {
    const { account, key, kmsA, kmsB, members } = await openMixed(2);
    const [own, a, b] = members;
    if (!own || !a || !b) throw new Error("three members");
    const pairs: [string[], OwnKey[], TrellisSession[]][] = [
      [[own, a], [key], [kmsA]],
      [[b, own], [key], [kmsB]],
      [[a, b], [], [kmsA, kmsB]],
    ];
    for (const [named, keys, sessions] of pairs) {
      const to = makeKey().address;
      const prepared = await prepare(account, to, named);
      expect([...prepared.transaction_signers].sort()).toEqual([...named].sort());
      const transaction = signWire(prepared.transaction, keys);
      dataOf(await trellis.submit(account.address, transaction, stampWith(prepared, ...sessions)));
      expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
    }
  });
});

describe("several keys of the caller's own", () => {
  it("sign one after the other, in any order, and every partly signed state is refused", async () => {
    const keys = [makeKey(), makeKey(), makeKey()];
    const created = await trellis.client.accounts.create({
      type: "signers",
      signers: keys.map((key) => key.address),
      threshold: 3,
    });
    await fund(created.address);
    const account = { address: created.address as Address };
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
    ]) {
      const to = makeKey().address;
      const prepared = await prepare(
        account,
        to,
        keys.map((key) => key.address),
      );
      expect(prepared.kms_payloads).toEqual([]);
      let { transaction } = prepared;
      for (const i of order) {
        const refused = await trellis.submit(account.address, transaction, []);
        expectError(refused, 400, "missing_signature");
        const next = keys[i];
        if (!next) throw new Error("there are three");
        transaction = signWire(transaction, [next]);
      }
      dataOf(await trellis.submit(account.address, transaction, []));
      expect(await trellis.lamportsOf(to)).toBe(1_000_000n);
    }
  });
});

describe("legacy and version 0 messages", () => {
  it("both count as to be wrapped, with any signatures", async () => {
    const ada = await trellis.openHolder({ sol: "1000000000" });
    for (const version of ["legacy", 0] as const) {
      const to = makeKey().address;
      const transfer = getTransferSolInstruction({
        source: { address: ada.address } as never,
        destination: to,
        amount: 2_000_000n,
      });
      const own = await trellis.compose(ada.address, [transfer], { version });
      expect(versionOf(own)).toBe(version);
      const answered = await trellis.post(`/accounts/${ada.address}/transactions`, { transaction: own });
      const prepared = dataOf<PreparedTransfer>(answered);
      dataOf(await trellis.submit(ada.address, prepared.transaction, stampWith(prepared, ada.session)));
      expect(await trellis.lamportsOf(to)).toBe(2_000_000n);
    }
  });

  it("both count as to be submitted, when another key pays", async () => {
    const [member, payer] = [makeKey(), makeKey()];
    const created = await trellis.client.accounts.create({
      type: "signers",
      signers: [member.address],
      threshold: 1,
    });
    await fund(created.address);
    await fund(payer.address);
    for (const version of ["legacy", 0] as const) {
      const to = makeKey().address;
      const call = executeTransactionSyncInstruction({
        settings: created.settings_address as Address,
        members: [member.address],
        instructions: [
          {
            programAddress: address("11111111111111111111111111111111"),
            accounts: [
              { address: created.address as Address, role: AccountRole.WRITABLE_SIGNER },
              { address: to, role: AccountRole.WRITABLE },
            ],
            data: Uint8Array.from([2, 0, 0, 0, 0x80, 0x84, 0x1e, 0, 0, 0, 0, 0]),
          },
        ],
      });
      const wire = await trellis.compose(payer.address, [call], { version });
      expect(versionOf(wire)).toBe(version);
      expectError(await trellis.submit(created.address, signWire(wire, [payer]), []), 400, "missing_signature");
      dataOf(await trellis.submit(created.address, signWire(wire, [payer, member]), []));
      expect(await trellis.lamportsOf(to)).toBe(2_000_000n);
    }
  });
});

describe("creations of every kind at the same time", () => {
  it("do not fail each other, and every account can pay afterwards", async () => {
    const emails = ["side-1@example.org", "side-2@example.org", "side-3@example.org"];
    const codes = new Map<string, string>();
    for (const email of emails) {
      await trellis.client.accounts.create({ type: "email", email });
      codes.set(email, (await trellis.client.sandbox.outbox(email))[0]?.otp_code ?? "");
    }
    const byMail = emails.map(async (email) => {
      const keyPair = generateEncryptionKeyPair();
      const { address: at } = await trellis.client.accounts.verify({
        email,
        otp_code: codes.get(email) ?? "",
        kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
      });
      return at;
    });
    const keys = Array.from({ length: 4 }, makeKey);
    const byKeys = keys.map(async (key) => {
      const one = { type: "signers", signers: [key.address], threshold: 1 } as const;
      return (await trellis.client.accounts.create(one)).address;
    });
    const customs = ["side-4@example.org", "side-5@example.org"].map(async (email) => {
      const signers = [
        { type: "email", email, permissions: everything } as const,
        { address: makeKey().address, permissions: everything },
      ];
      return (await trellis.client.accounts.createCustom({ policies: { signers, threshold: 1 } })).address;
    });
    const all = await Promise.all([...byMail, ...byKeys, ...customs]);
    expect(new Set(all).size).toBe(9);
    for (const at of all) expect((await trellis.client.accounts.get(at)).address).toBe(at);
    const { rpc } = trellis.network;
    for (const [i, key] of keys.entries()) {
      const from = { address: (await byKeys[i]) as Address };
      await fund(from.address);
      const to = makeKey().address;
      const prepared = await prepare(from, to, [key.address]);
      dataOf(await trellis.submit(from.address, signWire(prepared.transaction, [key]), []));
      expect((await rpc.getBalance(to).send()).value).toBe(1_000_000n);
    }
  });
});

function versionOf(wire: string): "legacy" | number {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  const first = messageBytes[0] ?? 0;
  return first < 0x80 ? "legacy" : first - 0x80;
}

async function signIn(email: string, provider: "kms_a" | "kms_b"): Promise<TrellisSession> {
  await trellis.client.auth.start({ email, provider });
  const [mail] = await trellis.client.sandbox.outbox(email);
  const keyPair = generateEncryptionKeyPair();
  const verified = await trellis.client.auth.verify({
    email,
    provider,
    otp_code: mail?.otp_code ?? "",
    kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
  });
  return openSession(verified.authentication[0], keyPair);
}

let people = 0;
/** An account of an external key and of one wallet at each custodian, for two people. */
async function openMixed(threshold: number) {
  const key = makeKey();
  const names = (["kms_a", "kms_b"] as const).map((provider) => {
    people += 1;
    return { provider, email: `mixed-${people}@example.org` };
  });
  const created = await trellis.client.accounts.createCustom({
    policies: {
      signers: [
        { address: key.address, permissions: everything },
        ...names.map(({ provider, email }) => ({ type: "email", email, provider, permissions: everything }) as const),
      ],
      threshold,
    },
  });
  const account = { address: created.address as Address, settings: created.settings_address as Address };
  await fund(account.address);
  const sessions = [];
  for (const { email, provider } of names) sessions.push(await signIn(email, provider));
  const [kmsA, kmsB] = sessions;
  if (!kmsA || !kmsB) throw new Error("two signed in");
  const members = created.policies.signers.map((signer) => signer.address);
  return { account, key, kmsA, kmsB, members };
}

function fund(account: string) {
  return trellis.client.sandbox.airdrop({ address: account, currency: "sol", amount: "1000000000" });
}

async function prepare(from: { address: Address }, to: Address, signers: readonly string[]): Promise<PreparedTransfer> {
  const more = { transaction_signers: signers };
  return trellis.preparePayment(from, { amount: "1000000", currency: "sol", to, more });
}

/** The entries of these sessions, each over the payload of its own wallet. */
function stampWith(prepared: PreparedTransfer, ...sessions: TrellisSession[]): SubmitKmsPayload[] {
  return sessions.flatMap((session) =>
    prepared.kms_payloads
      .filter(({ address: signer }) => session.wallets.some((wallet) => wallet.address === signer))
      .map((payload) => signPayload(payload, session.authorizationKey, Date.now())),
  );
}
