import { addressText, sha256Text } from "@trellis/kernel/wire-texts.js";
import Type, { type Static } from "typebox";
import type { BufferCall } from "./buffer-call.js";

/** What summaries say of buffers. */
export const bufferItems = [
  Type.Object({
    type: Type.Literal("write_buffer"),
    buffer: addressText({ description: "Where a message is put together that does not fit one transaction." }),
    signer: addressText({ description: "Whose buffer it is; its rent goes there once it is used or given up." }),
    bytes: Type.Integer({ description: "How much of the message it adds." }),
    rent_payer: Type.Optional(addressText({ description: "Of the first part: who pays the buffer's rent." })),
    message_sha256: Type.Optional(sha256Text({ description: "Of the first part: of the whole message." })),
    message_bytes: Type.Optional(Type.Integer({ description: "Of the first part: of the whole message." })),
  }),
  Type.Object({
    type: Type.Literal("close_buffer"),
    buffer: addressText(),
    signer: addressText({ description: "Whose buffer it is, and who gets its rent." }),
  }),
] as const;

type BufferItem = Static<(typeof bufferItems)[number]>;

/** What is stored from a buffer is reported where the vote on it is opened. */
export function summariseBufferCall(call: BufferCall): BufferItem[] {
  const { buffer, signer } = call;
  if (call.kind === "use_buffer") return [];
  if (call.kind === "close_buffer") return [{ type: "close_buffer", buffer, signer }];
  const written = { type: "write_buffer", buffer, signer, bytes: call.part.length } as const;
  if (call.kind === "fill_buffer") return [written];
  const digest = Buffer.from(call.finalHash).toString("hex");
  return [{ ...written, rent_payer: call.rentPayer, message_sha256: digest, message_bytes: call.finalSize }];
}
