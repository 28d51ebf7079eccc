import {
  AccountRole,
  type Address,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
} from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import { getCreateAssociatedTokenIdempotentInstruction, getMintToInstruction } from "@solana-program/token";
import { TOKEN_2022_PROGRAM_ADDRESS } from "@trellis/solana/token-accounts.js";
import { deriveTokenAccount } from "@trellis/solana/token-address.js";
import { beforeAll, describe, expect, it } from "vitest";
import { buildTransaction, fundedSigner, useTestNode } from "./sandbox-rpc-fixture.js";

/** Amounts of mints that bear interest or have a multiplier: the node shows them as the token program itself writes them. */

const node = useTestNode();
let payer: KeyPairSigner;

beforeAll(async () => {
  payer = await fundedSigner(node, 100_000_000_000n);
});

describe("a mint with a multiplier", () => {
  const initialize = (multiplier: number) => [43, 0, ...keyOf(payer.address), ...f64(multiplier)];

  it.each([
    [2, 6, 5_000_000n],
    [1.000_000_7, 6, 123_456_789n],
    [0.333_333, 9, 1n],
    [3.7, 0, 999_999_999_999_999_999n],
    [1e9, 2, 18_446_744_073_709_551_615n],
  ])("is returned with it: %s, %s decimals, %s", async (multiplier, decimals, amount) => {
    const opened = await openMint(56, initialize(multiplier), decimals, amount);
    const said = await expectAsProgram(opened, amount);
    if (multiplier === 2) expect(said).toBe("10");
  });

  it("changes at the moment that was set for it", async () => {
    const amount = 5_000_000n;
    const opened = await openMint(56, initialize(1), 6, amount);
    const at = BigInt(Math.floor(node.clock.now() / 1000)) + 100n;
    await send([instruct(opened.mint, [43, 1, ...f64(3), ...u64(at)], payer)]);
    expect(await expectAsProgram(opened, amount)).toBe("5");
    await node.advanceClock(101);
    expect(await expectAsProgram(opened, amount)).toBe("15");
  });

  it("is described where accounts are parsed", async () => {
    const { mint } = await openMint(56, initialize(2), 6, 1n);
    const { value } = await node.rpc.getAccountInfo(mint, { encoding: "jsonParsed" }).send();
    expect(JSON.stringify(value?.data, (_, each) => (typeof each === "bigint" ? Number(each) : each))).toContain(
      '"extension":"scaledUiAmountConfig"',
    );
  });
});

describe("a mint that bears interest", () => {
  const initialize = (rate: number) => [33, 0, ...keyOf(payer.address), ...i16(rate)];

  it("is returned with its interest, compounded at every moment, also after its rate changed", async () => {
    const amount = 5_000_000n;
    const opened = await openMint(52, initialize(10_000), 6, amount);
    await node.advanceClock(365 * 86_400);
    const afterOneYear = Number(await expectAsProgram(opened, amount));
    expect(afterOneYear).toBeGreaterThan(13.5);
    expect(afterOneYear).toBeLessThan(13.6);
    await send([instruct(opened.mint, [33, 1, ...i16(-5_000)], payer)]);
    await node.advanceClock(100 * 86_400);
    expect(Number(await expectAsProgram(opened, amount))).toBeLessThan(afterOneYear);
    const { value } = await node.rpc.getAccountInfo(opened.mint, { encoding: "jsonParsed" }).send();
    expect(value?.data).toMatchObject({
      parsed: { info: { extensions: [{ extension: "interestBearingConfig", state: { currentRate: -5_000 } }] } },
    });
  });

  it.each([
    [32_767, 9, 1n],
    [-32_768, 9, 18_446_744_073_709_551_615n],
    [1, 0, 1_000_003n],
    [250, 200, 77_777_777n],
  ])("is returned as the program writes it: %s, %s decimals, %s", async (rate, decimals, amount) => {
    const opened = await openMint(52, initialize(rate), decimals, amount);
    await node.advanceClock(30 * 86_400 + 7);
    await expectAsProgram(opened, amount);
  });
});

const bytesOf = (view: (view: DataView) => void, length: number) => {
  const bytes = new Uint8Array(length);
  view(new DataView(bytes.buffer));
  return [...bytes];
};
const i16 = (value: number) => bytesOf((view) => view.setInt16(0, value, true), 2);
const f64 = (value: number) => bytesOf((view) => view.setFloat64(0, value, true), 8);
const keyOf = (address: Address) => [...getAddressEncoder().encode(address)];

const u64 = (value: bigint) => bytesOf((view) => view.setBigUint64(0, value, true), 8);

const instruct = (mint: Address, data: readonly number[], signer?: KeyPairSigner): Instruction =>
  ({
    programAddress: TOKEN_2022_PROGRAM_ADDRESS,
    accounts: [
      { address: mint, role: AccountRole.WRITABLE },
      ...(signer ? [{ address: signer.address, role: AccountRole.READONLY_SIGNER, signer }] : []),
    ],
    data: Uint8Array.from(data),
  }) as Instruction;

async function send(instructions: readonly Instruction[]): Promise<void> {
  const { wire } = await buildTransaction(node.rpc, payer, instructions);
  await node.rpc.sendTransaction(wire, { encoding: "base64" }).send();
}

/** A mint with one extension of so many bytes, and an account of the payer's that holds so much of it. */
async function openMint(extensionBytes: number, initialize: readonly number[], decimals: number, amount: bigint) {
  const mint = await generateKeyPairSigner();
  const space = 166 + 4 + extensionBytes;
  const lamports = await node.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send();
  const account = deriveTokenAccount(payer.address, mint.address, TOKEN_2022_PROGRAM_ADDRESS);
  await send([
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports,
      space,
      programAddress: TOKEN_2022_PROGRAM_ADDRESS,
    }),
    instruct(mint.address, initialize),
    instruct(mint.address, [20, decimals, ...keyOf(payer.address), 0]),
  ]);
  await send([
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: account,
      owner: payer.address,
      mint: mint.address,
      tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    }),
    getMintToInstruction(
      { mint: mint.address, token: account, mintAuthority: payer, amount },
      { programAddress: TOKEN_2022_PROGRAM_ADDRESS },
    ),
  ]);
  return { mint: mint.address, account };
}

/** What the program says of an amount: AmountToUiAmount, simulated. */
async function saidByProgram(mint: Address, amount: bigint): Promise<string> {
  const { wire } = await buildTransaction(node.rpc, payer, [instruct(mint, [23, ...u64(amount)])]);
  const { value } = await node.rpc.simulateTransaction(wire, { encoding: "base64" }).send();
  return Buffer.from(value.returnData?.data[0] ?? "", "base64").toString("utf8");
}

async function viewByNode(mint: Address, account: Address): Promise<readonly string[]> {
  const balance = await node.rpc.getTokenAccountBalance(account).send();
  const supply = await node.rpc.getTokenSupply(mint).send();
  const largest = await node.rpc.getTokenLargestAccounts(mint).send();
  const parsed = await node.rpc.getAccountInfo(account, { encoding: "jsonParsed" }).send();
  const data = parsed.value?.data as unknown as {
    readonly parsed: { readonly info: { readonly tokenAmount: { readonly uiAmountString: string } } };
  };
  return [
    balance.value.uiAmountString,
    supply.value.uiAmountString,
    String(largest.value[0]?.uiAmountString),
    data.parsed.info.tokenAmount.uiAmountString,
  ];
}

async function expectAsProgram({ mint, account }: { mint: Address; account: Address }, amount: bigint) {
  const said = await saidByProgram(mint, amount);
  expect(said).not.toBe("");
  expect(await viewByNode(mint, account)).toEqual([said, said, said, said]);
  return said;
}
