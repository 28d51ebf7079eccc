/** The accounts the program owns. Bytes after the last field are spare or stale: readers ignore them. */
import { accountNode, pdaLinkNode, structFieldTypeNode, structTypeNode } from "codama";
import { byDiscriminator, discriminatorField, fields, fixedBytes } from "./shapes.mjs";
import {
  batchContent,
  batchTransactionContent,
  programConfigContent,
  proposalContent,
  settingsContent,
  settingsTransactionContent,
  spendingLimitContent,
  transactionBufferContent,
  transactionContent,
} from "./types.mjs";

const pascal = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;

const account = (name, content, pda, docs, size) =>
  accountNode({
    name,
    docs: [docs],
    data: structTypeNode([structFieldTypeNode(discriminatorField("account", pascal(name))), ...fields(content)]),
    pda: pdaLinkNode(pda),
    discriminators: byDiscriminator,
    ...(size === undefined ? {} : { size }),
  });

export const accounts = [
  account(
    "programConfig",
    [...programConfigContent, ["reserved", fixedBytes(64)]],
    "programConfig",
    "The one account of the program itself: the counter of smart accounts, the creation fee and where it goes.",
    160,
  ),
  account("settings", settingsContent, "settings", "Who may act for a smart account, and under which rules."),
  account("proposal", proposalContent, "proposal", "The votes on one transaction."),
  account("settingsTransaction", settingsTransactionContent, "transaction", "A settings change waiting for votes."),
  account("spendingLimit", spendingLimitContent, "spendingLimit", "An allowance its signers may use without votes."),
  account("transaction", transactionContent, "transaction", "A wrapped message waiting for votes."),
  account("batch", batchContent, "transaction", "Several wrapped messages under one vote, executed in order.", 123),
  account("batchTransaction", batchTransactionContent, "batchTransaction", "One wrapped message of a batch."),
  account(
    "transactionBuffer",
    transactionBufferContent,
    "transactionBuffer",
    "Where a message that does not fit one transaction is put together.",
  ),
];
