// Writes docs/custodian-openapi.json from the contracts of the custodian protocol. With --check it writes nothing and fails when the file is stale.
import { readFile, writeFile } from "node:fs/promises";
import { frame } from "../src/custody/protocol/frame.js";
import { ErrorAnswer, operations, protocolErrors } from "../src/custody/protocol/operations.js";

const target = new URL("../docs/custodian-openapi.json", import.meta.url);

const json = (schema: object) => ({ "application/json": { schema } });
const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});
const signedHeaders = [
  header(frame.timeHeader, "Real time in Unix milliseconds, a minute off at most."),
  header(frame.nonceHeader, "16 random bytes in base64url, never used before."),
  header(frame.signatureHeader, "Ed25519 of the service's key over the request, in base64url."),
];
const answerHeaders = {
  [frame.signatureHeader]: {
    required: true,
    description: "Ed25519 of the custodian's identity over the answer, in base64url.",
    schema: { type: "string" },
  },
};

/** Errors of every operation, and `refused` of those that can be refused for good. */
function errorsOf(refuses: boolean) {
  const codes = Object.entries(protocolErrors).filter(([code]) => code !== "refused" || refuses);
  return Object.fromEntries(
    codes.map(([code, status]) => [String(status), { $ref: `#/components/responses/${code}` }]),
  );
}

const errorResponses = Object.fromEntries(
  Object.keys(protocolErrors).map((code) => [
    code,
    { description: `\`${code}\``, headers: answerHeaders, content: json({ $ref: "#/components/schemas/Error" }) },
  ]),
);

const paths: Record<string, Record<string, object>> = {};
for (const [operationId, operation] of Object.entries(operations)) {
  const { method, path, summary, answer, refuses } = operation;
  const parameters = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
  }));
  paths[path] = {
    ...paths[path],
    [method.toLowerCase()]: {
      operationId,
      summary,
      ...("description" in operation ? { description: operation.description } : {}),
      parameters: [...parameters, ...signedHeaders.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }))],
      ...("body" in operation ? { requestBody: { required: true, content: json(operation.body) } } : {}),
      responses: {
        "200": { description: "Carried out.", headers: answerHeaders, content: json(answer) },
        ...errorsOf(refuses),
      },
    },
  };
}

const document = {
  openapi: "3.1.0",
  info: {
    title: "Trellis custodian protocol",
    version: "1",
    description:
      "What a service asks of a custodian that is a process of its own. docs/custodian-protocol.md says how requests and answers are signed.",
  },
  servers: [{ url: "https://custodian.example:8443" }],
  paths,
  components: {
    schemas: { Error: ErrorAnswer },
    parameters: Object.fromEntries(signedHeaders.map((parameter) => [parameter.name, parameter])),
    responses: errorResponses,
  },
};
const text = `${JSON.stringify(document, null, 2)}\n`;

if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (committed !== text) {
    console.error("docs/custodian-openapi.json is stale: run npm run generate");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
