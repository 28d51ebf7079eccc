import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, getAddressEncoder } from "@solana/kit";
import { SIGNATURE_PROGRAM_ADDRESS, SMART_ACCOUNT_PROGRAM_ADDRESS } from "@trellis/program-client";
import { sandboxRpcPlugin } from "@trellis/sandbox/node/rpc-route.js";
import type { SandboxNode } from "@trellis/sandbox/node/sandbox-node.js";
import { hashOfCode } from "@trellis/solana/read-deployment.js";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchProgram } from "../../src/cli/fetch-program.js";
import { openTestNode } from "../contract/sandbox-rpc-fixture.js";
import { openTestDatabase } from "../support/test-database.js";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let node: SandboxNode;
let server: FastifyInstance;
let rpcUrl: string;
let folder: string;
let elf: Uint8Array;

beforeAll(async () => {
  elf = await readFile(new URL("../../program/artifact/smart_account_program.so", import.meta.url));
  const code = new Uint8Array(45 + elf.length);
  code[0] = 3;
  code.set(elf, 45);
  database = await openTestDatabase();
  const genesisAccounts = [
    {
      address: program,
      owner: loader,
      lamports: 1_000_000_000n,
      data: Uint8Array.of(2, 0, 0, 0, ...getAddressEncoder().encode(codeAccount)),
    },
    { address: codeAccount, owner: loader, lamports: 5_000_000_000n, data: code },
  ];
  node = await openTestNode(database.db, { genesisAccounts });
  server = Fastify({ bodyLimit: 1 << 20 });
  await server.register(sandboxRpcPlugin(node));
  rpcUrl = await server.listen({ host: "127.0.0.1", port: 0 });
  folder = await mkdtemp(join(tmpdir(), "trellis-fetch-"));
});

afterAll(async () => {
  await server.close();
  await node.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

describe("fetching the program a cluster runs", () => {
  it("writes exactly the deployed code", async () => {
    const out = join(folder, "program.so");
    expect(await fetchProgram({ rpcUrl, program, out })).toEqual({
      path: out,
      bytes: elf.length,
      variable: null,
      sha256: hashOfCode(elf),
      slot: 0n,
      upgradeAuthority: null,
    });
    expect((await readFile(out)).equals(elf)).toBe(true);
  });

  it("knows the two that the sandbox runs, by name and by address", async () => {
    const file = (name: string) => readFile(new URL(`../../program/artifact/${name}.so`, import.meta.url));
    for (const [named, address, name, variable] of [
      ["smart_account", SMART_ACCOUNT_PROGRAM_ADDRESS, "smart_account_program", "TRELLIS_SANDBOX_PROGRAM"],
      ["signature", SIGNATURE_PROGRAM_ADDRESS, "external_signature_program", "TRELLIS_SANDBOX_SIGNATURE_PROGRAM"],
    ] as const) {
      for (const chosen of [named, address]) {
        const out = join(folder, `${chosen}.so`);
        expect(await fetchProgram({ rpcUrl, program: chosen, out })).toMatchObject({ path: out, variable });
        expect((await readFile(out)).equals(await file(name))).toBe(true);
      }
    }
  });

  it("says so where the cluster has no such program, or something else stands there", async () => {
    const out = join(folder, "none.so");
    await expect(fetchProgram({ rpcUrl, program: empty, out })).rejects.toThrow(/has no program/);
    await expect(fetchProgram({ rpcUrl, program: codeAccount, out })).rejects.toThrow(/is not a program/);
    await expect(fetchProgram({ rpcUrl, program: "nonsense", out })).rejects.toThrow(
      /neither smart_account, nor signature, nor an address/,
    );
    await expect(readFile(out)).rejects.toThrow();
  });

  it("says why no node answers, and where, without the key that the URL may hold", async () => {
    const removed = Fastify();
    const url = await removed.listen({ host: "127.0.0.1", port: 0 });
    await removed.close();
    const refusal = fetchProgram({ rpcUrl: `${url}/?api-key=secret`, program, out: join(folder, "gone.so") });
    await expect(refusal).rejects.toThrow(/^127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/);
    await expect(refusal).rejects.not.toThrow(/secret/);
  });
});

const loader = "BPFLoaderUpgradeab1e11111111111111111111111" as Address;
const program = "Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS" as Address;
const codeAccount = "DjZQm98ocT6ZpcGsWK1Ukj1Mh1zTxd5BWdhc55nDtdFc" as Address;
const empty = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR" as Address;
