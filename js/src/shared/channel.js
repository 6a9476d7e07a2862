// The page's end of the line to the kernel: it asks for what is new, sends commands, and knows when nobody answers.
// clwork/lab/page/polling_page.py is the other end; messages.schema.json next to it describes the messages.

const PERIODS = { lively: 250, hidden: 1000, idle: 1000, asleep: 5000 }; // milliseconds between questions
const PATIENCE = 2000; // after which a question is asked again, each time after twice as long
const LONGEST = 30_000;
const SILENT = 4000; // without any message, after which the page says that the kernel is busy
const UNANSWERED = 5000; // of a request, after which the page says so although the kernel pushes what is new

/** Bytes of a message where they belong: {"buffer": 0} becomes a DataView. */
function revived(value, buffers) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((part) => revived(part, buffers));
  if (Number.isInteger(value.buffer) && Object.keys(value).length === 1) return buffers[value.buffer];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, revived(part, buffers)]));
}

export class Channel {
  /** `hooks`: known(), what the page has; take(news); lively(), whether to poll often; refused(why, name); standing(state, since), see `look`. */
  constructor(model, hooks) {
    Object.assign(this, { model, hooks, asked: 0, answered: 0, wait: PATIENCE, state: "answers", waiting: new Map() });
    this.page = Math.random().toString(36).slice(2, 10).padEnd(4, "0");
    this.heard = Date.now();
    this.onMessage = (content, buffers) => this.hear(content, buffers ?? []);
    this.onLive = () => this.look();
    this.line = null; // the model behind anywidget's, which knows whether its kernel is there
    model.widget_manager?.get_model?.(model.get("own_id"))?.then((line) => {
      if (this.closed) return;
      this.line = line;
      line.on?.("comm_live_update", this.onLive);
      this.look();
    }, () => {});
    this.onShown = () => document.hidden || this.ask();
    model.on("msg:custom", this.onMessage);
    document.addEventListener("visibilitychange", this.onShown);
    this.ask();
  }

  /** Ask for what is new, with a command or without; a promise of true once it is done, of false where it was refused. */
  ask(command = null, buffers = []) {
    clearTimeout(this.timer);
    this.asked += 1;
    const message = { request: this.asked, page: this.page, known: this.hooks.known() };
    if (command) message.do = command;
    const done = command ? new Promise((resolve) => this.waiting.set(this.asked, { resolve, name: command.name })) : null;
    this.sent ??= Date.now();
    if (this.gone) this.settle(this.asked, false);
    else this.model.send(message, undefined, buffers);
    this.plan(this.wait);
    return done;
  }

  /** A command: its name, and what belongs to it. */
  command(name, more = {}, buffers = []) {
    return this.ask({ ...more, name }, buffers);
  }

  get gone() {
    return this.line?.comm_live === false;
  }

  plan(after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), after);
  }

  /** Time for a question; one that was not answered yet is repeated ever more rarely. */
  tick() {
    this.look();
    if (this.gone) return;
    if (this.answered < this.asked) this.wait = Math.min(LONGEST, 2 * this.wait);
    this.ask();
  }

  hear(content, buffers) {
    if (this.closed || !content || typeof content.news !== "object") return;
    const pushed = content.answer === null;
    if (!pushed && content.page !== this.page) return; // of another tab
    this.heard = Date.now();
    const news = revived(content.news, buffers);
    this.hooks.take(news);
    if (!pushed) {
      this.answered = Math.max(this.answered, content.answer);
      this.wait = PATIENCE;
      if (content.refused) this.hooks.refused(content.refused, this.waiting.get(content.answer)?.name ?? "");
      this.settle(content.answer, !content.refused);
      this.sent = this.answered === this.asked ? null : Date.now();
      const pace = this.hooks.lively() ? ["lively", "hidden"] : ["idle", "asleep"];
      if (!this.sent) this.plan(PERIODS[pace[Number(document.hidden)]]);
    }
    this.look();
  }

  settle(number, done) {
    this.waiting.get(number)?.resolve(done);
    this.waiting.delete(number);
  }

  /** Report "answers", "silent", "unanswered" (there are pushes, but no answers) or "gone", when that has changed. */
  look() {
    const silent = this.sent && Date.now() - Math.max(this.heard, this.sent) > SILENT;
    const unanswered = this.sent && Date.now() - this.sent > UNANSWERED;
    const state = this.gone ? "gone" : silent ? "silent" : unanswered ? "unanswered" : "answers";
    clearTimeout(this.watch);
    if (this.sent && state !== "gone") this.watch = setTimeout(() => this.look(), 1000);
    if (state === this.state) return;
    this.state = state;
    this.hooks.standing?.(state, state === "unanswered" ? this.sent : this.heard);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.model.off("msg:custom", this.onMessage);
    this.line?.off?.("comm_live_update", this.onLive);
    document.removeEventListener("visibilitychange", this.onShown);
  }
}
