import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { base58 } from "@scure/base";
import { describe, expect, test } from "vitest";
import { type Bytes, concat, fromHex, hex, i64, text, u8, u16, u32, u64 } from "./support/bytes.js";
import { DISCRIMINATORS } from "./support/calls.js";
import { createProposal, createSmartAccount, createTransaction, executeSync, vote } from "./support/instructions.js";
import { repeated, SYSTEM } from "./support/keys.js";
import { createLedger } from "./support/ledger.js";
import { A, B, C, D, TWO_OF_TWO } from "./support/members.js";
import { syncPayload, transferData, transferMessage, wrappedMessage } from "./support/messages.js";
import { expectSuccess } from "./support/outcomes.js";
import { pda } from "./support/pda.js";
import {
  action,
  addLimitAsAuthority,
  asAuthority,
  createSettingsTransaction,
  executeSettingsSync,
  useLimit,
} from "./support/settings-instructions.js";
import { openAccount } from "./support/smart-account.js";

const SEED = repeated(7);
const MINT = repeated(8);

describe("the specification's published values", () => {
  test("discriminators are the first eight bytes of sha256(global:name)", () => {
    for (const [name, discriminator] of Object.entries(DISCRIMINATORS)) {
      const digest = createHash("sha256").update(`global:${name}`).digest("hex");
      expect(digest.slice(0, 16), name).toBe(discriminator);
    }
  });

  test("addresses of settings 1 are derived as published", async () => {
    const settings = await pda.settings(1);
    const transaction = await pda.transaction(settings.key, 1);
    const derived = await Promise.all([
      pda.programConfig(),
      Promise.resolve(settings),
      pda.vault(settings.key, 0),
      pda.vault(settings.key, 1),
      Promise.resolve(transaction),
      pda.transaction(settings.key, 2),
      pda.proposal(settings.key, 1),
      pda.proposal(settings.key, 2),
      pda.spendingLimit(settings.key, SEED),
      pda.ephemeralSigner(transaction.key, 0),
      pda.settings(2),
      pda.settings(3),
    ]);
    expect(derived.map(({ key, bump }) => `${base(key)} ${bump}`)).toEqual([
      "GmY9kVi3FhrCUn2MJkzzpE6C5618YoHuGsgqHU78cKus 253",
      "41gqrPgijYycTaCCzKyLfvqikMEH9fzGCwZYAKQHvMbd 249",
      "EdMSvMoHfsemd2s7eHCrRnuM1dzPu2CpUrHJN98XYC9y 255",
      "HLXfZdNd8Df86bkhQgKrjSWht6AqRSYQR7eE7dE7FQXQ 254",
      "5GUmzesvqTGwixGKUE6KBo7PqdkDxufuAwdyxiTfoEoT 255",
      "8JvqFird558RoGhfHKUdeuMPovKj7PKvcUzfaHxWm7uG 255",
      "3ACP3AgQ2HpEn6JsFgkYpWeRG1vHofUGX9vrYo618E1a 254",
      "8wvuzSwcZauFhHum5nW7jWkktHETQ6swSSRqDRBR9R62 255",
      "Hk55rrA2jXQSHP7dkSb3FKf2nGauTkaAoMiPDy4sGnWJ 251",
      "3nS2kWqH4neTHuMytfwfvQL3mPjpMpf89ZESxSUFXDnD 255",
      expect.stringContaining("9pits5NtSr7qjgYxf8CAiRbST3CfpsVs58ExNyW9YJnn"),
      expect.stringContaining("4ozU3bD11Bij9sBWaRctx3eQChbeYaBDA4csb5gENoDY"),
    ]);
  });

  test("the settings image after the first creation is the published one, byte for byte", async () => {
    const ledger = await createLedger();
    const account = await openAccount(ledger, {
      ...TWO_OF_TWO,
      members: [
        { key: A, mask: 7 },
        { key: B, mask: 6 },
      ],
    });
    const zeros = (count: number) => "00".repeat(count);
    const image = [
      `dfb3a3beb1e043ad01${zeros(15)}${zeros(32)}020000000000${zeros(16)}01${zeros(32)}${zeros(8)}f902000000`,
      `${hex(A)}07${hex(B)}060001${zeros(8)}00`,
    ].join("");
    expect(hex(ledger.account(account.settings)?.data ?? new Uint8Array())).toBe(image);
    expect(image.length).toBe(402);
  });
});

describe("instruction data and stored bytes are the published ones", () => {
  const settings = repeated(20);
  const someAddress = repeated(21);

  async function published(): Promise<[string, Uint8Array, Bytes][]> {
    const vault = (await pda.vault((await pda.settings(1)).key, 0)).key;
    const message = concat(
      fromHex("01010103"),
      vault,
      D,
      SYSTEM,
      fromHex("01 02 020001 0c00 0200000040420f0000000000 00"),
    );
    const payload = fromHex("01 02 020001 0c00 0200000040420f0000000000");
    expect(message.length).toBe(120);
    expect(hex(wrappedMessage(transferMessage(vault, D, 1_000_000)))).toBe(hex(message));
    expect(hex(syncPayload([{ program: 2, accounts: [0, 1], data: transferData(1_000_000) }]))).toBe(hex(payload));
    const create = { threshold: 2, candidates: [] };
    return [
      [
        "create, autonomous",
        (
          await createSmartAccount({
            ...create,
            members: [
              { key: A, mask: 7 },
              { key: B, mask: 6 },
            ],
          })
        ).data,
        concat(fromHex("c566fde74d54321100020002000000"), A, u8(7), B, u8(6), fromHex("000000000000")),
      ],
      [
        "create, controlled",
        (
          await createSmartAccount({
            authority: C,
            threshold: 1,
            members: [{ key: A, mask: 7 }],
            timeLock: 60,
            memo: "hi",
            candidates: [],
          })
        ).data,
        concat(fromHex("c566fde74d54321101"), C, fromHex("010001000000"), A, fromHex("07 3c000000 00 01020000006869")),
      ],
      [
        "create_transaction",
        createTransaction({ settings, transaction: someAddress, creator: A, message }).data,
        concat(fromHex("e3c135ef377e7069 00 00 00 78000000"), message, u8(0)),
      ],
      [
        "create_proposal",
        createProposal({ settings, proposal: someAddress, creator: A, index: 1 }).data,
        fromHex("847444aed8a0c616 0100000000000000 00"),
      ],
      [
        "approve",
        vote({ kind: "approve", settings, signer: A, proposal: someAddress }).data,
        fromHex("886c665562720793 00"),
      ],
      [
        "sync v2",
        executeSync({ settings, members: [A, B], accounts: [], payload }).data,
        concat(fromHex("5a51bb512746804e 00 02 00 13000000"), payload),
      ],
      [
        "settings sync",
        executeSettingsSync({
          settings,
          members: [A, B],
          actions: [action.addSigner({ key: C, mask: 2 }), action.changeThreshold(2), action.setTimeLock(60)],
        }).data,
        concat(fromHex("8ad140a34f43e94c 02 03000000 00"), C, fromHex("02 020200 033c000000 00")),
      ],
      [
        "create_settings_transaction",
        createSettingsTransaction({
          settings,
          transaction: someAddress,
          creator: A,
          actions: [action.removeSigner(B)],
        }).data,
        concat(fromHex("65a8fecbde665fc0 01000000 01"), B, u8(0)),
      ],
      [
        "add_spending_limit_as_authority",
        addLimitAsAuthority({
          settings,
          authority: C,
          limit: someAddress,
          terms: { seed: SEED, mint: MINT, amount: 1_000_000n, period: 1, signers: [A], destinations: [D] },
        }).data,
        concat(
          fromHex("a9bd54361ef4dfd4"),
          SEED,
          u8(0),
          MINT,
          fromHex("40420f0000000000 01 01000000"),
          A,
          u32(1),
          D,
          fromHex("ffffffffffffff7f 00"),
        ),
      ],
      [
        "use_spending_limit",
        useLimit({
          settings,
          signer: A,
          limit: someAddress,
          vault,
          destination: D,
          amount: 1000n,
          decimals: 6,
        }).data,
        fromHex("29b34605c293ef9e e803000000000000 06 00"),
      ],
      [
        "set_new_settings_authority",
        asAuthority("set_new_settings_authority_as_authority", { settings, authority: C, argument: SYSTEM }).data,
        concat(fromHex("dd7085e5923a5a38"), SYSTEM, u8(0)),
      ],
      [
        "set_time_lock",
        asAuthority("set_time_lock_as_authority", { settings, authority: C, argument: u32(3600) }).data,
        fromHex("02ea5d5d285c1fea 100e0000 00"),
      ],
    ];
  }

  test("encoders", async () => {
    for (const [name, encoded, expected] of await published()) expect(hex(encoded), name).toBe(hex(expected));
  });

  test("account sizes: settings, proposal, transaction, settings transaction, spending limit", async () => {
    const ledger = await createLedger();
    const account = await openAccount(ledger, TWO_OF_TWO);
    const size = (key: Uint8Array): number | undefined => ledger.account(key)?.data.length;
    expectSuccess(
      ledger.send(
        await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000)),
        await account.propose(A, 1),
        await account.createSettings(A, [action.removeSigner(B), action.changeThreshold(1)], { index: 2n }),
      ),
    );
    expect(size(account.settings)).toBe(201);
    expect(size(await account.proposalKey(1))).toBe(102 + 96 * 2);
    expect(size(await account.transactionKey(1))).toBe(254);
    expect(size(await account.transactionKey(2))).toBe(117 + 33 + 3);
  });

  test("stored accounts of the asynchronous path are laid out as published", async () => {
    const ledger = await createLedger();
    const account = await openAccount(ledger, TWO_OF_TWO);
    expectSuccess(
      ledger.send(
        await account.createTransaction(A, transferMessage(account.vault, D, 1_000_000)),
        await account.propose(A, 1),
        await account.createSettings(A, [action.removeSigner(B)], { index: 2n }),
        await account.vote("approve", B, 1),
      ),
    );
    const payer = (await account.transaction(1)).rentCollector;
    const stored = (key: Uint8Array): string => hex(ledger.account(key)?.data ?? new Uint8Array());
    const message = concat(
      fromHex("010101 03000000"),
      account.vault,
      D,
      SYSTEM,
      fromHex("01000000 02 02000000 0001 0c000000 0200000040420f0000000000 00000000"),
    );
    expect(stored(await account.transactionKey(1))).toBe(
      hex(
        concat(
          fromHex("0b18ae81cb75f217"),
          account.settings,
          A,
          payer,
          u64(1),
          fromHex("00 00 00000000"),
          message,
          u16(0),
        ),
      ),
    );
    const { bump } = await pda.proposal(account.settings, 1);
    const votes = concat(u32(1), B, u32(0), u32(0));
    const proposal = concat(
      fromHex("1a5ebdbb74883521"),
      account.settings,
      u64(1),
      payer,
      u8(1),
      i64(ledger.now()),
      u8(bump),
      votes,
    );
    expect(stored(await account.proposalKey(1)).slice(0, proposal.length * 2)).toBe(hex(proposal));
    const settingsBump = (await pda.transaction(account.settings, 2)).bump;
    expect(stored(await account.transactionKey(2))).toBe(
      hex(
        concat(
          fromHex("c79748574d7c1000"),
          account.settings,
          A,
          payer,
          u64(2),
          u8(settingsBump),
          u32(1),
          action.removeSigner(B),
        ),
      ),
    );
  });

  test("memos are length-prefixed text", () => {
    expect(hex(text("hi"))).toBe("020000006869");
  });
});

describe("the artefact", () => {
  test("is the file its checksum names", () => {
    const read = (name: string) => readFileSync(new URL(`../artifact/${name}`, import.meta.url));
    const digest = createHash("sha256").update(read("smart_account_program.so")).digest("hex");
    expect(read("smart_account_program.so.sha256").toString()).toBe(`${digest}  smart_account_program.so\n`);
  });
});

const base = (key: Uint8Array): string => base58.encode(key);
