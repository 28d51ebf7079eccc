import { createHash } from "node:crypto";
import { type Address, createNoopSigner } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { createTransactionBufferInstruction, deriveTransactionBufferAddress } from "@trellis/program-client";
import { addressOfKey, signTransaction } from "@trellis/sdk";
import { describe, expect, it } from "vitest";
import { makeKey } from "../../test/adversarial/support.js";
import { sendElsewhere } from "../../test/proposals/other-client.js";
import {
  dataOf,
  may,
  newKey,
  type Opened,
  type Prepared,
  preparedOf,
  refusalOf,
  useProposals,
} from "../../test/proposals/support.js";
import { asOtherTenant } from "../../test/support/other-tenant.js";

const { trellis, at } = useProposals();

describe("200", () => {
  it("closes the buffers that are named, and gives their rent to the signer who began them", async () => {
    const [creator, account] = await openFunded();
    const before = await trellis.lamportsOf(addressOfKey(creator));
    const [one, other] = [await begin(account, creator, 0, [1, 2, 3]), await begin(account, creator, 7, [4])];
    const prepared = dataOf<Closing>(await close(account, { signer: addressOfKey(creator), buffers: [other.address] }));
    const rent = await trellis.lamportsOf(other.address);
    expect(prepared).toMatchObject({
      transaction_signers: [addressOfKey(creator)],
      kms_payloads: [],
      more: false,
      buffers: [
        {
          address: other.address,
          message_sha256: Buffer.from(other.hash).toString("hex"),
          message_bytes: 700,
          written_bytes: 1,
          lamports: rent.toString(),
        },
      ],
    });
    await at.send(account, prepared.transaction, [creator]);
    expect(await trellis.lamportsOf(other.address)).toBe(0n);
    expect(await trellis.lamportsOf(one.address)).toBeGreaterThan(0n);

    const rest = await trellis.client.proposals.closeBuffers({ account: account.address, keys: [creator] });
    expect(rest).toMatchObject({ buffers: [one.address], more: false });
    expect(await trellis.lamportsOf(addressOfKey(creator))).toBe(before);
  });

  it("closes ten at once where none is named, and says that there are more", async () => {
    const [creator, account] = await openFunded();
    const made: Address[] = [];
    for (let number = 0; number < 11; number += 1) made.push((await begin(account, creator, number, [1])).address);
    const first = dataOf<Closing>(await close(account, { signer: addressOfKey(creator) }));
    expect([first.buffers.map(({ address }) => address), first.more]).toEqual([made.slice(0, 10), true]);
    await at.send(account, first.transaction, [creator]);
    const second = dataOf<Closing>(await close(account, { signer: addressOfKey(creator) }));
    expect([second.buffers.map(({ address }) => address), second.more]).toEqual([made.slice(10), false]);
  });

  it("stops the proposal that was being made in the buffer", async () => {
    const [creator, account] = await openFunded();
    const { transactions } = preparedOf(await at.create(account, await longProposal(account, creator)));
    const submit = (some: readonly string[]) =>
      at.request("POST", account, "/submit", {
        transactions: some.map((transaction) => signTransaction(transaction, [creator])),
        kms_payloads: some.map(() => []),
      });
    dataOf(await submit(transactions.slice(0, 1)));
    const { transaction } = dataOf<Closing>(await close(account, { signer: addressOfKey(creator) }));
    await at.send(account, transaction, [creator]);
    expect(refusalOf(await submit(transactions.slice(1)))).toEqual([409, "transaction_buffer_conflict"]);
  });
});

describe("400", () => {
  it("says so where there is nothing to close, and names what is no buffer of this signer", async () => {
    const [creator, account] = await openFunded();
    const signer = addressOfKey(creator);
    expect(refusalOf(await close(account, { signer }))).toEqual([400, "no_changes"]);
    const { address } = await begin(account, creator, 0, [1]);
    const stranger = makeKey().address;
    expect(refusalOf(await close(account, { signer: stranger }))).toEqual([400, "no_changes"]);
    const absent = await close(account, { signer, buffers: [address, stranger] });
    expect(refusalOf(absent)).toEqual([400, "no_changes"]);
    expect((absent.body as { message: string }).message).toContain(stranger);
    expect(await trellis.lamportsOf(address)).toBeGreaterThan(0n);
  });

  it("refuses what is no address, and a fee payer that cannot sign", async () => {
    const [creator, account] = await openFunded();
    await begin(account, creator, 0, [1]);
    const signer = addressOfKey(creator);
    expect(refusalOf(await close(account, { signer: "nobody" }))).toEqual([400, "invalid_address"]);
    expect(refusalOf(await close(account, { signer, buffers: ["nobody"] }))).toEqual([400, "invalid_address"]);
    const unpaid = { signer, fee_config: { self_managed_fees: true }, payer_address: account.address };
    expect(refusalOf(await close(account, unpaid))).toEqual([400, "unsupported_fee_config"]);
  });
});

describe("404", () => {
  it("is the answer for an account that there is not, and to another tenant", async () => {
    const [creator, account] = await openFunded();
    await begin(account, creator, 0, [1]);
    const body = { signer: addressOfKey(creator) };
    const nowhere = { ...account, address: makeKey().address };
    for (const refused of [await close(nowhere, body), await close(account, body, await asOtherTenant(trellis))]) {
      expect(refusalOf(refused)).toEqual([404, "account_not_found"]);
    }
  });
});

interface Closing extends Prepared {
  readonly buffers: readonly { readonly address: Address }[];
  readonly more: boolean;
}

const close = (account: Opened, body: object, headers?: Record<string, string>) =>
  at.request("POST", account, "/transaction-buffers/close", body, headers);

const sol = 1_000_000_000n;
/** A key with one SOL, and its account with another. */
async function openFunded() {
  const creator = newKey();
  await trellis.network.sandbox?.airdrop(addressOfKey(creator), sol);
  return [creator, await at.open({ signers: [may(creator)], threshold: 1 }, sol)] as const;
}

/** Begins a buffer for a message of 700 bytes, as any client may. */
async function begin(account: Opened, creator: Uint8Array, bufferIndex: number, firstPart: number[]) {
  const place = { settings: account.settings, creator: addressOfKey(creator), bufferIndex };
  const hash = Uint8Array.from(createHash("sha256").update(String(bufferIndex)).digest());
  await sendElsewhere(trellis, [creator], () => [
    createTransactionBufferInstruction({
      ...place,
      rentPayer: place.creator,
      finalHash: hash,
      finalSize: 700,
      firstPart: Uint8Array.from(firstPart),
    }),
  ]);
  return { address: deriveTransactionBufferAddress(place.settings, place.creator, bufferIndex), hash };
}

/** Twenty payees do not fit one transaction, so that the proposal goes through a buffer. */
async function longProposal(account: Opened, creator: Uint8Array) {
  const source = createNoopSigner(account.address);
  const payments = Array.from({ length: 20 }, () =>
    getTransferSolInstruction({ source, destination: makeKey().address, amount: 1_000_000n }),
  );
  const transaction = await trellis.compose(account.address, payments);
  return { type: "custom", transaction, signer: addressOfKey(creator) };
}
