/** Every address the program derives, in the order of its seeds. */
import { pdaNode, variablePdaSeedNode } from "codama";
import { address, text, u8, u32, u64, u128 } from "./shapes.mjs";

const prefix = text("smart_account");
const key = (name) => variablePdaSeedNode(name, address);

export const pdas = [
  pdaNode({ name: "programConfig", seeds: [prefix, text("program_config")] }),
  pdaNode({ name: "settings", seeds: [prefix, text("settings"), variablePdaSeedNode("seed", u128)] }),
  pdaNode({
    name: "smartAccount",
    docs: ["The address that holds the money. Index 0 is the account's public address."],
    seeds: [prefix, key("settings"), text("smart_account"), variablePdaSeedNode("accountIndex", u8)],
  }),
  pdaNode({
    name: "transaction",
    docs: ["One index space, shared by payments, settings changes and batches."],
    seeds: [prefix, key("consensusAccount"), text("transaction"), variablePdaSeedNode("transactionIndex", u64)],
  }),
  pdaNode({
    name: "proposal",
    seeds: [
      prefix,
      key("consensusAccount"),
      text("transaction"),
      variablePdaSeedNode("transactionIndex", u64),
      text("proposal"),
    ],
  }),
  pdaNode({
    name: "batchTransaction",
    docs: ["A message of a batch, numbered from 1."],
    seeds: [
      prefix,
      key("settings"),
      text("transaction"),
      variablePdaSeedNode("batchIndex", u64),
      text("batch_transaction"),
      variablePdaSeedNode("number", u32),
    ],
  }),
  pdaNode({
    name: "transactionBuffer",
    seeds: [
      prefix,
      key("consensusAccount"),
      text("transaction_buffer"),
      key("creator"),
      variablePdaSeedNode("bufferIndex", u8),
    ],
  }),
  pdaNode({
    name: "ephemeralSigner",
    docs: ["A throw-away signer of a wrapped transaction or of a batch, numbered from 0."],
    seeds: [prefix, key("transaction"), text("ephemeral_signer"), variablePdaSeedNode("signerIndex", u8)],
  }),
  pdaNode({ name: "spendingLimit", seeds: [prefix, key("settings"), text("spending_limit"), key("seed")] }),
];
