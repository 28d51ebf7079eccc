import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Address, getAddressEncoder } from "@solana/kit";
import { limits } from "@trellis/kernel/limits.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { SIGNATURE_PROGRAM_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bendNetwork } from "../../../test/support/bent-network.js";
import { openTestNetwork, type TestNetwork } from "../../../test/support/test-network.js";
import { createProgramChecks } from "./check-program.js";
import { findKnownBuild, knownBuilds, parseKnownPrograms } from "./known-builds.js";
import { hashOfCode, readDeployment } from "./read-deployment.js";

const artifact = new Uint8Array(
  readFileSync(new URL("../../../program/artifact/smart_account_program.so", import.meta.url)),
);
const codeAddress = "2g3u9qgz4adKQVN1TUoh7bbBKqaSsjXtz1yX2ptagW5T";
const caller = "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g" as Address;
let test: TestNetwork;
beforeAll(async () => {
  test = await openTestNetwork();
});
afterAll(() => test.close());
beforeEach(() => {
  test.logLines.length = 0;
});

describe("known builds", () => {
  it("are this repository's own, as they lie there, each at its own address", () => {
    for (const { program, sha256, name } of knownBuilds) {
      const code = readFileSync(new URL(`../../../${name}`, import.meta.url));
      expect(sha256, name).toBe(hashOfCode(code));
      expect(findKnownBuild(program, sha256, [])?.name).toBe(name);
      expect(findKnownBuild(caller, sha256, [])).toBeUndefined();
      expect(findKnownBuild(caller, sha256, [sha256])).toMatchObject({ program: caller });
    }
    expect(knownBuilds.map(({ program }) => program)).toEqual([
      SMART_ACCOUNT_PROGRAM_ADDRESS,
      SIGNATURE_PROGRAM_ADDRESS,
    ]);
  });

  it("have the hash of their code without the zeros that fill up its account", () => {
    const code = Uint8Array.of(0x7f, 0x45, 0, 1);
    expect(hashOfCode(Uint8Array.of(...code, 0, 0, 0))).toBe(sha256(code));
    expect(hashOfCode(new Uint8Array(3))).toBe(sha256(new Uint8Array()));
  });

  it("are what the sandbox runs", async () => {
    for (const { program, sha256 } of knownBuilds) {
      const deployed = await readDeployment(test.network, program);
      expect(deployed).toMatchObject({ sha256, slot: 0n, upgradeAuthority: null });
    }
  });

  it("are named by an operator as hashes separated by commas", () => {
    const [one, other] = ["a".repeat(64), "0F".repeat(32)];
    expect(parseKnownPrograms(` ${one}, ${other},`)).toEqual([one, other.toLowerCase()]);
    expect(parseKnownPrograms("")).toEqual([]);
    expect(parseKnownPrograms(`${one}a`)).toBeUndefined();
    expect(parseKnownPrograms(`${one};${other}`)).toBeUndefined();
  });
});

describe("the checks of a cluster's program", () => {
  it("reads the code once, in pieces, and asks one small question as long as nothing is deployed", async () => {
    const { network, asked } = clusterWith(own());
    const subscription = checksWith();
    expect(subscription.isKnown("sandbox")).toBeUndefined();
    await subscription.read(network);
    expect(reported()).toEqual(["info program_known"]);
    expect(subscription.isKnown("sandbox")).toBe(true);
    const pieces = Math.floor(artifact.length / limits.programPieceBytes) + 1;
    expect(asked.map(({ method }) => method)).toEqual([
      "getMultipleAccounts",
      ...Array.from({ length: pieces }, () => "getAccountInfo"),
      "getMultipleAccounts",
    ]);
    asked.length = 0;
    await subscription.read(network);
    await subscription.read(network);
    expect(asked.map(({ method }) => method)).toEqual(["getMultipleAccounts", "getMultipleAccounts"]);
    expect(asked.map(({ params }) => params[1])).toMatchObject([
      { dataSlice: { length: 45 } },
      { dataSlice: { length: 45 } },
    ]);
    expect(reported()).toEqual(["info program_known"]);
  });

  it("warn of a build that was not tested, and not of one that the operator trusts", async () => {
    const elf = another();
    const { network } = clusterWith({ slot: 9n, authority: caller, elf });
    const subscription = checksWith();
    await subscription.read(network);
    await subscription.read(network);
    expect(reported()).toEqual(["warn program_unknown"]);
    expect(test.logLines[0]?.fields).toMatchObject({
      environment: "sandbox",
      sha256: hashOfCode(elf),
      deployed_slot: "9",
      upgrade_authority: caller,
      build: null,
    });
    expect(subscription.isKnown("sandbox")).toBe(false);

    test.logLines.length = 0;
    const trusting = checksWith([hashOfCode(elf)]);
    await trusting.read(network);
    expect(reported()).toEqual(["info program_known"]);
    expect(trusting.isKnown("sandbox")).toBe(true);
  });

  it("are of each program, and a line says of which", async () => {
    const { network } = clusterWith(own());
    const programs = [SMART_ACCOUNT_PROGRAM_ADDRESS, SIGNATURE_PROGRAM_ADDRESS] as const;
    const checks = createProgramChecks({ log: test.needs.log, trusted: [], programs });
    await checks.read(network);
    await checks.read(network);
    // This node shows no code of the other one, which is said once.
    expect(test.logLines.map(({ level, fields }) => [level, fields]).toSorted()).toMatchObject([
      ["info", { event: "program_known", program: SMART_ACCOUNT_PROGRAM_ADDRESS }],
      ["warn", { event: "program_unread", program: SIGNATURE_PROGRAM_ADDRESS }],
    ]);
    expect(checks.isKnown("sandbox")).toBe(true);
    await checks.stop();
  });

  it("notices an upgrade while it runs, and who can make the next", async () => {
    const deployed = own();
    const { network } = clusterWith(deployed);
    const subscription = checksWith();
    await subscription.read(network);
    const events: string[][] = [];
    const change = async (to: Partial<Deployed>) => {
      test.logLines.length = 0;
      Object.assign(deployed, to);
      await subscription.read(network);
      await subscription.read(network);
      events.push(reported());
    };
    await change({ slot: 6n });
    await change({ authority: caller });
    await change({ slot: 7n, elf: another() });
    expect(subscription.isKnown("sandbox")).toBe(false);
    expect(test.logLines[0]?.fields).toMatchObject({
      deployed_slot: "7",
      sha256: hashOfCode(another()),
      former: { deployed_slot: "6", sha256: hashOfCode(artifact) },
    });
    await change({ slot: 8n, elf: artifact });
    expect(subscription.isKnown("sandbox")).toBe(true);
    expect(events).toEqual([
      ["info program_redeployed"],
      ["warn program_authority_changed"],
      ["warn program_changed"],
      ["info program_redeployed"],
    ]);
  });

  const program = accountOf(Uint8Array.of(2, 0, 0, 0, ...getAddressEncoder().encode(codeAddress as Address)));
  const code = accountOf(Uint8Array.of(3, ...new Uint8Array(44)));
  it.each<[string, (call: Call, honest: () => object) => object | undefined]>([
    ["has no such program", () => marked(null, null)],
    [
      "has a program of another loader",
      () => marked(accountOf(artifact.subarray(0, 45), "BPFLoader2111111111111111111111111111111111"), null),
    ],
    ["shows something else than a program", () => marked(accountOf(new Uint8Array(36)), code)],
    [
      "shows a program that names another account",
      () => marked(accountOf(Uint8Array.of(2, ...new Uint8Array(35))), code),
    ],
    ["shows no code", () => marked(program, null)],
    ["shows code of somebody else", () => marked(program, accountOf(new Uint8Array(45), caller))],
    ["shows code that is cut short", () => marked(program, accountOf(new Uint8Array(44).fill(3)))],
    ["shows a header of another form", () => marked(program, accountOf(new Uint8Array(45).fill(3)))],
    ["answers with an error", () => ({ error: { code: -32000, message: "no" } })],
    ["answers with nothing", () => ({ result: { context: { slot: 7 }, value: [] } })],
    [
      "sends more than was asked for",
      ({ method }) =>
        method === "getAccountInfo"
          ? { result: { context: { slot: 7 }, value: accountOf(new Uint8Array(limits.programPieceBytes + 1)) } }
          : undefined,
    ],
    [
      "never comes to the end of the code",
      ({ method }) =>
        method === "getAccountInfo"
          ? { result: { context: { slot: 7 }, value: accountOf(new Uint8Array(limits.programPieceBytes)) } }
          : undefined,
    ],
    [
      "shows code that is none",
      ({ method }) =>
        method === "getAccountInfo"
          ? { result: { context: { slot: 7 }, value: accountOf(new Uint8Array(9)) } }
          : undefined,
    ],
    [
      "loses the code while it is read",
      ({ method }) => (method === "getAccountInfo" ? { result: { context: { slot: 7 }, value: null } } : undefined),
    ],
  ])("says once that nothing can be read of a node that %s, and reads on when it can", async (node, instead) => {
    let isBent = true;
    const { network, asked } = clusterWith(own(), (...call) => (isBent ? instead(...call) : undefined));
    const subscription = checksWith();
    await subscription.read(network);
    await subscription.read(network);
    expect(reported()).toEqual(["warn program_unread"]);
    expect(subscription.isKnown("sandbox")).toBe(node === "answers with an error" ? undefined : false);
    // No answer makes it ask for ever.
    expect(asked.length).toBeLessThan((2 * limits.programBytesMax) / limits.programPieceBytes + 10);
    isBent = false;
    await subscription.read(network);
    expect(reported().slice(1)).toEqual(["info program_known"]);
    expect(subscription.isKnown("sandbox")).toBe(true);
  });

  it("knows a program no more that was closed, and leaves one known that no node speaks of", async () => {
    let answer: object | undefined;
    const { network } = clusterWith(own(), () => answer);
    const subscription = checksWith();
    const seen: unknown[] = [];
    for (const one of [undefined, { error: { code: -32000, message: "no" } }, marked(null, null)]) {
      answer = one;
      await subscription.read(network);
      seen.push(subscription.isKnown("sandbox"));
    }
    answer = { error: { code: -32000, message: "no" } };
    await subscription.read(network);
    answer = undefined;
    expect([...seen, subscription.isKnown("sandbox")]).toEqual([true, true, false, false]);
    await subscription.read(network);
    expect(subscription.isKnown("sandbox")).toBe(true);
    expect(reported()).toEqual([
      "info program_known",
      "warn program_unread",
      "warn program_unread",
      "info program_read",
    ]);
  });

  it("does not judge a mixture of two builds", async () => {
    const deployed = own();
    const { network } = clusterWith(deployed, ({ method }) => {
      if (method === "getAccountInfo") deployed.slot = 6n;
      return undefined;
    });
    const subscription = checksWith();
    await subscription.read(network);
    expect(reported()).toEqual(["warn program_unread"]);
    await subscription.read(network);
    expect(reported()).toEqual(["warn program_unread", "info program_known"]);
  });

  it("asks once for all who want to know, and ends with the service while a node is silent", async () => {
    const { network, asked } = clusterWith(own(), () => new Promise<object>(() => undefined));
    const subscription = checksWith();
    const both = [subscription.read(network), subscription.read(network)];
    await subscription.stop();
    await Promise.all(both);
    expect(asked.length).toBe(1);
    expect(reported()).toEqual([]);
  });
});

/** What is deployed; changed while the test runs. */
interface Deployed {
  slot: bigint;
  authority: Address | null;
  elf: Uint8Array;
}

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

const loader = "BPFLoaderUpgradeab1e11111111111111111111111";
function accountOf(data: Uint8Array, owner = loader) {
  const base64 = Buffer.from(data).toString("base64");
  return { lamports: 1, owner, executable: false, rentEpoch: 0, data: [base64, "base64"] };
}

const marked = (program: unknown, code: unknown) => ({ result: { context: { slot: 7 }, value: [program, code] } });

/** A node that shows `deployed`; `instead` answers in its place where it gives something. */
function clusterWith(
  deployed: Deployed,
  instead: (call: Call, honest: () => object) => object | Promise<object> | undefined = () => undefined,
): { readonly network: Network; readonly asked: Call[] } {
  const asked: Call[] = [];
  const network = bendNetwork(test.network, async ({ method, params }) => {
    asked.push({ method, params });
    const honest = () => answerOf(deployed, { method, params });
    return (await instead({ method, params }, honest)) ?? honest();
  });
  return { network, asked };
}

function answerOf({ slot, authority, elf }: Deployed, { method, params }: Call): object {
  const header = Buffer.alloc(45);
  header.writeUInt32LE(3, 0);
  header.writeBigUInt64LE(slot, 4);
  if (authority !== null) header.set([1, ...getAddressEncoder().encode(authority)], 12);
  const program = Buffer.from([2, 0, 0, 0, ...getAddressEncoder().encode(codeAddress as Address)]);
  const { dataSlice } = params[1] as { readonly dataSlice: { readonly offset: number; readonly length: number } };
  const show = (data: Uint8Array) => accountOf(data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length));
  const code = show(Buffer.concat([header, elf]));
  if (method === "getMultipleAccounts") return { result: { context: { slot: 7 }, value: [show(program), code] } };
  if (method === "getAccountInfo") return { result: { context: { slot: 7 }, value: code } };
  throw new Error(`${method} is not asked for`);
}

const checksWith = (trusted: readonly string[] = []) =>
  createProgramChecks({ log: test.needs.log, trusted, programs: [SMART_ACCOUNT_PROGRAM_ADDRESS] });

const reported = () =>
  test.logLines.flatMap(({ level, fields }) => ("event" in fields ? [`${level} ${String(fields.event)}`] : []));

const own = (): Deployed => ({ slot: 5n, authority: null, elf: artifact });

/** Code that nobody has tried: like ours, but for one byte. */
const another = (): Uint8Array => artifact.map((byte, i) => (i === 1_000 ? byte ^ 1 : byte));

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
