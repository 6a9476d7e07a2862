// The desk of runs: see clwork/lab/desk/desk.py. The model holds `about`; the page requests everything else.

import { Channel } from "../shared/channel.js";
import { followTheme } from "../shared/theme.js";
import { element } from "../shared/dom.js";
import { Desk } from "./desk.js";
import look from "../shared/look.css";
import css from "./style.css";

const STANDS = {
  silent: "The kernel is busy: the page shows its last answer.",
  unanswered: "The kernel has not answered for 5 seconds: it runs another cell, and clicks are handled when that ends. If no cell is running, run this cell again.",
  gone: "The kernel is gone: the page shows its last answer. Run the cell again.",
};

function render({ model, el }) {
  const style = element("style", { text: look + css });
  let channel = null;
  const desk = new Desk((name, more) => channel.tell(name, more), model.get("about").forms);
  el.append(style, desk.root);
  const unfollow = followTheme(desk.root, (dark) => desk.themed(dark));
  channel = new Channel(model, {
    known: () => desk.known(),
    take: (news) => desk.take(news),
    lively: () => desk.lively,
    refused: (why) => desk.report(why, true),
    standing: (state) => (state === "answers" ? desk.pulsed(desk.pulse) : desk.report(STANDS[state], state === "gone")),
  });
  return () => {
    channel.close();
    unfollow();
    desk.close();
    desk.root.remove();
    style.remove();
  };
}

export default { render };
