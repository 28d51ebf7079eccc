/**
 * The on-chain program as a Codama root node: the one source of `program/idl/` and of the generated client.
 * `programId` and the name are those of the deployed program, so that clients work on every cluster.
 */
import { programNode, rootNode } from "codama";
import { accounts } from "./accounts.mjs";
import { errors } from "./errors.mjs";
import { instructions } from "./instructions.mjs";
import { pdas } from "./pdas.mjs";
import { definedTypes } from "./types.mjs";

export const programId = "SMRTzfY6DfH5ik3TKiyLFfXexV8uSG3d2UksSCYdunG";

export const root = rootNode(
  programNode({
    name: "smartAccountProgram",
    publicKey: programId,
    version: "0.1.0",
    docs: ["Smart accounts: money held by an address that several signers govern."],
    pdas,
    accounts,
    instructions,
    definedTypes,
    errors,
  }),
);
