"use strict";
// The page: a picture goes up, a reading comes down; hints, corrections and the solution are asked for one by one.
// What comes from outside is only ever put in as text.

const $ = (id) => document.getElementById(id);
const words = JSON.parse($("strings").textContent);
const SVG = "http://www.w3.org/2000/svg";
const HOLE = "hole"; // said of a place that is no cell
const STEP_DEPTHS = 3; // where to look, the step, why
const RIM = 0.04; // of the board's longer side, shown around it
const AROUND = 0.5; // of a cell's width, shown around a cell that is asked about

let file = null; // what was chosen
let query = new URLSearchParams(); // how it was sent: kind and corners
let board = null; // what the server read on it, null where no board was read
let given = {}; // corrections so far, for when the server has forgotten the picture
let at = -1; // depth of the hints: STEP_DEPTHS a step
let steps = []; // those that are known
let tapped = ""; // the cell whose dialog is open
let asked = null; // cells in doubt that were asked about, while they are asked about one by one
let points = null; // corners that are being moved, in pixels of the picture
let placing = false; // whether it is asked where the corners are
let pointed = false; // whether they tell where the board is, and are not where they came up
let corners = {}; // how many a board of each kind has
let shown = ""; // address of the picture in the browser
const original = new Image(); // the picture itself, whatever is drawn on the one that is shown
let turn = 0; // counts what was asked, so that a late answer is not shown

document.documentElement.classList.add("script");

class Refused extends Error {
  constructor(status, record) {
    super(record.error || words.failed);
    this.status = status;
    this.record = record;
  }
}

async function ask(path, options = {}) {
  let answer;
  const headers = { "Accept-Language": document.documentElement.lang, ...options.headers };
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new Error(words.failed);
  }
  if (answer.status === 204) return null;
  const record = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, record);
  return record;
}

const path = (rest = "") => `/api/v1/pictures/${board.id}${rest}`;

function say(id, text) {
  $(id).textContent = text;
}

function made(name, attributes = {}, text = "") {
  const element = name.startsWith("svg:") ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}

// --- a picture goes up -----------------------------------------------------------------------------------------------

function chosen(picture) {
  if (!picture) return;
  file = picture;
  points = null;
  placing = false;
  $("finish").reset();
  URL.revokeObjectURL(shown);
  original.src = shown = URL.createObjectURL(file);
  say("choose-label", words.another);
  read();
}

// Read the picture, with what the user said of its cells.
async function read(corrections = {}) {
  const mine = ++turn;
  $("edit").close("cancel");
  board = null;
  forget();
  $("shot").src = shown;
  $("board").hidden = false;
  $("play").hidden = true;
  $("tagline").hidden = true;
  $("choose-hint").hidden = true;
  say("status", words.reading);
  say("told", "");
  draw();
  query = new URLSearchParams();
  given = corrections;
  if (Object.keys(given).length) query.set("set", Object.entries(given).map(([name, word]) => `${name}=${isHole(word) ? HOLE : word}`).join(" "));
  if ($("rows").value && $("columns").value) query.set("size", `${$("rows").value}x${$("columns").value}`);
  if ($("kind").value) query.set("kind", $("kind").value);
  if (points && pointed) query.set("corners", points.map((point) => point.map(Math.round).join(",")).join(" "));
  try {
    const record = await send();
    if (mine !== turn) return drop(record);
    points = null;
    placing = false;
    take(record);
    $("status").scrollIntoView();
    if (!Object.keys(corrections).length) asked = new Set();
    next();
  } catch (error) {
    if (mine === turn) refuse(error);
  }
}

const send = () => ask(`/api/v1/pictures?${query}`, { method: "POST", body: file, headers: { "Content-Type": file.type || "image/*" } });

function drop(record) {
  ask(`/api/v1/pictures/${record.id}`, { method: "DELETE" }).catch(() => {});
}

function refuse(error) {
  const pointing = error.status === 422 && error.record.cause !== "another_game";
  say("status", pointing ? `${words[error.record.status === "no_board" ? "no_board" : "refused"]} ${words.finish}` : error.message);
  say("told", pointing ? error.message : "");
  $("more").open = true;
  if (pointing && !points) place(error.record.board?.corners);
  $("status").scrollIntoView();
}

function take(record) {
  board = record;
  forget();
  $("shot").src = shown;
  say("status", words[record.status === "solved" ? (record.unique === true ? "unique" : record.unique === false ? "several" : "solved") : record.status] || "");
  const unsure = doubts().length > 0;
  say("told", unsure ? words.tap : `${record.message}${words.stop} ${words.tap}`);
  $("play").hidden = false;
  $("ask").hidden = $("as-read").hidden = !unsure;
  $("hint").hidden = $("check").hidden = $("solution").hidden = unsure;
  $("solution").disabled = !record.answered;
  draw();
}

function forget() {
  at = -1;
  steps = [];
  reveal(false);
  $("back").hidden = true;
  say("hint", words.hint);
}

const cellOf = (doubt) => `r${doubt.cell[0] + 1}c${doubt.cell[1] + 1}`;
const doubts = () => [...new Set((board?.doubts || []).map(cellOf))];

// A picture that the server has forgotten is sent again as before, with all corrections.
async function kept(work) {
  const mine = turn;
  try {
    return await work();
  } catch (error) {
    if (!error.record?.forgotten || mine !== turn || !file) throw error;
    const record = await send();
    board.id = record.id;
    if (Object.keys(given).length) await patch(given);
    return work();
  }
}

// --- the cells -------------------------------------------------------------------------------------------------------

const size = () => board?.size || [$("shot").naturalWidth, $("shot").naturalHeight];

// The box of outlines: left, top, width, height.
function box(outlines) {
  const [xs, ys] = [0, 1].map((axis) => outlines.flat().map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

// All of the board is shown, and of the rest of the picture a rim; the whole picture where no board is known.
function fit() {
  const [width, height] = size();
  let [left, top, wide, high] = [0, 0, width, height];
  if (board && !points) {
    const outer = box(Object.values(board.cells).map((cell) => cell.outline));
    const rim = RIM * Math.max(outer[2], outer[3]);
    [left, top] = [0, 1].map((axis) => Math.max(0, outer[axis] - rim));
    wide = Math.min(width, outer[0] + outer[2] + rim) - left;
    high = Math.min(height, outer[1] + outer[3] + rim) - top;
  }
  $("frame").style.setProperty("--ratio", wide / high);
  const { style } = $("whole");
  style.width = `${(100 * width) / wide}%`;
  style.left = `${(-100 * left) / wide}%`;
  style.top = `${(-100 * top) / high}%`;
}

function draw(highlighted = [], wrong = []) {
  const svg = $("cells");
  svg.replaceChildren();
  const [width, height] = size();
  if (!width) return;
  fit();
  svg.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
  const hatch = made("svg:pattern", { id: "hatch", width: width / 60, height: width / 60, patternUnits: "userSpaceOnUse" });
  hatch.append(made("svg:path", { d: `M0 ${width / 60}L${width / 60} 0`, "stroke-width": width / 250 }));
  svg.append(hatch);
  $("frame").classList.toggle("corners", !!points);
  $("drag").hidden = !points;
  if (points) return handles(svg, width);
  const unsure = doubts();
  const names = Object.keys(board?.cells || {});
  for (const name of [...unsure, ...names.filter((name) => !unsure.includes(name))]) {
    const cell = board.cells[name];
    if (!cell) continue;
    const outline = cell.outline.map((point) => point.join(",")).join(" ");
    const classes = [unsure.includes(name) && "doubtful", highlighted.includes(name) && "look", wrong.includes(name) && "wrong"];
    const polygon = made("svg:polygon", { points: outline, role: "button", tabindex: "0", class: classes.filter(Boolean).join(" "), "data-cell": name });
    polygon.setAttribute("aria-label", `${called(name)}: ${spoken(cell.word)}${unsure.includes(name) ? `, ${words.doubtful}` : ""}`);
    svg.append(polygon);
  }
}

function called(name) {
  const [, row, column] = name.match(/^r(\d+)c(\d+)$/);
  return words.cell.replace("{row}", row).replace("{column}", column);
}

const isHole = (word) => word === HOLE || word === "#";
const named = (word) => words[`word.${word}`] || (/^[a-z]$/.test(word) ? `${words.region} ${word}` : word);
const spoken = (word) => (word === "" ? words.empty : named(word));

// A cell as the picture shows it; with some of what lies around it, in widths of the cell, it is outlined.
function crop(name, around = 0) {
  const { outline } = board.cells[name];
  const [left, top, wide, high] = box([outline]);
  const shrunk = original.naturalWidth / board.size[0]; // where the server sent it in place of the file
  const side = Math.max(wide, high) * (1 + 2 * around);
  const [x, y] = [left + (wide - side) / 2, top + (high - side) / 2];
  const pixels = Math.max(1, Math.round(side * shrunk));
  const canvas = made("canvas", { width: pixels, height: pixels, "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  pen.drawImage(original, x * shrunk, y * shrunk, pixels, pixels, 0, 0, pixels, pixels);
  if (!around) return canvas;
  canvas.className = "large";
  pen.beginPath();
  for (const point of outline) pen.lineTo((point[0] - x) * shrunk, (point[1] - y) * shrunk);
  pen.closePath();
  pen.lineWidth = pixels / 64;
  pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--warn");
  pen.stroke();
  return canvas;
}

// --- what stands there -----------------------------------------------------------------------------------------------

const doubtOf = (name) => board.doubts.find((doubt) => cellOf(doubt) === name);

// Doubts are asked about one after the other, those that were passed over once.
function next() {
  const open = doubts().filter((name) => !asked?.has(name));
  if (!open.length) asked = null;
  if (!asked) return;
  const [name] = open;
  asked.add(name);
  document.querySelector(`[data-cell="${CSS.escape(name)}"]`)?.focus();
  edit(name, `${asked.size} / ${asked.size + open.length - 1}`);
}

function edit(name, count = "") {
  const doubt = doubtOf(name);
  const settling = [...(doubt?.settle || "").matchAll(/--(\w+) (\S+)/g)]; // a kind or a size, which no cell tells
  const title = settling.length ? words.settle : `${called(name)}: ${words.stands}`;
  say("edit-title", count ? `${count}: ${title}` : title);
  say("edit-doubt", doubt ? doubt.why : "");
  $("edit-shown").replaceChildren(...(settling.length ? [] : [crop(name, AROUND)]));
  $("edit-fields").replaceChildren(...(settling.length ? settled(settling) : fields(name, doubt)));
  $("apply").hidden = settling.length > 0 || !board.choices.most;
  $("skip").hidden = !count;
  tapped = name;
  $("edit").returnValue = "cancel";
  $("edit").showModal();
  if (doubt || !$("number")) return;
  $("number").focus();
  $("number").select();
}

function choice(value, text, pressed = false) {
  return made("button", { value, type: "submit", formnovalidate: "", "aria-pressed": String(pressed) }, text);
}

function settled(options) {
  const buttons = made("div", { class: "buttons" });
  for (const [, name, value] of options) buttons.append(choice(`${name}:${value}`, words[`kind.${value}`] || words.whole));
  return [buttons];
}

// What may be put onto a cell: what it looks like, a number, the words of its kind.
function fields(name, doubt) {
  const { word } = board.cells[name];
  const { words: choices, most, shapes, parts } = board.choices;
  const reading = doubt && /^\d+[a-z]?$/.test(doubt.read) ? [doubt.read] : [];
  const bare = doubt && most && doubt.read === "empty" ? [HOLE] : []; // it may as well be no cell
  const likely = doubt ? [...reading, ...(reading.length && !word ? [] : [word]), ...doubt.instead, ...bare] : [];
  const buttons = made("div", { class: "buttons" });
  for (const each of new Set([...likely, ...choices])) {
    const button = choice(`=${each}`, named(each), each === word);
    const like = Object.keys(board.cells).find((other) => other !== name && board.cells[other].word === each);
    if (like && each) button.prepend(crop(like));
    buttons.append(button);
  }
  if (!most) return [buttons];
  const several = parts > 1;
  const [, number, shape] = several ? [] : word.match(/^(\d*)\??([a-z]?)/);
  const input = made("input", { id: "number", inputmode: "none", autocomplete: "off", ...(several ? {} : { pattern: "[0-9]*" }) });
  input.value = several ? word : number;
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it would press the first of the buttons
    $("apply").click();
  });
  const shown = [buttons, made("label", { for: "number" }, several ? words.codes : words.number), input, pad(input, several)];
  if (shapes.length) shown.push(picker("shape", ["", ...shapes], shape, "shape.", words.shape));
  return shown;
}

// Keys of digits: those of a phone would cover the board.
function pad(input, several) {
  const keys = made("div", { class: "pad" });
  for (const key of several ? "123456789,0\u232b" : "123456789\u232b0") {
    const button = made("button", { type: "button" }, key);
    const erases = key === "\u232b";
    if (erases) button.setAttribute("aria-label", words.erase);
    button.addEventListener("click", () => {
      const { selectionStart: from, selectionEnd: to } = input;
      input.setRangeText(erases ? "" : key, erases && from === to ? Math.max(0, from - 1) : from, to, "end");
    });
    keys.append(button);
  }
  return keys;
}

function picker(id, choices, value, prefix, name) {
  const select = made("select", { id });
  for (const choice of choices) select.append(made("option", { value: choice }, words[prefix + choice]));
  select.value = value || "";
  const line = made("p");
  line.append(made("label", { for: id }, name), " ", select);
  return line;
}

function edited() {
  const value = $("edit").returnValue;
  const shape = $("shape")?.value || "";
  if (value === "skip") next();
  else if (value === "apply") correct({ [tapped]: ($("number").value.trim() || (shape ? "?" : "")) + shape });
  else if (value.startsWith("=")) correct({ [tapped]: value.slice(1) });
  else if (value.includes(":")) settle(...value.split(":"));
  else asked = null;
}

function settle(name, value) {
  if (name === "size") [$("rows").value, $("columns").value] = value.split("x");
  else $("kind").value = value;
  read(given);
}

const patch = (cells) => ask(path("/cells"), { method: "PATCH", body: JSON.stringify(cells), headers: { "Content-Type": "application/json" } });

async function correct(cells) {
  const all = { ...given, ...cells };
  // Read anew is which places are cells, and what is in doubt where the user tells something else: it may settle that.
  const reshapes = Object.entries(cells).some(([name, word]) => isHole(word) || isHole(board.cells[name].word));
  if (reshapes || (doubts().length && !Object.keys(cells).some(doubtOf))) return read(all);
  const mine = turn;
  say("status", words.solving);
  try {
    const record = await kept(() => patch(cells));
    given = all;
    if (mine === turn) take(record);
  } catch (error) {
    asked = null;
    if (mine === turn) say("status", error.message);
  }
  const name = Object.keys(cells)[0];
  document.querySelector(`[data-cell="${CSS.escape(name)}"]`)?.focus();
  if (mine === turn) next();
}

// --- hints, check, solution ------------------------------------------------------------------------------------------

async function hint(by) {
  const mine = turn;
  reveal(false);
  const next = Math.max(at + by, -1);
  const number = Math.floor(next / STEP_DEPTHS);
  try {
    if (next >= 0) steps[number] ??= await kept(() => ask(path(`/steps/${number}`)));
  } catch (error) {
    if (mine === turn) say("told", error.status === 404 ? `${words.no_steps} ${error.message}` : error.message);
    return;
  }
  if (mine !== turn) return;
  at = next;
  $("back").hidden = at < 0;
  say("hint", at < 0 ? words.hint : words.next);
  if (at < 0) {
    $("shot").src = shown;
    say("told", words.tap);
    return draw();
  }
  const depth = at % STEP_DEPTHS;
  const step = steps[number];
  const last = depth ? number : number - 1;
  $("shot").src = last < 0 ? shown : path(`/steps/${last}.jpg`);
  const count = board.steps ? ` ${words.of} ${Math.max(board.steps, number + 1)}` : "";
  const where = `${words.look_here} ${step.cells.slice(0, 6).join(", ")}`;
  say("told", `${words.step} ${number + 1}${count}: ${[where, words[`rule.${step.rule}`] || step.rule, step.because][depth]}`);
  draw(depth ? [] : step.cells);
}

async function check() {
  const mine = turn;
  reveal(false);
  try {
    const found = await kept(() => ask(path("/check"), { method: "POST" }));
    if (mine !== turn) return;
    const suspect = [...found.wrong, ...found.rivals.flat()].flat();
    at = -1;
    $("shot").src = shown;
    draw([], suspect);
    const named = found.wrong.map((cells) => cells.join(" ")).join(", ");
    if (!found.settled) say("told", words.unsettled);
    else if (found.wrong.length) say("told", `${found.rivals.length ? words.either : words.wrong} ${named}`);
    else say("told", found.complete ? words.complete : found.standing ? words.right : words.nothing_placed);
  } catch (error) {
    if (mine === turn) say("told", error.message);
  }
}

function reveal(wanted) {
  $("solution").setAttribute("aria-pressed", String(wanted));
  say("solution", wanted ? words.hide : words.solution);
  $("save").hidden = !wanted;
}

async function solution() {
  const wanted = $("solution").getAttribute("aria-pressed") !== "true";
  forget();
  draw();
  if (!wanted) {
    $("shot").src = shown;
    return;
  }
  try {
    await kept(() => ask(path("/solution")));
    $("shot").src = path("/solution.jpg");
    $("save").href = path("/solution.png");
    reveal(true);
    say("told", `${board.message}${words.stop}`);
  } catch (error) {
    say("told", error.message);
  }
}

async function save(event) {
  if (!navigator.canShare) return; // the link downloads
  event.preventDefault();
  const picture = await (await fetch($("save").href)).blob();
  const files = [new File([picture], "solvepic.png", { type: picture.type })];
  if (navigator.canShare({ files })) await navigator.share({ files }).catch(() => {});
  else location.assign($("save").href);
}

// --- the corners of the board ----------------------------------------------------------------------------------------

const HANDLES = { 3: [[0.5, 0.1], [0.9, 0.9], [0.1, 0.9]], 4: [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]] };

const cornersOfKind = () => corners[$("kind").value] ?? 4;

// Handles come up on the corners that were found, or else where they can be grasped.
function place(found) {
  const [width, height] = size();
  if (!width) return;
  $("shot").src = shown;
  const count = cornersOfKind();
  placing = true;
  pointed = found?.length === count;
  points = pointed ? found : HANDLES[count]?.map(([x, y]) => [x * width, y * height]) || null;
  draw();
}

function handles(svg, width) {
  const outline = made("svg:polygon", { class: "outline" });
  const scale = width / svg.getBoundingClientRect().width || 1;
  const circles = points.map((point, index) => {
    const circle = made("svg:circle", { r: 22 * scale, tabindex: "0", role: "button", "aria-label": `${words.corner} ${index + 1}` });
    const move = (...to) => {
      const [x, y] = (points[index] = to.map((at, axis) => Math.min(Math.max(at, 0), size()[axis] - 1)));
      circle.setAttribute("cx", x);
      circle.setAttribute("cy", y);
      outline.setAttribute("points", points.map((each) => each.join(",")).join(" "));
    };
    circle.addEventListener("pointerdown", (event) => circle.setPointerCapture(event.pointerId));
    circle.addEventListener("pointermove", (event) => {
      if (!circle.hasPointerCapture(event.pointerId)) return;
      const rect = svg.getBoundingClientRect();
      pointed = true;
      move((event.clientX - rect.left) * scale, (event.clientY - rect.top) * scale);
    });
    circle.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way) return;
      event.preventDefault();
      pointed = true;
      const pace = (event.shiftKey ? 1 : 8) * scale;
      move(points[index][0] + way[0] * pace, points[index][1] + way[1] * pace);
    });
    move(...point);
    return circle;
  });
  svg.append(outline, ...circles);
}

// --- what the user does ----------------------------------------------------------------------------------------------

$("file").addEventListener("change", (event) => chosen(event.target.files[0]));
document.addEventListener("paste", (event) => chosen([...event.clipboardData.files].find((each) => each.type.startsWith("image/"))));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  chosen(event.dataTransfer.files[0]);
});
$("hint").addEventListener("click", () => hint(1));
$("back").addEventListener("click", () => hint(-1));
$("check").addEventListener("click", check);
$("solution").addEventListener("click", solution);
$("save").addEventListener("click", save);
$("ask").addEventListener("click", () => {
  asked = new Set();
  next();
});
$("corners").addEventListener("click", () => {
  place(board?.board?.corners);
  $("status").scrollIntoView();
});
$("kind").addEventListener("change", () => placing && (points?.length || 0) !== cornersOfKind() && place());
$("finish").addEventListener("submit", (event) => {
  event.preventDefault();
  if (file) read();
});
window.addEventListener("resize", () => points && draw());
$("as-read").addEventListener("click", () => correct(Object.fromEntries(doubts().map((name) => [name, board.cells[name].word]))));
$("edit").addEventListener("close", edited);
$("cells").addEventListener("click", (event) => event.target.dataset.cell && edit(event.target.dataset.cell));
$("cells").addEventListener("keydown", (event) => {
  if (!event.target.dataset.cell || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  edit(event.target.dataset.cell);
});
$("shot").addEventListener("load", () => !board && draw());
$("shot").addEventListener("error", () => {
  // A format that the browser does not show, such as HEIC.
  if (board && $("shot").src === shown) $("shot").src = original.src = shown = path("/picture.jpg");
});

async function start() {
  const token = location.hash.slice(1);
  try {
    if (token) {
      history.replaceState(null, "", location.pathname + location.search);
      await ask("/session", { method: "POST", headers: { Authorization: `Bearer ${token}` } });
    }
    ({ corners } = await ask("/api/v1/kinds"));
    for (const kind of Object.keys(corners)) $("kind").append(made("option", { value: kind }, words[`kind.${kind}`] || kind));
  } catch (error) {
    say("status", error.message);
  }
}

start();
