// What a provider's own client makes of captured streams: replays each FILE
// over loopback, reads it, and prints a line of JSON, its text among it.  Fails
// where a stream changes its name, or says a thing twice that is said once.
//
//   node read.mjs DIALECT FILE...     with node_modules beside it
import { createServer } from "node:http";
import { readFileSync } from "node:fs";

const [, , dialect, ...files] = process.argv;
const type = dialect.startsWith("ollama") ? "application/x-ndjson"
  : "text/event-stream";
const ask = [{ role: "user", content: "hi" }];
let body, url;

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.setHeader("content-type", type);
    response.end(body);
  });
});

// Values that are the same in the whole stream, and events that come once.
class Watch {
  values = {};
  counts = {};

  same(name, value) {
    if (value === undefined || value === null) return;
    this.values[name] ??= value;
    if (this.values[name] !== value)
      throw new Error(`two of ${name}: ${this.values[name]}, ${value}`);
  }

  once(name) {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (this.counts[name] > 1) throw new Error(`${name} twice`);
  }

  next(name, value) {
    const wanted = this.counts[name] ?? 0;
    if (value !== wanted) throw new Error(`${name} ${value}, not ${wanted}`);
    this.counts[name] = wanted + 1;
  }
}

async function openai() {
  const { default: OpenAI } = await import("openai");
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
}

function watchChoices(watch, chunk) {
  watch.same("id", chunk.id);
  watch.same("model", chunk.model);
  for (const choice of chunk.choices) {
    watch.same("index", choice.index);
    if (choice.delta?.role) watch.once("role");
    if (choice.finish_reason) watch.once("finish");
  }
}

function watchBlocks(watch, event) {
  if (event.type === "message_start") watch.once("start");
  if (event.type === "content_block_start") watch.next("block", event.index);
  if (event.type === "content_block_delta")
    watch.same(`block at ${event.index}`, watch.counts.block - 1);
  if (event.type === "content_block_stop") watch.next("stop", event.index);
  if (event.delta?.stop_reason) watch.once("finish");
  if (event.type === "message_stop") watch.once("end");
}

async function readOllama(parts, textOf) {
  const watch = new Watch();
  let text = "";
  for await (const part of parts) {
    watch.same("model", part.model);
    text += textOf(part);
    if (part.done) watch.once("finish");
  }
  return { text, ...watch };
}

const readers = {
  // The helpers put the deltas together, and check them.
  async chat() {
    const watch = new Watch();
    const stream = (await openai()).chat.completions
      .stream({ model: "m", messages: ask });
    stream.on("chunk", (chunk) => watchChoices(watch, chunk));
    const whole = await stream.finalChatCompletion();
    const { message, finish_reason: finish } = whole.choices[0];
    const tool = message.tool_calls?.[0]?.function;
    return { text: message.content, tool: tool && tool.name + tool.arguments,
      role: message.role, finish, ...watch };
  },

  async completions() {
    const watch = new Watch();
    const stream = await (await openai()).completions
      .create({ model: "m", prompt: "hi", stream: true });
    let text = "";
    for await (const chunk of stream) {
      watchChoices(watch, chunk);
      text += chunk.choices[0]?.text ?? "";
    }
    return { text, ...watch };
  },

  async responses() {
    const watch = new Watch();
    const stream = (await openai()).responses
      .stream({ model: "m", input: "hi" });
    let text = "";
    for await (const event of stream) {
      watch.next("number", event.sequence_number);
      watch.same("id", event.response?.id);
      watch.same("item", event.item_id ?? event.item?.id);
      watch.same("output", event.output_index);
      if (event.type === "response.output_text.delta") text += event.delta;
      if (event.type === "response.completed") watch.once("finish");
    }
    const whole = await stream.finalResponse();
    delete watch.counts.number; // servers differ in their pieces
    return { text, finish: whole.status, ...watch };
  },

  async anthropic() {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const client = new Anthropic({ baseURL: url, apiKey: "x", maxRetries: 0 });
    const watch = new Watch();
    const stream = client.messages
      .stream({ model: "m", max_tokens: 9, messages: ask });
    stream.on("streamEvent", (event) => watchBlocks(watch, event));
    const whole = await stream.finalMessage();
    const tool = whole.content.find((block) => block.type === "tool_use");
    const texts = whole.content.filter((block) => block.type === "text");
    return { text: texts.map((block) => block.text).join(""),
      tool: tool && tool.name + JSON.stringify(tool.input),
      finish: whole.stop_reason, id: whole.id, ...watch };
  },

  async gemini() {
    const { GoogleGenAI } = await import("@google/genai");
    const client = new GoogleGenAI(
      { apiKey: "x", httpOptions: { baseUrl: url } });
    const watch = new Watch();
    let text = "";
    for await (const chunk of await client.models
      .generateContentStream({ model: "m", contents: "hi" })) {
      const candidate = chunk.candidates?.[0];
      watch.same("id", chunk.responseId);
      watch.same("model", chunk.modelVersion);
      watch.same("index", candidate?.index);
      for (const part of candidate?.content?.parts ?? [])
        if (part.text && !part.thought) text += part.text;
      if (candidate?.finishReason) watch.once("finish");
    }
    return { text, ...watch };
  },

  async ollama() {
    const { Ollama } = await import("ollama");
    return readOllama(await new Ollama({ host: url })
      .chat({ model: "m", messages: ask, stream: true }),
    (part) => part.message.content);
  },

  async "ollama-generate"() {
    const { Ollama } = await import("ollama");
    return readOllama(await new Ollama({ host: url })
      .generate({ model: "m", prompt: "hi", stream: true }),
    (part) => part.response);
  },
};

await new Promise((done) => server.listen(0, "127.0.0.1", done));
url = `http://127.0.0.1:${server.address().port}`;
for (const file of files) {
  try {
    body = readFileSync(file);
    console.log(JSON.stringify(await readers[dialect]()));
  } catch (error) {
    console.log(`${file}: ${error.message}`);
    process.exitCode = 1;
  }
}
server.close();
server.closeAllConnections();
