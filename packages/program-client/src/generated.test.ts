import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

describe("the generated client and the IDL files", () => {
  const directory = mkdtempSync(join(tmpdir(), "generated-client-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("are up to date with the program's description", () => {
    const { status, stderr } = generate("--check");
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it("are reported as stale, by name, when they were changed or are missing", () => {
    expect(generate(directory).status).toBe(0);
    expect(generate("--check", directory).status).toBe(0);
    appendFileSync(join(directory, "program/idl/smart_account_program.idl.json"), " ");
    rmSync(join(directory, "packages/program-client/src/generated/types/period.ts"));
    const { status, stderr } = generate("--check", directory);
    expect(status).toBe(1);
    expect(stderr.split("\n").filter((line) => line.startsWith("stale: "))).toEqual([
      "stale: packages/program-client/src/generated/types/period.ts",
      "stale: program/idl/smart_account_program.idl.json",
    ]);
  });
});

type CodamaNode = { kind: string; name: string };
type CodamaInstruction = CodamaNode & {
  accounts: (CodamaNode & { isWritable: boolean; isSigner: boolean; isOptional?: boolean })[];
};
type AnchorAccount = { name: string; writable?: true; signer?: true; optional?: true };

describe("the two descriptions", () => {
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(repository, "program/idl", name), "utf8")) as T;
  const codama = read<{
    program: {
      instructions: CodamaInstruction[];
      definedTypes: (CodamaNode & { type: { variants?: CodamaNode[] } })[];
      errors: { code: number }[];
    };
  }>("smart_account_program.codama.json").program;
  const anchor = read<{
    instructions: { name: string; accounts: AnchorAccount[] }[];
    types: { name: string }[];
    errors: { code: number; name: string }[];
  }>("smart_account_program.idl.json");

  it("name the same accounts of the same instructions with the same rights", () => {
    const flags = (writable: boolean, signer: boolean, optional: boolean) => ({ writable, signer, optional });
    expect(
      anchor.instructions.map(({ accounts }) =>
        accounts.map(({ writable, signer, optional }) => flags(writable ?? false, signer ?? false, optional ?? false)),
      ),
    ).toEqual(
      codama.instructions.map(({ accounts }) =>
        accounts.map(({ isWritable, isSigner, isOptional }) => flags(isWritable, isSigner, isOptional ?? false)),
      ),
    );
  });

  it("list the events by their kind", () => {
    const events = codama.definedTypes.find(({ name }) => name === "smartAccountEvent")?.type.variants;
    expect(events?.map(({ name }) => name)).toEqual([
      "createSmartAccount",
      "synchronousTransaction",
      "synchronousSettingsTransaction",
      "addSpendingLimit",
      "removeSpendingLimit",
      "useSpendingLimit",
      "authoritySettings",
      "authorityChange",
      "transaction",
      "proposal",
      "synchronousTransactionV2",
    ]);
  });

  it("agree on the errors, and the Anchor form keeps every type it refers to", () => {
    expect(anchor.errors.map(({ code }) => code)).toEqual(codama.errors.map(({ code }) => code));
    const defined = new Set(anchor.types.map(({ name }) => name));
    const referred = [...JSON.stringify(anchor).matchAll(/"defined":\{"name":"(\w+)"\}/g)].map(([, name]) => name);
    expect(referred.filter((name) => name === undefined || !defined.has(name))).toEqual([]);
    expect(referred.length).toBeGreaterThan(10);
  });
});

const generate = (...args: string[]) =>
  spawnSync(process.execPath, [join(repository, "scripts/generate-program-client.mjs"), ...args], { encoding: "utf8" });
