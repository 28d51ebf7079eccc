import { AccountRole, type Address, createNoopSigner, getAddressEncoder, type Instruction } from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import { getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import type { Caller } from "@trellis/kernel/endpoint.js";
import type { Network, ServiceKey } from "@trellis/kernel/ports/network.js";
import { deriveSmartAccountAddress } from "@trellis/program-client";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { composeTransaction, noBlockhash } from "@trellis/solana/compose.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { toBase64 } from "@trellis/solana/wire-transaction.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { createLegacyPaymentIntent } from "../../src/legacy/create-legacy-payment-intent.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { getProposal } from "../../src/proposals/get-proposal.js";
import { createSpendingLimit } from "../../src/spending-limits/create-spending-limit.js";
import { prepareLimitPayment } from "../../src/spending-limits/prepare-limit-payment.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { prepareTransaction } from "../../src/transactions/prepare-transaction.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { everything, may, newKey } from "../proposals/support.js";
import { useTestNetwork } from "../support/scene.js";
import { openControlledAccount, sendAs } from "../support/standing-orders.js";
import { errorOf, hashOf, publicKeyOf, type TestNetwork } from "../support/test-network.js";
import { openMint, type TestMint } from "../support/token-2022.js";

let network: Network;
let mint: TestMint;
let account: Address;
let settings: Address;
const owner = newKey();
const spender = newKey();
const limits = new Map<string, string>();
const test = useTestNetwork();
beforeAll(async () => {
  mint = await openMint(test.network, serviceKeyOf(hashOf("the mint")), serviceKeyOf(hashOf("its issuer")), {
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  const others = test.network.currencies.filter(({ symbol }) => symbol !== "usdc");
  const usdc = { symbol: "usdc", name: "USDC", decimals: 6, mint: mint.address, tokenProgram: TOKEN_PROGRAM_ADDRESS };
  network = { ...test.network, currencies: [...others, usdc] };
  ({ address: account, settings_address: settings } = await openAccount());
  await network.sandbox?.airdrop(account, 5_000_000_000n);
  await mint.mintTo(account, 9_000_000n);
  for (const currency of ["sol", "usdc"]) {
    const granted = await call<{ transaction: string; spending_limit_address: string }>(createSpendingLimit, {
      amount: "9000000",
      mint: currency,
      period: "day",
      spending_limit_signers: [addressOfKey(spender)],
    });
    await submit(granted.transaction, owner);
    limits.set(currency, granted.spending_limit_address);
  }
});
const call = <T>(endpoint: Parameters<TestNetwork["call"]>[0], body: object, params: object = {}) =>
  test.call<T>(endpoint, { network, params: { address: account, ...params }, body });
const amount = "2000000";
/** Every way in which a request names who is paid, and what it answers. */
const ways: Readonly<Record<string, (to: string, currency: string, word?: Word) => Promise<unknown>>> = {
  payment: (address, currency, word) =>
    call(preparePayment, { amount, source: { account, currency }, destination: { address, currency, ...word } }),
  v0: (address, currency, word) =>
    call(
      createLegacyPaymentIntent,
      { amount, source: { currency }, destination: { address, currency, ...word } },
      { smart_account_address: account },
    ),
  proposal: (address, currency, word) =>
    call(createProposal, {
      type: "transfer",
      signer: addressOfKey(owner),
      currency,
      amount,
      destination: { address, ...word },
    }),
  limit: (address, currency, word) =>
    call(
      prepareLimitPayment,
      { amount, signer_address: addressOfKey(spender), recipient_address: address, ...word },
      { spending_limit_address: limits.get(currency) },
    ),
  order: (address, currency, word) =>
    call(createStandingOrder, {
      amount,
      frequency: "monthly",
      source: { currency },
      destination: { address, currency, ...word },
    }),
};

describe("an address whose money is lost", () => {
  it.each([
    ["a sysvar", "SysvarRent111111111111111111111111111111111"],
    ["another sysvar", "SysvarC1ock11111111111111111111111111111111"],
    ["a configuration of the chain", "StakeConfig11111111111111111111111111111111"],
    ["a program of the chain", "Vote111111111111111111111111111111111111111"],
    ["a look-alike of the system program", "11111111111111111111111111111112"],
    ["a look-alike of a sysvar", "SysvarFuture1111111111111111111111111111111"],
    ["the incinerator", "1nc1nerator11111111111111111111111111111111"],
    ["the mint of wrapped SOL", "So11111111111111111111111111111111111111112"],
    ["the token program", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"],
    ["the associated token program", "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"],
    ["the smart account program", "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG"],
  ])("is refused: %s", async (_what, address) => {
    expect(await answersOf(address)).toBe("invalid_address");
    expect(await answersOf(address, ["sol", "usdc"], { confirm_program_address: true })).toBe("invalid_address");
  });

  it("is refused: settings, the currency's mint, data of the chain's programs, and the account itself", async () => {
    const table = await openData("a lookup table", "AddressLookupTab1e1111111111111111111111111", 56);
    const settingsOfAnother = (await openControlledAccount(network, "another's")).settings;
    for (const address of [settings, settingsOfAnother, mint.address, table]) {
      expect(await answersOf(address, ["sol", "usdc"], { confirm_program_address: true }), address).toBe(
        "invalid_address",
      );
    }
    const own = [mint.tokenOf(account), deriveTokenAccount(account, publicKeyOf("no mint"), TOKEN_PROGRAM_ADDRESS)];
    expect(await answersOf(own[0] as string)).toBe("invalid_address");
    expect(await answersOf(own[1] as string)).toBe("destination_unconfirmed");
    const [pyusd] = network.currencies.filter(({ mint: address }) => address !== null);
    if (!pyusd?.mint || !pyusd.tokenProgram) throw new Error("there is another token");
    expect(await answersOf(deriveTokenAccount(account, pyusd.mint, pyusd.tokenProgram))).toBe("invalid_address");
  });
});

/** A program that this service knows nothing of. */
const foreignProgram = publicKeyOf("a program of others");

describe("a proposal of the caller's own transaction", () => {
  it("warns of an address whose money is lost", async () => {
    const pay = (destination: Address) =>
      getTransferSolInstruction({ source: createNoopSigner(account), destination, amount: 2_000_000n });
    const both = [pay(settings), pay(publicKeyOf("a payee"))];
    const signer = addressOfKey(owner);
    const transaction = toBase64(
      composeTransaction(account, noBlockhash, { units: 200_000, microLamportsPerUnit: 0n }, both).bytes,
    );
    const made = await call<{ transactions: readonly string[]; proposalAddress: string }>(createProposal, {
      type: "custom",
      signer,
      transaction,
    });
    for (const one of made.transactions) await submit(one, owner);
    const view = await test.call<{ warnings: readonly object[] }>(getProposal, {
      network,
      params: { address: account, proposal_address: made.proposalAddress },
    });
    expect(view.warnings).toEqual([
      { code: "unpayable_destination", message: expect.stringMatching(new RegExp(`^${settings}: `)) },
    ]);
  });
});

describe("an address that no key signs for", () => {
  const word = { confirm_program_address: true };

  it("needs a word where nothing is there", async () => {
    const vault = deriveSmartAccountAddress(publicKeyOf("settings of nobody"));
    expect(await answersOf(vault)).toBe("destination_unconfirmed");
    const refused = await errorOf(ways.payment?.(vault, "usdc") as Promise<unknown>);
    expect(refused.details[0]).toMatchObject({
      field: "destination.address",
      suggestion: expect.stringContaining("destination.confirm_program_address: true"),
    });
    expect(await answersOf(vault, ["sol", "usdc"], { confirm_program_address: false })).toBe("destination_unconfirmed");
    expect(await answersOf(vault, ["sol", "usdc"], word)).toBe("prepared");
  });

  it("needs none where it is an account of the service, has SOL, or has a token account of the currency", async () => {
    const { address } = await openAccount();
    expect(await answersOf(address)).toBe("prepared");
    const theirs = (await openAccount(await test.addTenant("tenant-2"))).address;
    expect(await answersOf(theirs)).toBe("prepared");
    const funded = deriveSmartAccountAddress(publicKeyOf("settings of a vault with SOL"));
    await network.sandbox?.airdrop(funded, 1_000_000n);
    expect(await answersOf(funded)).toBe("prepared");
    const holder = deriveSmartAccountAddress(publicKeyOf("settings of a vault with tokens"));
    await mint.open(holder);
    expect(await answersOf(holder, ["usdc"])).toBe("prepared");
  });

  it("needs a word where a program holds it", async () => {
    const held = await openData("an account of a program", foreignProgram, 8);
    expect(await answersOf(held)).toBe("destination_unconfirmed");
    expect(await answersOf(held, ["sol", "usdc"], word)).toBe("prepared");
  });

  it("is no owner where it was a token account that is closed, whatever the request says, and whatever lies there", async () => {
    const shop = serviceKeyOf(hashOf("a shop"));
    const till = mint.tokenOf(shop.address);
    await mint.open(shop.address);
    const paid = (await ways.payment?.(till, "usdc")) as { transaction: string };
    await submit(paid.transaction, owner);
    await sendAs(network, [transferOf(till, mint.tokenOf(account), shop.address, 2_000_000n)], [shop]);
    await mint.close(shop);
    for (const said of [{}, word]) expect(await answersOf(till, ["sol", "usdc"], said)).toBe("invalid_address");
    const refused = await errorOf(ways.payment?.(till, "usdc", word) as Promise<unknown>);
    expect(refused.message).toContain(shop.address);
    await network.sandbox?.airdrop(till, 1_000_000n);
    expect(await answersOf(till, ["usdc"], word)).toBe("invalid_address");
    expect(await answersOf(shop.address, ["usdc"])).toBe("prepared");
  });
});

const transferOf = (source: Address, destination: Address, authority: Address, units: bigint): Instruction =>
  getTransferCheckedInstruction({
    source,
    mint: mint.address,
    destination,
    authority: createNoopSigner(authority),
    amount: units,
    decimals: 6,
  });

describe("tokens outside the associated token account", () => {
  it("are reported, with their address, and reach the account by a transaction of its own", async () => {
    const { address } = await openAccount();
    const other = serviceKeyOf(hashOf("an older token account"));
    const lamports = await network.rpc.getMinimumBalanceForRentExemption(165n).send();
    const issuer = serviceKeyOf(hashOf("its issuer"));
    const opening = getCreateAccountInstruction({
      payer: createNoopSigner(network.feePayer.address),
      newAccount: createNoopSigner(other.address),
      lamports,
      space: 165,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    });
    const token = (data: readonly number[], accounts: Instruction["accounts"] = []): Instruction => ({
      programAddress: TOKEN_PROGRAM_ADDRESS,
      accounts,
      data: Uint8Array.from(data),
    });
    const bytes = (one: Address) => [...getAddressEncoder().encode(one)];
    await sendAs(
      network,
      [
        opening,
        token(
          [18, ...bytes(address)],
          [
            { address: other.address, role: AccountRole.WRITABLE },
            { address: mint.address, role: AccountRole.READONLY },
          ],
        ),
        token(
          [7, ...new Uint8Array(new BigUint64Array([7_000_000n]).buffer)],
          [
            { address: mint.address, role: AccountRole.WRITABLE },
            { address: other.address, role: AccountRole.WRITABLE },
            { address: issuer.address, role: AccountRole.READONLY_SIGNER },
          ],
        ),
      ],
      [other, issuer],
    );
    const pay = () =>
      test.call<{ transaction: string }>(preparePayment, {
        network,
        params: { address },
        body: {
          amount: "5000000",
          source: { account: address, currency: "usdc" },
          destination: { address: publicKeyOf("a payee"), currency: "usdc" },
        },
      });
    const refused = await errorOf(pay());
    expect(refused).toMatchObject({
      code: "insufficient_balance",
      details: [
        {
          held: "0",
          wanted: "5000000",
          held_elsewhere: [{ token_account: other.address, amount: "7000000" }],
          suggestion: expect.stringContaining(`Move it to ${mint.tokenOf(address)}`),
        },
      ],
    });
    expect(refused.message).toMatch(/^Of the account's 7 USDC, 0 USDC can be paid, less than 5 USDC/);
    await mint.open(address);
    const move = transferOf(other.address, mint.tokenOf(address), address, 7_000_000n);
    const prepared = await test.call<{ transaction: string }>(prepareTransaction, {
      network,
      params: { address },
      body: {
        transaction: toBase64(
          composeTransaction(address, noBlockhash, { units: 200_000, microLamportsPerUnit: 0n }, [move]).bytes,
        ),
      },
    });
    await test.call(submitTransactions, {
      network,
      params: { address },
      body: { transaction: signTransaction(prepared.transaction, [owner]), kms_payloads: [] },
    });
    await pay();
  });
});

type Word = { confirm_program_address?: boolean };

const submit = (transaction: string, key: SignerKey) =>
  call(submitTransactions, { transaction: signTransaction(transaction, [key]), kms_payloads: [] });

const openAccount = (caller?: Caller) =>
  test.call<{ address: Address; settings_address: Address }>(createCustomAccount, {
    network,
    body: { policies: { signers: [may(owner, everything)], threshold: 1 } },
    ...(caller === undefined ? {} : { caller }),
  });

/** What each way answers for a payee: one answer where all agree. */
async function answersOf(to: string, currencies = ["sol", "usdc"], word: Word = {}): Promise<string> {
  const answers = new Map<string, string>();
  for (const [way, ask] of Object.entries(ways)) {
    for (const currency of currencies) {
      const failure = await ask(to, currency, word).then(
        () => undefined,
        (error: unknown) => error,
      );
      const answer = failure === undefined ? "prepared" : (await errorOf(Promise.reject(failure))).code;
      answers.set(`${way} ${currency}`, answer);
    }
  }
  const different = new Set(answers.values());
  return different.size === 1 ? ([...different][0] as string) : JSON.stringify([...answers]);
}

/** An account of a program, with so many bytes, at an address without a key afterwards. */
async function openData(label: string, programAddress: string, space: number): Promise<Address> {
  const key: ServiceKey = serviceKeyOf(hashOf(label));
  const lamports = await network.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send();
  const creation = getCreateAccountInstruction({
    payer: createNoopSigner(network.feePayer.address),
    newAccount: createNoopSigner(key.address),
    lamports,
    space,
    programAddress: programAddress as Address,
  });
  await sendAs(network, [creation], [key]);
  return key.address;
}
