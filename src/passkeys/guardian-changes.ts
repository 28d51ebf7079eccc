import type { CertifiedChanges } from "@trellis/kernel/ports/wallet-policy.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import Type, { type Static, type TSchema } from "typebox";
import { GuardianCertificate } from "./guardian-policy.js";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const dateTime = (description: string) => Type.String({ format: "date-time", description });

const GuardianChange = Type.Object(
  {
    id: Type.String({ description: "Of this one time that it waits." }),
    from: dateTime("From when on the guardian signs it."),
    until: dateTime("From when on it does not any more."),
    content: orNull(
      Type.Array(
        Type.Object({
          settings: addressText(),
          by: Type.Enum(["members", "admin", "proposal"]),
          actions: Type.Array(
            Type.Object(
              { __kind: Type.String() },
              { additionalProperties: true, description: "As the program names it and its members." },
            ),
          ),
        }),
        { description: "What it does; null: it began before the guardian kept that." },
      ),
    ),
  },
  { $id: "GuardianChange" },
);

/** The changes of settings that wait at the guardian of an account. */
export const GuardianChanges = Type.Object(
  {
    signer: orNull(
      addressText({ description: "The guardian's wallet; null: the account has none that the caller may see." }),
    ),
    changes: Type.Array(GuardianChange, { description: "All that wait: eight at most." }),
    as_of: orNull(dateTime("By the guardian's clock.")),
    certificate: orNull(GuardianCertificate),
  },
  { $id: "GuardianChanges" },
);

export function toWireChanges({ certificate, content }: CertifiedChanges): Static<typeof GuardianChanges> {
  const { address, changes, as_of } = content;
  const shown = changes.map(({ id, from, until, content: does }) => ({
    id,
    from,
    until,
    content: does?.map(({ settings, by, actions }) => ({ settings, by, actions: [...actions] })) ?? null,
  }));
  return { signer: address, changes: shown, as_of, certificate };
}

export const noChanges: Static<typeof GuardianChanges> = { signer: null, changes: [], as_of: null, certificate: null };
