// A file for the kernel, in pieces that a connection carries, so that it can be stopped and says how far it is.

const PIECE = 1 << 20;

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** Send it; `sending` is {stopped, done, doing} and changes on the way. A sentence, where it did not come to its end. */
export async function sendFile(channel, file, sending, show) {
  const begun = performance.now();
  if (!file.size) return `${file.name} is empty.`;
  for (let at = 0; at < file.size; at += PIECE) {
    if (sending.stopped) return `Stopped: ${file.name} was not sent.`;
    const piece = await file.slice(at, at + PIECE).arrayBuffer();
    sending.done = at;
    const left = at ? `, about ${Math.ceil((((performance.now() - begun) / at) * (file.size - at)) / 1000)} s left` : "";
    sending.doing = `${file.name}: ${size(at)} of ${size(file.size)} sent${left}`;
    show();
    const more = { file: file.name, size: file.size, at, piece: { buffer: 0 } };
    if (!(await channel.tell("corpus_file", more, [piece]))) return ""; // why, the channel has said
  }
  return "";
}
