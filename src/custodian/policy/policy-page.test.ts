import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { refusalReasons } from "../signing-policy.js";
import { opaqueReasons } from "./facts.js";
import { parseWalletPolicy } from "./wallet-policy.js";

const page = readFileSync(new URL("../../../docs/custodian-policy.md", import.meta.url), "utf8");

describe("the page about policies", () => {
  it("has an example that is a policy", () => {
    const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
    expect(parseWalletPolicy(JSON.parse(example))).toBeDefined();
  });

  it.each([...refusalReasons, ...opaqueReasons])("explains %s", (reason) => {
    expect(page).toContain(`\`${reason}\``);
  });
});
