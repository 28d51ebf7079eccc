import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AccountRole, type Address } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { sourcesIn } from "../../../test/support/imports-of.js";
import { ownSources } from "../../../test/support/modules.js";
import { deriveSettingsAddress, deriveSmartAccountAddress } from "./addresses.js";
import * as generated from "./generated/instructions/index.js";
import { asSigner, type PlainInstruction, plain } from "./plain-instruction.js";
import { addressOfBytes } from "./program-address.js";
import { createProposalInstruction } from "./proposal-instructions.js";
import { readProgramInstruction } from "./read-instruction.js";
import { executeSettingsTransactionSyncInstruction } from "./settings-instructions.js";
import { executeTransactionSyncInstruction, parseTransactionSync } from "./sync-payload.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

const builders = Object.keys(generated).filter((name) => /^get\w+Instruction$/.test(name));

const uses: Use[] = [];
const handMade: string[] = [];
for (const file of ownSources.flatMap((folder) => sourcesIn(repository, folder))) {
  if (file.startsWith("packages/program-client/src/generated/")) continue;
  const text = readFileSync(join(repository, file), "utf8");
  if (!/SMART_ACCOUNT_PROGRAM|get\w+Instruction\b/.test(text)) continue;
  collect(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), file);
}

describe("the builders of the program's instructions", () => {
  it("all go through the one place that appends accounts to every instruction", () => {
    expect(uses.length).toBeGreaterThan(25);
    expect(uses.filter(({ goesThrough }) => !goesThrough)).toEqual([]);
  });

  it("are all there are, but for those that nothing here sends", () => {
    const used = new Set(uses.map(({ builder }) => builder));
    expect(builders.filter((name) => !used.has(name)).sort()).toEqual(Object.keys(notBuilt).sort());
  });

  it("have no companion that puts an instruction of the program together by hand", () => {
    expect([...new Set(handMade)].sort()).toEqual([...readers].sort());
  });
});

const key = (byte: number): Address => addressOfBytes(new Uint8Array(32).fill(byte));
const settings = deriveSettingsAddress(1n);
const sysvar = { address: "Sysvar1nstructions1111111111111111111111111" as Address, role: AccountRole.READONLY };

describe("accounts at the end of every instruction", () => {
  const own = generated.getCloseTransactionBufferInstruction({
    consensusAccount: settings,
    transactionBuffer: key(1),
    creator: asSigner(key(2)),
  });

  it("are none, and would stand behind those that one instruction needs", () => {
    const further = { address: key(3), role: AccountRole.WRITABLE };
    const addressesOf = ({ accounts }: PlainInstruction) => accounts.map(({ address }) => address);
    expect(addressesOf(plain(own))).toEqual([settings, key(1), key(2)]);
    expect(plain(own, [further], [sysvar]).accounts.slice(3)).toEqual([further, sysvar]);
  });

  it("do not disturb a reader of an instruction", () => {
    const members = [key(4), key(5)];
    const source = asSigner(deriveSmartAccountAddress(settings));
    const instructions = [getTransferSolInstruction({ source, destination: key(6), amount: 7n })];
    const call = executeTransactionSyncInstruction({ settings, members, instructions });
    expect(parseTransactionSync(plain(call, [], [sysvar]))).toEqual(parseTransactionSync(call));

    for (const built of [
      call,
      createProposalInstruction({ settings, transactionIndex: 1n, creator: key(4), rentPayer: key(9) }),
      executeSettingsTransactionSyncInstruction({ settings, members, rentPayer: key(9), actions: [] }),
    ]) {
      const { accounts, ...read } = readProgramInstruction(built) ?? {};
      const { accounts: same, ...readAgain } = readProgramInstruction(plain(built, [], [sysvar])) ?? {};
      expect(readAgain).toEqual(read);
      expect(same).toEqual(accounts);
    }
  });
});

/** Instructions of the program that nothing here builds, each with why. */
const notBuilt: Readonly<Record<string, string>> = {
  getExecuteTransactionSyncInstruction: "the second version does the same",
  getInitializeProgramConfigInstruction: "whoever deploys the program sends it, once",
  getLogEventInstruction: "the program calls it itself",
  getSetArchivalAuthorityAsAuthorityInstruction: "the program refuses it",
  getSetProgramConfigAuthorityInstruction: "the program's own operator sends it",
  getSetProgramConfigSmartAccountCreationFeeInstruction: "the program's own operator sends it",
  getSetProgramConfigTreasuryInstruction: "the program's own operator sends it",
};

/** Files that read instructions of the program, and give what they have read its address. */
const readers = ["packages/program-client/src/read-instruction.ts"];

interface Use {
  readonly builder: string;
  readonly file: string;
  readonly goesThrough: boolean;
}

function collect(node: ts.Node, file: string): void {
  if (ts.isImportDeclaration(node)) return;
  if (ts.isIdentifier(node) && builders.includes(node.text)) {
    uses.push({ builder: node.text, file, goesThrough: goesThroughPlain(node) });
  }
  if (ts.isPropertyAssignment(node) && node.name.getText() === "programAddress") {
    if (/^SMART_ACCOUNT_PROGRAM/.test(node.initializer.getText())) handMade.push(file);
  }
  ts.forEachChild(node, (child) => collect(child, file));
}

/** Whether it is called where `plain` gets what it makes. */
function goesThroughPlain(builder: ts.Identifier): boolean {
  const call = builder.parent;
  if (!ts.isCallExpression(call) || call.expression !== builder) return false;
  const around = call.parent;
  return ts.isCallExpression(around) && around.expression.getText() === "plain" && around.arguments[0] === call;
}
