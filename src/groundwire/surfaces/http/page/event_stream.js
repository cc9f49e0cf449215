// Server-sent events out of the bytes of a response: EventSource cannot send an Authorization header.

const LONGEST = 32 * 1024 * 1024;

/** Takes text as it comes and gives back the data of each event that is complete. */
export class EventStreamParser {
  #begun = []; // pieces of a line whose end has not come: a long one is put together once, not at every piece
  #length = 0;
  #data = [];

  push(text) {
    this.#begun.push(text);
    this.#length += text.length;
    if (this.#length > LONGEST) throw new Error("an event without end");
    if (!text.includes("\n")) return [];
    const lines = this.#begun.join("").split(/\r?\n/);
    this.#begun = [lines.pop()];
    this.#length = this.#begun[0].length;
    const events = [];
    for (const line of lines) {
      if (line === "") this.#finish(events);
      else if (line.startsWith("data:")) this.#data.push(line.slice(line[5] === " " ? 6 : 5));
    }
    return events;
  }

  #finish(events) {
    if (this.#data.length) events.push(this.#data.join("\n"));
    this.#data = [];
  }
}

/** Reads a response to its end; every arrival, comments too, is told to `onArrival`. */
export async function readEvents(response, onEvents, onArrival) {
  const parser = new EventStreamParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onArrival();
    const events = parser.push(value);
    if (events.length) onEvents(events.map((data) => JSON.parse(data)));
  }
}
