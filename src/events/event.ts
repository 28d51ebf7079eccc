import Type from "typebox";

/** An event as the feed shows it, and as receivers are sent it (gap 89). */
export const Event = Type.Object(
  {
    id: Type.String({ description: "The same in the feed and on every delivery.", examples: ["evt_5f0c…"] }),
    type: Type.String({ examples: ["transaction.confirmed"] }),
    timestamp: Type.String({ format: "date-time", description: "When it happened, in environment time." }),
    environment: Type.Enum(["sandbox", "devnet", "mainnet"]),
    tenant: Type.String(),
    example: Type.Optional(Type.Boolean({ description: "True: nothing happened; this is a test of a receiver." })),
    data: Type.Object({
      object: Type.Object({}, { additionalProperties: true, description: "The whole object after the change." }),
      sequence: Type.Integer({
        description: "Of two events about one object the later one has the greater number; there are gaps.",
      }),
      previous_status: Type.Optional(Type.String({ description: "Where the object stood before." })),
    }),
  },
  { $id: "Event" },
);
