import { Buffer } from "node:buffer";
import {
  type Address,
  address,
  createNoopSigner,
  getBase64Decoder,
  type SignatureBytes,
  type TransactionSigner,
} from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import {
  addressOfBytes,
  deriveSettingsAddress,
  PROGRAM_CONFIG_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
} from "@trellis/program-client";
import { composeTransaction } from "@trellis/solana/compose.js";
import { encodeWithSignatures } from "@trellis/solana/wire-transaction.js";
import { describe, expect, it } from "vitest";
import { bendNetwork } from "../../test/support/bent-network.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection, createClientKey, errorOf } from "../../test/support/test-network.js";
import { removeOutdated } from "../scheduler/retention.js";
import { createAccount } from "./create-account.js";
import type { CreatedAccount } from "./creation.js";
import { planKeyAccount } from "./creation-plan.js";
import { createCreationQueue } from "./creation-queue.js";
import { createFromKeys } from "./key-creation.js";
import { parsePolicy, requestPlainKeys } from "./policy.js";
import { resumePendingCreations } from "./resume-creations.js";
import { verifyAccount } from "./verify-account.js";

const test = useTestNetwork({ each: true });

describe("while the fee payer holds too little", () => {
  it("a code stays good, nothing is signed, and the account is made once the fee payer is funded", async () => {
    const email = "ada@example.org";
    await test.call(createAccount, { body: { type: "email", email } });
    const clientKey = await createClientKey();
    const body = {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: clientKey.spki },
    };
    await drainFeePayerTo(2_000_000n);
    expect(await errorOf(test.call(verifyAccount, { body }))).toMatchObject({
      code: "service_unavailable",
      status: 503,
    });
    expect(await creations()).toMatchObject([{ state: "pending", submission_id: null }]);
    expect(await submissions()).toEqual([]);
    await fillFeePayer();
    await test.call(verifyAccount, { body });
    expect(await creations()).toMatchObject([{ state: "landed" }]);
    expect(await countAccounts()).toBe(1n);
  });

  it("the pass makes what a code had begun once the fee payer is funded, without its user", async () => {
    const email = "grace@example.org";
    await test.call(createAccount, { body: { type: "email", email } });
    const clientKey = await createClientKey();
    const body = {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: clientKey.spki },
    };
    await drainFeePayerTo(2_000_000n);
    await errorOf(test.call(verifyAccount, { body }));
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 0, left: 1 });
    await fillFeePayer();
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 1, left: 0 });
  });

  it("bytes that were signed before it was emptied fail, and are replaced once it is funded", async () => {
    let isDrained = false;
    const network = bendNetwork(test.network, async ({ method, ask }) => {
      if (method === "sendTransaction" && !isDrained) {
        isDrained = true;
        await drainFeePayerTo(2_000_000n);
      }
      return ask();
    });
    expect((await errorOf(create({ network, operationId: "operation-1" }))).code).toBe("service_unavailable");
    expect(await creations()).toMatchObject([{ state: "pending" }]);
    expect((await submissions()).map(({ state }) => state)).toEqual(["failed"]);
    await fillFeePayer();
    await create({ operationId: "operation-1", signers: [newKey()] });
    expect((await submissions()).map(({ state }) => state).sort()).toEqual(["failed", "landed"]);
    expect(await countAccounts()).toBe(1n);
  });
});

describe("a creation that has outlived what was signed for it", () => {
  it("is resumed by the pass, and makes one account", async () => {
    const email = "ada@example.org";
    await test.call(createAccount, { body: { type: "email", email } });
    const clientKey = await createClientKey();
    const body = {
      email,
      otp_code: await test.latestCode(email),
      kms_provider_config: { encryption_public_key: clientKey.spki },
    };
    let isDrained = false;
    const network = bendNetwork(test.network, async ({ method, ask }) => {
      if (method === "sendTransaction" && !isDrained) {
        isDrained = true;
        await drainFeePayerTo(2_000_000n);
      }
      return ask();
    });
    expect((await errorOf(test.call(verifyAccount, { body, network }))).code).toBe("service_unavailable");
    const [before] = await submissions();
    expect(before?.state).toBe("failed");
    const over = Number(before?.updated_at) + limits.kept.submissionMs + 1;
    await test.network.sandbox?.advanceClockTo(over);
    // Its bytes go in one sweep, and the rest of it in the next.
    for (let sweep = 0; sweep < 2; sweep += 1) await removeOutdated(test.needs, [test.network]);
    expect(await submissions()).toEqual([]);
    expect(await creations()).toMatchObject([{ state: "pending", submission_id: before?.id }]);
    await fillFeePayer();
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 1, left: 0 });
    expect(await creations()).toMatchObject([{ state: "landed" }]);
    expect(await countAccounts()).toBe(1n);
  });
});

describe("what the chain says that is not about the plan", () => {
  const simulated = (value: object) =>
    bendNetwork(test.network, async ({ method, ask }) => {
      const answer = await ask();
      if (method !== "simulateTransaction") return answer;
      return { ...answer, result: { ...answer.result, value: { ...answer.result.value, ...value } } };
    });
  const failing = (err: unknown, logs: readonly string[] = []) => simulated({ err, logs });
  const systemProgram = [`Program ${SYSTEM_PROGRAM_ADDRESS} failed: custom program error: 0x1`];

  const passing: readonly [what: string, bent: () => Network, code: string][] = [
    ["an empty fee payer", () => failing("AccountNotFound"), "service_unavailable"],
    ["a fee that cannot be paid", () => failing("InsufficientFundsForFee"), "service_unavailable"],
    [
      "rent that the fee payer would be short of",
      () => failing({ InsufficientFundsForRent: { account_index: 0 } }),
      "service_unavailable",
    ],
    [
      "a transfer that the fee payer cannot make",
      () => failing({ InstructionError: [1, { Custom: 1 }] }, systemProgram),
      "service_unavailable",
    ],
    [
      "rent that another account would be short of",
      () => failing({ InsufficientFundsForRent: { account_index: 3 } }),
      "chain_unavailable",
    ],
    [
      "compute that was used up",
      () => failing({ InstructionError: [1, "ComputationalBudgetExceeded"] }),
      "chain_unavailable",
    ],
    ["a blockhash that the node has not seen", () => failing("BlockhashNotFound"), "chain_unavailable"],
    [
      "an error of the program that is no plan's",
      () => failing({ InstructionError: [1, { Custom: 3006 }] }),
      "chain_unavailable",
    ],
    ["a program that is not there", () => failing("ProgramAccountNotFound"), "chain_unavailable"],
    [
      "a price above the reservation",
      () => simulated({ preBalances: [10_000_000_000n], postBalances: [1n] }),
      "service_unavailable",
    ],
    [
      "no answer to the simulation",
      () => breakConnection(test.network, (m) => m === "simulateTransaction"),
      "chain_unavailable",
    ],
    ["no blockhash", () => simulated({ replacementBlockhash: null }), "chain_unavailable"],
    ["no terms", () => breakConnection(test.network, (m) => m === "getAccountInfo"), "chain_unavailable"],
  ];

  it("is not final in any case: the operation resumes under its idempotency key", async () => {
    const needs = { pause: async () => undefined };
    for (const [i, [what, bent, code]] of passing.entries()) {
      const operation = { operationId: `operation-${i}`, signers: [newKey()] };
      const isOwn = ({ id }: { id: string }) => id === operation.operationId;
      expect((await errorOf(create({ ...operation, network: bent(), needs }))).code, what).toBe(code);
      expect((await creations()).filter(isOwn), what).toMatchObject([{ state: "pending", submission_id: null }]);
      expect(await submissions(), what).toHaveLength(i);
      const created = await create(operation);
      expect((await create(operation)).address, what).toBe(created.address);
      expect(await countAccounts(), what).toBe(BigInt(i + 1));
      // The terms are read anew for the next one.
      test.needs.realClock.advance(11_000);
    }
  });

  it("an operation without a name leaves nothing behind when nothing was signed for it", async () => {
    await errorOf(create({ network: failing("InsufficientFundsForFee") }));
    expect(await creations()).toEqual([]);
    const poor = { ...test.network, sponsorship: { ...test.network.sponsorship, perTenantPerDay: 1n } };
    expect((await errorOf(create({ network: poor }))).code).toBe("sponsorship_limit_exceeded");
    expect(await creations()).toEqual([]);
  });

  it("no pass makes an account of keys that was refused before anything was signed", async () => {
    await errorOf(create({ network: failing("InsufficientFundsForFee"), operationId: "operation-1" }));
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 0, left: 0 });
    expect(await countAccounts()).toBe(0n);
  });

  it("a failure on chain that says nothing about the plan costs one fee a call, not twelve", async () => {
    const sent: unknown[] = [];
    const network = bendNetwork(test.network, async ({ method, params, ask }) => {
      if (method === "sendTransaction") sent.push(params[0]);
      const answer = await ask();
      if (method !== "getSignatureStatuses") return answer;
      const err = { InstructionError: [1, "ComputationalBudgetExceeded"] };
      const value = answer.result.value.map((status: object | null) => status && { ...status, err });
      return { ...answer, result: { ...answer.result, value } };
    });
    expect((await errorOf(create({ network, operationId: "operation-1" }))).code).toBe("chain_unavailable");
    expect(new Set(sent).size).toBe(1);
    expect(await creations()).toMatchObject([{ state: "pending" }]);
  });
});

describe("the address of a created account", () => {
  it("is that of the own transaction, whatever else was created with the same signers", async () => {
    const signers = [newKey(), newKey()];
    await create();
    const index = await countAccounts();
    // Another process makes an account of the same signers and dies between landing and writing it down.
    const dying = breakConnection(test.network, (method) => method === "getTransaction");
    const other = { creationQueue: createCreationQueue(test.needs.realClock) };
    expect((await errorOf(create({ network: dying, needs: other, signers }))).code).toBe("chain_unavailable");
    // This node shows the accounts of the other creation already, and those of this one not yet.
    const own = deriveSettingsAddress(index + 2n);
    const lagging = bendNetwork(test.network, async ({ method, params, ask }) => {
      const answer = await ask();
      if (method !== "getMultipleAccounts") return answer;
      const value = answer.result.value.map((account: unknown, i: number) =>
        (params[0] as string[])[i] === own ? null : account,
      );
      return { ...answer, result: { ...answer.result, value } };
    });
    expect((await create({ network: lagging, signers })).settingsAddress).toBe(own);
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 1, left: 0 });
    const rows = await test.needs.db.selectFrom("account").select("settings_address").execute();
    expect(rows.map(({ settings_address }) => settings_address).sort()).toEqual(
      [1n, 2n, 3n].map((seed) => deriveSettingsAddress(seed) as string).sort(),
    );
  });

  const slowNode = (nullsOf: () => boolean) =>
    bendNetwork(test.network, async ({ method, ask }) => {
      const answer = await ask();
      return method === "getTransaction" && nullsOf() ? { ...answer, result: null } : answer;
    });

  it("is waited for while the node does not have the transaction yet", async () => {
    let nulls = 3;
    const network = slowNode(() => nulls-- > 0);
    const created = await create({ network, needs: { pause: async () => undefined } });
    expect(created.settingsAddress).toBe(deriveSettingsAddress(1n));
  });

  it("leaves the creation open, and no place in use, when the node never reports it", async () => {
    const needs = { pause: async () => undefined };
    const network = slowNode(() => true);
    for (let i = 0; i < 6; i += 1) {
      const error = await errorOf(create({ network, needs, operationId: `operation-${i}` }));
      expect([error.status, error.code]).toEqual([502, "chain_unavailable"]);
    }
    expect((await submissions()).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "landed"));
    await create();
    expect(await resumePendingCreations(test.needs, test.network, 0)).toEqual({ ended: 6, left: 0 });
    expect(await test.needs.db.selectFrom("account").select("address").execute()).toHaveLength(7);
    expect(await countAccounts()).toBe(7n);
  });
});

describe("a tenant whose budget is used up", () => {
  it("is refused at once and blocks no other tenant while all places are in use", async () => {
    const { creationQueue } = test.needs;
    const releases: (() => void)[] = [];
    const applicant = { tenantId: "tenant-2", assertWorthwhile: async () => undefined };
    const holding = Array.from({ length: 4 }, () =>
      creationQueue.run(test.network, applicant, () => new Promise<void>((resolve) => releases.push(resolve))),
    );
    const poor = { ...test.network, sponsorship: { ...test.network.sponsorship, perTenantPerDay: 1n } };
    expect((await errorOf(create({ network: poor }))).code).toBe("sponsorship_limit_exceeded");
    const waiting = create();
    for (const release of releases) release();
    await Promise.all([...holding, waiting]);
    expect(await countAccounts()).toBe(1n);
  });
});

const newKey = () => addressOfBytes(generateEd25519KeyPair().publicKey) as string;

/** Creates an account of keys, under an idempotency key's name where one is given. */
function create(
  parts: { network?: Network; needs?: object; signers?: string[]; operationId?: string } = {},
): Promise<CreatedAccount> {
  return createFromKeys({ ...test.needs, ...parts.needs }, parts.network ?? test.network, {
    tenantId: test.caller.tenantId,
    type: "signers",
    plan: planKeyAccount(parsePolicy(requestPlainKeys(parts.signers ?? [newKey()], 1), test.network, ""), null),
    operationId: parts.operationId,
  });
}

const creations = () => test.needs.db.selectFrom("account_creation").selectAll().orderBy("created_at").execute();

const submissions = () => test.needs.db.selectFrom("submission").selectAll().execute();

async function countAccounts(): Promise<bigint> {
  const { value } = await test.network.rpc.getAccountInfo(PROGRAM_CONFIG_ADDRESS, { encoding: "base64" }).send();
  return Buffer.from(value?.data[0] ?? "", "base64").readBigUInt64LE(8);
}

async function drainFeePayerTo(left: bigint): Promise<void> {
  const { network } = test;
  const { value: held } = await network.rpc.getBalance(network.feePayer.address).send();
  const { value: lifetime } = await network.rpc.getLatestBlockhash().send();
  const transfer = getTransferSolInstruction({
    source: createNoopSigner(network.feePayer.address) as TransactionSigner,
    destination: address("9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g"),
    amount: held - left - 5_000n,
  });
  const budget = { units: 10_000, microLamportsPerUnit: 0n };
  const { transaction } = composeTransaction(network.feePayer.address, lifetime, budget, [transfer]);
  const signature = await network.feePayer.sign(Uint8Array.from(transaction.messageBytes));
  const wire = encodeWithSignatures(
    transaction,
    new Map<Address, SignatureBytes>([[network.feePayer.address, signature]]),
  );
  await network.rpc.sendTransaction(getBase64Decoder().decode(wire) as never, { encoding: "base64" }).send();
}

const fillFeePayer = () => test.network.sandbox?.airdrop(test.network.feePayer.address, 1_000_000_000_000n);
