// A receiver of events: verifies who sent them, remembers what it has had, and answers quickly.
//   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs
import { createServer } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "@trellis/sdk";

const secret = process.env.WEBHOOK_SECRET ?? "";
const port = Number(process.env.PORT ?? 3000);
// In earnest this is a table: the same event may arrive more than once, also after a restart.
const seen = new Set();

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  try {
    const event = verifyWebhook({ body, headers: request.headers, secret });
    if (!seen.has(event.id)) {
      seen.add(event.id);
      console.log(event.timestamp, event.type, event.example ? "(example)" : "", JSON.stringify(event.data.object));
    }
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error("refused:", error.reason);
    response.writeHead(400).end();
  }
}).listen(port, () => console.log(`listening on http://localhost:${port}`));
