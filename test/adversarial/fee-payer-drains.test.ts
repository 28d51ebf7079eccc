import {
  AccountRole,
  type Address,
  createNoopSigner,
  getAddressDecoder,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
} from "@solana/kit";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import {
  getAdvanceNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from "@solana-program/system";
import {
  AuthorityType,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
} from "@solana-program/token";
import { executeTransactionSyncInstruction } from "@trellis/program-client";
import { addressBytes, findProgramDerivedAddress } from "@trellis/program-client/program-address.js";
import { decodeTransaction, type PreparedCustomTransaction } from "@trellis/sdk";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { describe, expect, it } from "vitest";
import { recoverSubmissions } from "../../src/submissions/recover-submissions.js";
import { use, useTestService } from "../support/scene.js";
import { type Answered, dataOf, expectError, makeKey, signWire, stamp, tokenProgram, usdcMint } from "./support.js";

const trellis = useTestService({ TRELLIS_SPONSOR_PER_ACCOUNT_PER_DAY: "1000000000" });
const mallory = use(() => trellis.openHolder({ sol: "3000000000", usdc: "50000000" }));

describe("a caller's transaction that names the fee payer", () => {
  it("is refused as the source of an inner transfer", async () => {
    expectError(await wrapInstructions(transferFrom(trellis.feePayer, mallory.address)), 400, "forbidden_account");
  });

  it("is refused behind harmless instructions, and as a legacy transaction", async () => {
    const instructions = [
      transferFrom(mallory.address, mallory.address),
      getSetComputeUnitLimitInstruction({ units: 1_000 }),
      transferFrom(trellis.feePayer, mallory.address),
    ];
    const legacy = await trellis.compose(mallory.address, instructions, { version: "legacy" });
    expectError(await wrap(legacy), 400, "forbidden_account");
    expectError(await wrapInstructions(...instructions), 400, "forbidden_account");
  });

  it("is refused where it is only read, only paid, or the program", async () => {
    const reads: Instruction = {
      programAddress: SYSTEM_PROGRAM_ADDRESS,
      accounts: [{ address: trellis.feePayer, role: AccountRole.READONLY }],
      data: new Uint8Array(4),
    };
    expectError(await wrapInstructions(reads), 400, "forbidden_account");
    expectError(await wrapInstructions(transferFrom(mallory.address, trellis.feePayer)), 400, "forbidden_account");
    const calls: Instruction = { programAddress: trellis.feePayer, accounts: [], data: new Uint8Array(1) };
    expectError(await wrapInstructions(calls), 400, "forbidden_account");
  });

  it("is refused when it pays for that transaction, and when no instruction uses it", async () => {
    const paid = await trellis.compose(trellis.feePayer, [transferFrom(mallory.address, mallory.address)]);
    expectError(await wrap(paid), 400, "forbidden_account");
    const plain = await trellis.compose(mallory.address, [transferFrom(mallory.address, mallory.address)]);
    const unused = rewrite(plain, (message) => ({
      ...message,
      staticAccounts: [...message.staticAccounts, trellis.feePayer],
      header: { ...message.header, numReadonlyNonSignerAccounts: message.header.numReadonlyNonSignerAccounts + 1 },
    }));
    expectError(await wrap(unused), 400, "forbidden_account");
  });

  it("is refused when it hides in a lookup table", async () => {
    const key = makeKey();
    await trellis.network.sandbox?.airdrop(key.address, 1_000_000_000n);
    const table = await createLookupTable(key, [mallory.address, trellis.feePayer]);
    const plain = await trellis.compose(mallory.address, [transferFrom(mallory.address, mallory.address)]);
    const hidden = rewrite(plain, (message) => ({
      ...message,
      instructions: [
        { programAddressIndex: 1, accountIndices: [0, 2], data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]) },
      ],
      addressTableLookups: [{ lookupTableAddress: table, writableIndexes: [1], readonlyIndexes: [] }],
    }));
    expectError(await wrap(hidden), 400, "forbidden_account");
  });

  it("cannot make it pay the rent of token accounts of a mint of one's own", async () => {
    const mint = makeKey().address;
    const ata = deriveTokenAccount(mallory.address, mint, tokenProgram);
    const opens = getCreateAssociatedTokenIdempotentInstruction({
      payer: createNoopSigner(trellis.feePayer),
      ata,
      owner: mallory.address,
      mint,
      tokenProgram,
    });
    expectError(await wrapInstructions(opens), 400, "forbidden_account");
  });
});

describe("what a caller says about costs", () => {
  it("a copied compute price and limit are replaced by the service's own", async () => {
    const answered = await wrapInstructions(
      getSetComputeUnitLimitInstruction({ units: 1_400_000 }),
      getSetComputeUnitPriceInstruction({ microLamports: 1_000_000_000_000n }),
      transferFrom(mallory.address, mallory.address),
    );
    const prepared = dataOf<PreparedCustomTransaction>(answered);
    expect(Number(prepared.fee.lamports)).toBeLessThan(200_000);
    const { computeBudget } = decodeTransaction(prepared.transaction);
    expect(computeBudget.unitLimit ?? 0).toBeLessThan(200_000);
    expect(computeBudget.unitPriceMicroLamports ?? 0n).toBeLessThanOrEqual(1_000_000n);
  });

  it("a durable nonce is refused", async () => {
    const nonce = getAdvanceNonceAccountInstruction({
      nonceAccount: makeKey().address,
      nonceAuthority: createNoopSigner(mallory.address),
    });
    expectError(
      await wrapInstructions(nonce, transferFrom(mallory.address, mallory.address)),
      400,
      "invalid_transaction",
    );
  });

  it("the caller's own key pays fee and rent where it says so, and the service nothing", async () => {
    const payer = makeKey();
    await trellis.network.sandbox?.airdrop(payer.address, 1_000_000_000n);
    const poor = await trellis.openHolder({ usdc: "5000000" });
    const payee = makeKey().address;
    const before = await trellis.lamportsOf(trellis.feePayer);
    const prepared = await trellis.preparePayment(poor, {
      amount: "1000000",
      currency: "usdc",
      to: payee,
      more: { fee_config: { self_managed_fees: true }, payer_address: payer.address },
    });
    expect(prepared.fee.paid_by).toBe(payer.address);
    expect(decodeTransaction(prepared.transaction).requiredSigners).not.toContain(trellis.feePayer);
    const wire = signWire(prepared.transaction, [payer]);
    dataOf(await trellis.submit(poor.address, wire, stamp(prepared, poor.session)));
    expect(await trellis.usdcOf(payee)).toBe(1_000_000n);
    expect(await trellis.lamportsOf(trellis.feePayer)).toBe(before);
  });

  it("a payer that is a service key or no key at all is refused", async () => {
    const plain = await trellis.compose(mallory.address, [transferFrom(mallory.address, mallory.address)]);
    const by = (payer_address: string) => wrap(plain, { fee_config: { self_managed_fees: true }, payer_address });
    expectError(await by(trellis.feePayer), 400, "forbidden_account");
    expectError(await by(mallory.address), 400, "unsupported_fee_config");
    expectError(await by("nobody"), 400, "unsupported_fee_config");
  });

  it("a payer whose key accepts any signature cannot get bytes stored that the chain refuses", async () => {
    // The neutral point of the curve: a signature by it is over everything, and nodes refuse it.
    const neutral = getAddressDecoder().decode(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0)));
    await trellis.network.sandbox?.airdrop(neutral, 1_000_000_000n);
    const prepared = await trellis.preparePayment(mallory, {
      amount: "1000000",
      currency: "sol",
      to: mallory.address,
      more: { fee_config: { self_managed_fees: true }, payer_address: neutral },
    });
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(prepared.transaction));
    const forged = new Uint8Array(64);
    forged[0] = 1;
    const wire = getBase64Decoder().decode(
      getTransactionEncoder().encode({
        ...transaction,
        signatures: { ...transaction.signatures, [neutral]: forged as never },
      }),
    );
    expectError(
      await trellis.submit(mallory.address, wire, stamp(prepared, mallory.session)),
      400,
      "invalid_signature",
    );
  });
});

describe("the rent of a payee's token account", () => {
  it("is within what was announced, also when another sender touches its address before", async () => {
    const poor = await trellis.openHolder({ usdc: "5000000" });
    const payee = makeKey();
    const ata = deriveTokenAccount(payee.address, usdcMint, tokenProgram);
    await trellis.network.sandbox?.airdrop(ata, 1_000_000n);
    const before = await trellis.lamportsOf(trellis.feePayer);
    const prepared = await trellis.preparePayment(poor, { amount: "1000", currency: "usdc", to: payee.address });
    dataOf(await trellis.submit(poor.address, prepared.transaction, stamp(prepared, poor.session)));
    expect(await trellis.usdcOf(payee.address)).toBe(1_000n);
    const paid = before - (await trellis.lamportsOf(trellis.feePayer));
    expect(paid).toBeLessThanOrEqual(BigInt(prepared.fee.lamports) + BigInt(prepared.fee.rent_lamports));
  });

  it("is reserved in full, whatever lies at its address when the payment is prepared", async () => {
    // Lamports laid there make the account seem cheap; opened and closed in the transaction before, they are back with
    // their owner, and the service pays the whole rent.
    const poor = await trellis.openHolder({ usdc: "5000000" });
    const payee = makeKey();
    const helper = makeKey();
    await trellis.network.sandbox?.airdrop(helper.address, 1_000_000_000n);
    const ata = deriveTokenAccount(payee.address, usdcMint, tokenProgram);
    await trellis.network.sandbox?.airdrop(ata, 2_100_000n);
    const prepared = await trellis.preparePayment(poor, { amount: "1000", currency: "usdc", to: payee.address });
    const opens = getCreateAssociatedTokenIdempotentInstruction({
      payer: createNoopSigner(helper.address),
      ata,
      owner: payee.address,
      mint: usdcMint,
      tokenProgram,
    });
    const closes = getCloseAccountInstruction({
      account: ata,
      destination: helper.address,
      owner: createNoopSigner(payee.address),
    });
    await trellis.sendDirectly(helper, [opens, closes], [payee]);
    const before = await trellis.lamportsOf(trellis.feePayer);
    const answered = await trellis.submit(poor.address, prepared.transaction, stamp(prepared, poor.session));
    const paid = before - (await trellis.lamportsOf(trellis.feePayer));
    const announced = BigInt(prepared.fee.lamports) + BigInt(prepared.fee.rent_lamports);
    expect(paid, JSON.stringify(answered.body)).toBeLessThanOrEqual(announced);
    const reserved = await trellis.service.db
      .selectFrom("submission")
      .select(["reserved_lamports"])
      .where("account_address", "=", poor.address)
      .execute();
    expect(reserved.reduce((sum, row) => sum + row.reserved_lamports, 0n)).toBeGreaterThanOrEqual(paid);
  });

  it("a token account that its owner gave away does not count as the owner's", async () => {
    const payee = makeKey();
    await trellis.network.sandbox?.airdrop(payee.address, 1_000_000_000n);
    const ata = deriveTokenAccount(payee.address, usdcMint, tokenProgram);
    await trellis.sendDirectly(payee, [
      getCreateAssociatedTokenIdempotentInstruction({
        payer: createNoopSigner(payee.address),
        ata,
        owner: payee.address,
        mint: usdcMint,
        tokenProgram,
      }),
      getSetAuthorityInstruction({
        owned: ata,
        owner: createNoopSigner(payee.address),
        authorityType: AuthorityType.AccountOwner,
        newAuthority: makeKey().address,
      }),
    ]);
    const answered = await trellis.post(`/accounts/${mallory.address}/payment-intent`, {
      amount: "1000",
      source: { account: mallory.address, currency: "usdc" },
      destination: { address: payee.address, currency: "usdc" },
    });
    expectError(answered, 400, "destination_closed");
  });
});

describe("a transaction that was not prepared here", () => {
  it("gets no signature of the service", async () => {
    const foreign = await trellis.compose(trellis.feePayer, [transferFrom(trellis.feePayer, mallory.address)]);
    expectError(await trellis.submit(mallory.address, foreign, []), 400, "transaction_not_prepared");
  });

  it("gets no signature of a custodian, not even for its own account", async () => {
    const payer = makeKey();
    await trellis.network.sandbox?.airdrop(payer.address, 1_000_000_000n);
    const member = mallory.session.wallets[0]?.address as Address;
    const call = executeTransactionSyncInstruction({
      settings: mallory.settingsAddress,
      members: [member],
      instructions: [transferFrom(mallory.address, payer.address)],
    });
    const wire = signWire(await trellis.compose(payer.address, [call]), [payer]);
    expectError(await trellis.submit(mallory.address, wire, []), 400, "missing_signature");
    const other = await trellis.preparePayment(mallory, { amount: "1", currency: "usdc", to: mallory.address });
    expectError(
      await trellis.submit(mallory.address, wire, stamp(other, mallory.session)),
      400,
      "transaction_not_prepared",
    );
  });

  it("may not touch another account's settings, another program, or a second vault", async () => {
    const key = makeKey();
    await trellis.network.sandbox?.airdrop(key.address, 1_000_000_000n);
    const own = await trellis.client.accounts.create({ type: "signers", signers: [key.address], threshold: 1 });
    const call = (settings: Address, accountIndex = 0) =>
      executeTransactionSyncInstruction({
        settings,
        members: [key.address],
        instructions: [transferFrom(own.address as Address, key.address, 1n)],
        accountIndex,
      });
    const refused: Instruction[][] = [
      [call(mallory.settingsAddress)],
      [transferFrom(key.address, mallory.address)],
      [call(own.settings_address as Address), transferFrom(key.address, mallory.address)],
      [call(own.settings_address as Address, 1)],
    ];
    for (const instructions of refused) {
      const wire = signWire(await trellis.compose(key.address, instructions), [key]);
      expectError(await trellis.submit(own.address, wire, []), 400, "transaction_not_prepared");
    }
  });

  it("with a payload that no program could read is a bad transaction, not a fault of ours", async () => {
    const key = makeKey();
    await trellis.network.sandbox?.airdrop(key.address, 1_000_000_000n);
    const own = await trellis.client.accounts.create({ type: "signers", signers: [key.address], threshold: 1 });
    const whole = executeTransactionSyncInstruction({
      settings: own.settings_address as Address,
      members: [key.address],
      instructions: [transferFrom(own.address as Address, key.address, 1n)],
    });
    const data = Uint8Array.from(whole.data);
    const policy = Uint8Array.from(data);
    policy[10] = 1;
    const faults: Instruction[] = [
      { ...whole, data: data.subarray(0, 9) },
      { ...whole, data: data.subarray(0, data.length - 3) },
      { ...whole, data: policy },
      { ...whole, accounts: whole.accounts.slice(0, 2) },
      { ...whole, data: Uint8Array.from([...data.subarray(0, 9), 200, ...data.subarray(10)]) },
    ];
    for (const fault of faults) {
      const wire = signWire(await trellis.compose(key.address, [fault]), [key]);
      const answered = await trellis.submit(own.address, wire, []);
      expectError(answered, 400, (answered.body as { code: string }).code);
      expect(["invalid_transaction", "transaction_not_prepared", "transaction_failed"]).toContain(
        (answered.body as { code: string }).code,
      );
    }
  });
});

describe("the recovery pass", () => {
  it("completes every other submission when one of them cannot be sent at all", async () => {
    const { db } = trellis.service;
    const network = trellis.network;
    const prepared = await trellis.preparePayment(mallory, { amount: "1000", currency: "usdc", to: mallory.address });
    const { value: lifetime, context } = await network.rpc.getLatestBlockhash().send();
    const row = (id: string, wire: Uint8Array, at: bigint) => ({
      id,
      tenant_id: "default",
      environment: "sandbox",
      account_address: mallory.address,
      purpose: "transaction" as const,
      signature: id,
      wire_transaction: wire,
      last_valid_block_height: lifetime.lastValidBlockHeight,
      recorded_slot: context.slot,
      state: "signed" as const,
      failure: null,
      slot: null,
      block_time: null,
      reserved_lamports: 0n,
      reserved_on: null,
      spent_lamports: null,
      created_at: at,
      updated_at: at,
      looked_at: at,
      alarmed_at: null,
      carried: false,
    });
    // Bytes that lack a signature: what a fault, or a repair by hand, could leave behind.
    const unsigned = getBase64Encoder().encode(prepared.transaction) as Uint8Array;
    await db
      .insertInto("submission")
      .values(row("a-poison", unsigned, 0n))
      .execute();
    const key = makeKey();
    await network.sandbox?.airdrop(key.address, 1_000_000_000n);
    const wire = signWire(await trellis.compose(key.address, [transferFrom(key.address, mallory.address)]), [key]);
    const bytes = getBase64Encoder().encode(wire) as Uint8Array;
    const signature = getBase58Decoder().decode(bytes.subarray(1, 65));
    await db
      .insertInto("submission")
      .values({ ...row("b-good", bytes, 1n), signature })
      .execute();
    const needs = { db, log: silent };
    await recoverSubmissions(needs, network, 0);
    await recoverSubmissions(needs, network, 0);
    const good = await db.selectFrom("submission").select("state").where("id", "=", "b-good").executeTakeFirst();
    expect(good?.state).toBe("landed");
    await db.deleteFrom("submission").where("id", "=", "a-poison").execute();
  });
});

const quiet = () => undefined;
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** Creates a lookup table by hand and waits until its entries count. */
async function createLookupTable(owner: ReturnType<typeof makeKey>, entries: readonly Address[]): Promise<Address> {
  const { rpc } = trellis.network;
  const program = "AddressLookupTab1e1111111111111111111111111" as Address;
  const slot = (await rpc.getSlot().send()) - 1n;
  const slotBytes = new Uint8Array(8);
  new DataView(slotBytes.buffer).setBigUint64(0, slot, true);
  const { address: table, bump } = findProgramDerivedAddress(program, [addressBytes(owner.address), slotBytes]);
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { address: owner.address, role: AccountRole.READONLY_SIGNER },
    { address: owner.address, role: AccountRole.WRITABLE_SIGNER },
    { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
  ];
  const count = new Uint8Array(8);
  count[0] = entries.length;
  await trellis.sendDirectly(owner, [
    { programAddress: program, accounts, data: Uint8Array.from([0, 0, 0, 0, ...slotBytes, bump]) },
    {
      programAddress: program,
      accounts,
      data: Uint8Array.from([2, 0, 0, 0, ...count, ...entries.flatMap((entry) => [...addressBytes(entry)])]),
    },
  ]);
  return table;
}

/** Hands a transaction of one's own in to be wrapped. */
function wrap(transaction: string, more: object = {}, account: string = mallory.address): Promise<Answered> {
  return trellis.post(`/accounts/${account}/transactions`, { transaction, ...more });
}

async function wrapInstructions(...instructions: Instruction[]): Promise<Answered> {
  return wrap(await trellis.compose(mallory.address, instructions));
}

const transferFrom = (source: Address, destination: Address, amount = 1_000_000n) =>
  getTransferSolInstruction({ source: createNoopSigner(source), destination, amount });

/** The message of a wire transaction, changed, in a wire transaction without signatures. */
function rewrite(
  base64: string,
  change: (message: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>) => unknown,
): string {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  const changed = change(getCompiledTransactionMessageDecoder().decode(messageBytes));
  const bytes = getCompiledTransactionMessageEncoder().encode(changed as never);
  const header = (changed as { header: { numSignerAccounts: number } }).header;
  const wire = new Uint8Array(1 + 64 * header.numSignerAccounts + bytes.length);
  wire[0] = header.numSignerAccounts;
  wire.set(bytes, 1 + 64 * header.numSignerAccounts);
  return getBase64Decoder().decode(wire);
}
