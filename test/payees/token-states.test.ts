import type { Address } from "@solana/kit";
import { TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import type { Network, ServiceKey } from "@trellis/kernel/ports/network.js";
import { addressOfKey, type SignerKey, signTransaction } from "@trellis/sdk";
import { readAccount, readAccounts } from "@trellis/solana/read-accounts.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { decodeTokenAccount } from "@trellis/solana/token-accounts.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createCustomAccount } from "../../src/accounts/create-custom-account.js";
import { createLegacyPaymentIntent } from "../../src/legacy/create-legacy-payment-intent.js";
import { judgeTokens } from "../../src/payees/judge-tokens.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { getProposal } from "../../src/proposals/get-proposal.js";
import { createSpendingLimit } from "../../src/spending-limits/create-spending-limit.js";
import { prepareLimitPayment } from "../../src/spending-limits/prepare-limit-payment.js";
import { createStandingOrder } from "../../src/standing-orders/create-standing-order.js";
import { payStandingOrders } from "../../src/standing-orders/pay-orders.js";
import { submitTransactions } from "../../src/transactions/submit-transactions.js";
import { everything, may, newKey } from "../proposals/support.js";
import { addBank, openApproved, payBank } from "../rails/transfers-support.js";
import { useTestNetwork } from "../support/scene.js";
import { openControlledAccount, openOrder, runsOf } from "../support/standing-orders.js";
import { errorOf, hashOf, publicKeyOf, type TestNetwork } from "../support/test-network.js";
import { type MintOptions, openMint, type TestMint } from "../support/token-2022.js";

const day = 86_400_000;
const amount = "1000000";
let bankHolder: Address;
let bank: string;
const test = useTestNetwork();
beforeAll(async () => {
  bankHolder = (await openApproved(test, "bank@example.org")).verified.address as Address;
  bank = (await addBank(test, bankHolder)).id;
});
const paths = ["payment", "v0", "bank", "proposal", "limit", "order", "due date"] as const;
const each = (code: string, but: Partial<Record<Path, string>> = {}): Record<Path, string> =>
  ({ ...Object.fromEntries(paths.map((path) => [path, code])), ...but }) as Record<Path, string>;
const paid = each("prepared", { "due date": "paid" });

describe("a payment in tokens, by each way to make one,", () => {
  it.each<
    [what: string, options: MintOptions, expected: Record<Path, string>, change?: (scene: Scene) => Promise<void>]
  >([
    ["arrives whole where nothing is the matter", {}, paid],
    ["arrives whole where the issuer could take a fee", { fee: 0, hook: null, pausable: true }, paid],
    ["is refused where the issuer takes a fee", { fee: 100 }, each("unsupported_currency")],
    [
      "is refused where the issuer will take a fee",
      { fee: 0 },
      each("unsupported_currency"),
      ({ mint }) => mint.setFee(1_000),
    ],
    [
      "is refused where the fee is ended for a coming epoch",
      { fee: 100 },
      each("unsupported_currency"),
      ({ mint }) => mint.setFee(0),
    ],
    [
      "arrives whole where the fee is over",
      { fee: 100 },
      paid,
      async ({ mint }) => {
        await mint.setFee(0);
        await advance(10 * day);
      },
    ],
    [
      "is refused where a program runs at every transfer",
      { hook: publicKeyOf("a hook's program") },
      each("unsupported_currency"),
    ],
    ["is refused where nothing is transferred", { nonTransferable: true }, each("unsupported_currency")],
    ["waits for a mint that is paused", { pausable: true }, forNow("mint_paused"), ({ mint }) => mint.pause()],
    [
      "says that the payee's account is frozen",
      { freezable: true },
      ofPayee("destination_frozen"),
      ({ mint, payee }) => mint.freeze(payee.address),
    ],
    [
      "says that the payer's own account is frozen",
      { freezable: true },
      forNow("source_frozen"),
      async ({ mint, payers }) => {
        for (const payer of payers) await mint.freeze(payer);
      },
    ],
    ["says that the payee demands a memo", {}, ofPayee("memo_required"), ({ mint, payee }) => mint.demandMemo(payee)],
    [
      "says that the payee has given his account away",
      { tokenProgram: TOKEN_PROGRAM_ADDRESS },
      ofPayee("destination_closed"),
      ({ mint, payee }) => mint.handOn(payee, publicKeyOf("a stranger")),
    ],
    [
      "is refused where the payee's account is born frozen, and was not thawed",
      { freezesNewAccounts: true },
      // That of a partner's address would be born so, too.
      each("destination_frozen", { bank: "unsupported_currency" }),
    ],
    [
      "arrives where such an account was thawed",
      { freezesNewAccounts: true },
      { ...paid, bank: "unsupported_currency" },
      ({ mint, payee }) => mint.thaw(payee.address),
    ],
  ])("%s", async (_what, options, expected, change) => {
    const scene = await open(options);
    await change?.(scene);
    expect(await answersOf(scene)).toEqual(expected);
  });

  it("is refused where the payee's account would be born frozen", async () => {
    expect(await answersOf(await open({ freezesNewAccounts: true }, { isPayeeOpen: false }))).toEqual(
      each("unsupported_currency"),
    );
  });

  it("reaches a payee who demands a memo where one stands in front of the transfer", async () => {
    const { mint, network, payee } = await open({});
    await mint.demandMemo(payee);
    const [account, minted] = await readAccounts(network, [mint.tokenOf(payee.address), mint.address]);
    const ends = { mint: minted, destination: { account, owner: payee.address } };
    expect(judgeTokens({ ...ends, hasMemo: false })).toMatchObject({ code: "memo_required", end: "destination" });
    expect(judgeTokens({ ...ends, hasMemo: true })).toBeUndefined();
  });

  it("opens the payee's account where that was closed", async () => {
    const scene = await open({});
    await scene.mint.close(scene.payee);
    expect(await answersOf(scene)).toEqual(paid);
  });
});

describe("what an issuer stops between preparing and submitting", () => {
  it.each([
    ["AccountFrozen", (mint: TestMint, payee: ServiceKey) => mint.freeze(payee.address)],
    ["MintPaused", (mint: TestMint) => mint.pause()],
    ["NoMemo", (mint: TestMint, payee: ServiceKey) => mint.demandMemo(payee)],
  ])("is refused at submit, with the token program's name for it: %s", async (name, stop) => {
    const { mint, network, payee, payers, owner } = await open({ freezable: true, pausable: true });
    const [address] = payers;
    const { transaction } = await test.call<{ transaction: string }>(preparePayment, {
      network,
      params: { address },
      body: {
        amount,
        source: { account: address, currency: "usdc" },
        destination: { address: payee.address, currency: "usdc" },
      },
    });
    await stop(mint, payee);
    const refused = await errorOf(
      test.call(submitTransactions, {
        network,
        params: { address },
        body: { transaction: signTransaction(transaction, [owner]), kms_payloads: [] },
      }),
    );
    expect(refused).toMatchObject({ code: "transaction_failed", isOutcome: false });
    expect(refused.details[0]).toMatchObject({ program_error: name, suggestion: expect.any(String) });
  });
});

describe("a fee that is set", () => {
  it("is reported at a proposal that was made before", async () => {
    const { mint, network, payee, payers, owner } = await open({ fee: 0 });
    const [address] = payers;
    const call = <T>(endpoint: Parameters<TestNetwork["call"]>[0], params: object, body?: object) =>
      test.call<T>(endpoint, { network, params: { address, ...params }, ...(body === undefined ? {} : { body }) });
    const signer = addressOfKey(owner);
    const transfer = { type: "transfer", currency: "usdc", amount, destination: payee.address };
    const made = await call<{ transactions: readonly string[]; proposalAddress: string }>(
      createProposal,
      {},
      { ...transfer, signer },
    );
    for (const transaction of made.transactions) {
      await call(submitTransactions, {}, { transaction: signTransaction(transaction, [owner]), kms_payloads: [] });
    }
    const view = () => call<{ warnings: readonly object[] }>(getProposal, { proposal_address: made.proposalAddress });
    expect((await view()).warnings).toEqual([]);
    await mint.setFee(1_000);
    expect((await view()).warnings).toEqual([expect.objectContaining({ code: "not_whole", mint: mint.address })]);
  });

  it("leaves each due date with all of its amount, or unpaid with the reason", async () => {
    const { mint, network, payee } = await open({ fee: 0 });
    const account = await openControlledAccount(test.network, "holder of the order whose mint takes a fee");
    await mint.mintTo(account.address, 50_000_000n);
    const order = { id: "order-fee", amount: 1_000_000n, frequency: "monthly", startAt: network.clock.now() } as const;
    await openOrder(test.needs.db, network, account, { ...order, mint: mint.address, payee: payee.address });
    const seen: (readonly [received: bigint, run: string | undefined])[] = [];
    for (const fee of [0, 1_000, 0]) {
      await mint.setFee(fee);
      await advance(10 * day);
      await payStandingOrders(test.needs, network);
      const held = await readAccount(network, mint.tokenOf(payee.address));
      const runs = await runsOf(test.needs.db, "order-fee");
      seen.push([(held && decodeTokenAccount(held)?.amount) ?? 0n, runs.at(-1)?.slice(17)]);
      await advance(21 * day);
    }
    expect(seen).toEqual([
      [1_000_000n, "paid"],
      [1_000_000n, "retrying unsupported_currency"],
      [2_000_000n, "paid"],
    ]);
  });
});

/** Who pays in a scene: an account of one key, one whose orders the executor pays, and one with a bank account. */
interface Scene {
  readonly mint: TestMint;
  readonly network: Network;
  readonly payee: ServiceKey;
  readonly payers: readonly Address[];
  /** Signs for the first of them. */
  readonly owner: SignerKey;
  /** What each path answers: a code, or what shows that the payment is prepared, or made. */
  readonly ask: Readonly<Record<Path, () => Promise<string>>>;
}

type Path = (typeof paths)[number];

/** What the payee's end says does not concern a bank: its partner's address is another. */
const ofPayee = (code: string) => each(code, { bank: "prepared" });

/** What may have passed by the time it is paid is judged then. */
const forNow = (code: string) => each(code, { proposal: "prepared", order: "prepared" });

const advance = async (ms: number) => void (await test.network.sandbox?.advanceClockTo(test.network.clock.now() + ms));

let number = 0;
/** A mint, a payee with an account of it by default, and three payers who have tokens. */
async function open(options: MintOptions, { isPayeeOpen = true } = {}): Promise<Scene> {
  number += 1;
  const label = `scene ${number}`;
  const [key, issuer, payee] = ["mint", "issuer", "payee"].map((part) => serviceKeyOf(hashOf(`${part} of ${label}`)));
  if (!key || !issuer || !payee) throw new Error("three keys");
  const mint = await openMint(test.network, key, issuer, options);
  const { tokenProgram } = mint;
  const usdc = { symbol: "usdc", name: "USDC", decimals: 6, mint: mint.address, tokenProgram };
  const others = test.network.currencies.filter(({ symbol }) => symbol !== "usdc");
  const network: Network = { ...test.network, currencies: [...others, usdc] };
  const call = <T>(endpoint: Parameters<TestNetwork["call"]>[0], params: object, body: object) =>
    test.call<T>(endpoint, { network, params, body });
  const [owner, spender] = [newKey(), newKey()];
  const { address } = await test.call<{ address: Address }>(createCustomAccount, {
    network,
    body: { policies: { signers: [may(owner, everything)], threshold: 1 } },
  });
  const controlled = await openControlledAccount(test.network, `holder of ${label}`);
  const payers = [address, controlled.address, bankHolder];
  for (const payer of payers) await mint.mintTo(payer, 9_000_000n);
  if (isPayeeOpen) await mint.open(payee.address);

  const granted = await call<{ transaction: string; spending_limit_address: string }>(
    createSpendingLimit,
    { address },
    { amount: "5000000", mint: "usdc", period: "day", spending_limit_signers: [addressOfKey(spender)] },
  );
  const signed = (transaction: string, by: SignerKey) => ({ transaction: signTransaction(transaction, [by]) });
  await call(submitTransactions, { address }, { ...signed(granted.transaction, owner), kms_payloads: [] });
  const to = payee.address;
  const prepared = async (asked: () => Promise<unknown>): Promise<string> => {
    const answer = await asked().then(
      () => undefined,
      (error: unknown) => error,
    );
    return answer === undefined ? "prepared" : (await errorOf(Promise.reject(answer))).code;
  };
  const destination = { address: to, currency: "usdc" };
  const ask: Scene["ask"] = {
    payment: () =>
      prepared(() =>
        call(preparePayment, { address }, { amount, source: { account: address, currency: "usdc" }, destination }),
      ),
    v0: () =>
      prepared(() =>
        call(
          createLegacyPaymentIntent,
          { smart_account_address: address },
          { amount, source: { currency: "usdc" }, destination },
        ),
      ),
    bank: () => prepared(() => payBank(test, bankHolder, bank, amount, { network })),
    proposal: () =>
      prepared(() =>
        call(
          createProposal,
          { address },
          { type: "transfer", signer: addressOfKey(owner), currency: "usdc", amount, destination: to },
        ),
      ),
    limit: () =>
      prepared(() =>
        call(
          prepareLimitPayment,
          { address, spending_limit_address: granted.spending_limit_address },
          { amount, signer_address: addressOfKey(spender), recipient_address: to },
        ),
      ),
    order: () =>
      prepared(() =>
        call(
          createStandingOrder,
          { address },
          { amount, frequency: "monthly", source: { currency: "usdc" }, destination },
        ),
      ),
    "due date": async () => {
      const id = `order of ${label}`;
      await openOrder(test.needs.db, network, controlled, {
        id,
        amount: BigInt(amount),
        frequency: "monthly",
        startAt: network.clock.now(),
        mint: mint.address,
        payee: to,
      });
      await payStandingOrders(test.needs, network);
      const [run = ""] = await runsOf(test.needs.db, id);
      return run.slice(17).replace("retrying ", "");
    },
  };
  return { mint, network, payee, payers, owner, ask };
}

/** What each path answers, all of them in turn. */
async function answersOf({ ask }: Scene): Promise<Record<Path, string>> {
  const answers: [Path, string][] = [];
  for (const path of paths) answers.push([path, await ask[path]()]);
  return Object.fromEntries(answers) as Record<Path, string>;
}
