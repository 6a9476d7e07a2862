// The page's connection to the kernel: polls for new data, sends commands, and detects a kernel
// that does not reply. The other end is clwork/lab/page/polling_page.py; messages.schema.json next
// to it describes the messages.

// milliseconds between two polls
const PERIODS = { lively: 250, hidden: 1000, idle: 1000, asleep: 5000 };
// milliseconds until an unanswered poll is repeated; doubled after each repetition
const RETRY = 2000;
const LONGEST_RETRY = 30_000;
// milliseconds without any message until the page reports a busy kernel
const SILENT = 4000;
// milliseconds without a reply until the page reports it, even if the kernel pushes new data
const UNANSWERED = 5000;

/** The sentence of each state in which the kernel does not reply. */
export const STANDING = {
  silent: "The kernel is busy: the page shows its last reply.",
  unanswered:
    "The kernel has not answered for 5 seconds: it runs another cell, and clicks are handled when that ends. If no cell is running, run this cell again.",
  gone: "The kernel has stopped: the page shows its last reply. Run the cell again.",
};

/** Replace references such as {"buffer": 0} by the buffers, each a DataView. */
function withBuffers(value, buffers) {
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((part) => withBuffers(part, buffers));
  if (Number.isInteger(value.buffer) && Object.keys(value).length === 1)
    return buffers[value.buffer];
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, withBuffers(part, buffers)]),
  );
}

/**
 * `asked` and `answered` are numbers of the last request and of the last one with a reply;
 * `waiting` has the promises of commands by request.
 */
export class Channel {
  /**
   * `hooks`: known(), what the page has; take(news); lively(), whether to poll often; refused(why,
   * name); standing(state, since), see `checkState`; sending(busy), see `queue`.
   */
  constructor(model, hooks) {
    Object.assign(this, {
      model,
      hooks,
      asked: 0,
      answered: 0,
      wait: RETRY,
      state: "answers",
      waiting: new Map(),
      queued: new Map(),
      sending: false,
    });
    this.page = Math.random().toString(36).slice(2, 10).padEnd(4, "0");
    this.lastMessage = Date.now();
    this.onMessage = (content, buffers) => this.receive(content, buffers ?? []);
    this.onLive = () => this.checkState();
    // the model behind anywidget's; it has the state of the comm
    this.kernelModel = null;
    model.widget_manager?.get_model?.(model.get("own_id"))?.then(
      (kernelModel) => {
        if (this.closed) return;
        this.kernelModel = kernelModel;
        kernelModel.on?.("comm_live_update", this.onLive);
        this.checkState();
      },
      () => {},
    );
    this.onShown = () => document.hidden || this.ask();
    model.on("msg:custom", this.onMessage);
    document.addEventListener("visibilitychange", this.onShown);
    this.ask();
  }

  /**
   * Poll for new data, optionally with a command. Returns a promise: true if the command was
   * executed, false if it was rejected.
   */
  ask(command = null) {
    clearTimeout(this.timer);
    this.asked += 1;
    const message = { request: this.asked, page: this.page, known: this.hooks.known() };
    if (command) message.do = command;
    const done = command
      ? new Promise((resolve) => this.waiting.set(this.asked, { resolve, name: command.name }))
      : null;
    this.sent ??= Date.now();
    if (this.gone) this.settle(this.asked, false);
    else this.model.send(message);
    this.plan(this.wait);
    return done;
  }

  /** Send a command with its name and arguments. */
  command(name, more = {}) {
    return this.ask({ ...more, name });
  }

  /**
   * Send a command once all earlier ones have a reply; only the newest of each `key` waits, so the
   * queue stays short. Calls sending(true) before each command, and sending(false) after the last.
   */
  async queue(key, name, more) {
    this.queued.delete(key);
    this.queued.set(key, { ...more, name });
    if (this.sending) return;
    this.sending = true;
    while (this.queued.size && !this.closed) {
      const [[next, command]] = this.queued;
      this.queued.delete(next);
      this.hooks.sending(true);
      await this.ask(command);
    }
    this.sending = false;
    this.hooks.sending(false);
  }

  /** Whether the kernel has ended. */
  get gone() {
    return this.kernelModel?.comm_live === false;
  }

  /** Poll after this time, unless something is sent before. */
  plan(after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tick(), after);
  }

  /** Poll again, less often while an earlier poll has no reply. */
  tick() {
    this.checkState();
    if (this.gone) return;
    if (this.answered < this.asked) this.wait = Math.min(LONGEST_RETRY, 2 * this.wait);
    this.ask();
  }

  /** Take a reply or a push. */
  receive(content, buffers) {
    if (this.closed || !content || typeof content.news !== "object") return;
    const pushed = content.answer === null;
    // a reply to another tab
    if (!pushed && content.page !== this.page) return;
    this.lastMessage = Date.now();
    const news = withBuffers(content.news, buffers);
    this.hooks.take(news);
    if (!pushed) {
      this.answered = Math.max(this.answered, content.answer);
      this.wait = RETRY;
      if (content.refused)
        this.hooks.refused(content.refused, this.waiting.get(content.answer)?.name ?? "");
      this.settle(content.answer, !content.refused);
      this.sent = this.answered === this.asked ? null : Date.now();
      const pace = this.hooks.lively() ? ["lively", "hidden"] : ["idle", "asleep"];
      if (!this.sent) this.plan(PERIODS[pace[Number(document.hidden)]]);
    }
    this.checkState();
  }

  /** Resolve the promise of a command. */
  settle(number, done) {
    this.waiting.get(number)?.resolve(done);
    this.waiting.delete(number);
  }

  /**
   * Report a changed state: "answers", "silent", "unanswered" (pushes arrive, but no replies) or
   * "gone".
   */
  checkState() {
    const silent = this.sent && Date.now() - Math.max(this.lastMessage, this.sent) > SILENT;
    const unanswered = this.sent && Date.now() - this.sent > UNANSWERED;
    let state = "answers";
    if (this.gone) state = "gone";
    else if (silent) state = "silent";
    else if (unanswered) state = "unanswered";
    clearTimeout(this.watch);
    if (this.sent && state !== "gone") this.watch = setTimeout(() => this.checkState(), 1000);
    if (state === this.state) return;
    this.state = state;
    this.hooks.standing?.(state, state === "unanswered" ? this.sent : this.lastMessage);
  }

  /** The page is removed. */
  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.model.off("msg:custom", this.onMessage);
    this.kernelModel?.off?.("comm_live_update", this.onLive);
    document.removeEventListener("visibilitychange", this.onShown);
  }
}
