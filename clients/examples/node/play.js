#!/usr/bin/env node
// Plays one whole game of Spades against an engine that speaks USP: this program decides for seat S, the engine for
// every other seat. Copy it and put your own ideas into choose().
//
//     node play.js [--rules draft] [--options "target=60 hand_cap=2"] [--movetime 200] [--timeout 20] [ENGINE ARG ...]
//
// ENGINE is spades-engine unless given; movetime is in milliseconds, timeout in seconds per reply. Needs Node.js 18 or
// newer and no packages. The exit code is 0 after a whole game and 1 after anything else.
//
// Read first, in SPEC.md: sections 10 and 11 (lines, replies, ids), 12 (phases), 9 (what events say), 17 (the keys of
// `state`), and the end of 21 (a table with a view: who plays the other seats).
'use strict';
const { spawn } = require('node:child_process');

const SEAT = 'S';
const FINAL = ['ok', 'error', 'best']; // first words of the one line that ends what a command prints
const WORD = /([^\s"=]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))|"((?:[^"\\]|\\.)*)"|[^\s"]+/g;

// Splits a line into its id, the words before the first key=value, and the pairs, which come in any order.
function parse(line) {
  const [, id, text] = /^(?:#(\S+) )?(.*)$/s.exec(line);
  const message = { id, text, first: text.split(' ', 1)[0], words: [], pairs: {} };
  if (message.first === 'state') return message; // what follows is JSON, not words
  const unescape = (quoted) => quoted?.replace(/\\(.)/g, '$1');
  for (const [word, key, quotedValue, value, quoted] of text.matchAll(WORD)) {
    if (key) message.pairs[key] = unescape(quotedValue) ?? value;
    else if (Object.keys(message.pairs).length === 0) message.words.push(unescape(quoted) ?? word);
  }
  return message;
}

class Engine {
  constructor(command, timeout) {
    Object.assign(this, { timeout, lastId: 0, rest: '', pending: null, failure: null });
    this.child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child.on('error', (error) => this.fail(`cannot run ${command[0]}: ${error.message}`));
    this.child.stdin.on('error', () => {}); // the engine has gone: the end of its output tells
    this.child.stdout.setEncoding('utf8').on('data', (text) => this.read(text));
    this.child.stdout.on('end', () => this.fail('the engine has ended'));
  }

  read(text) {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop();
    for (const line of lines) this.receive(parse(line));
    if (this.rest.length > 65535) this.fail('the engine wrote a line that is too long');
  }

  receive(message) {
    const { pending } = this;
    if (!pending || message.id !== String(this.lastId)) return; // not about the command that is waiting
    if (!FINAL.includes(message.first)) pending.lines.push(message);
    else if (message.first === 'error') this.settle(new Error(`"${pending.command}": ${message.text}`));
    else this.settle(null, { ...message, lines: pending.lines });
  }

  settle(error, reply) {
    const { pending } = this;
    if (!pending) return;
    this.pending = null;
    clearTimeout(pending.timer);
    if (error) pending.reject(error);
    else pending.resolve(reply);
  }

  fail(reason) {
    this.failure ??= new Error(reason); // the first one is the cause of any other
    this.settle(this.failure);
  }

  // Sends a command and waits, not for ever, for its final reply; the lines before it are in `lines`.
  ask(command, thinking = 0) {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      const wait = this.timeout + thinking;
      const timer = setTimeout(() => this.fail(`no reply to "${command}" within ${wait} ms`), wait);
      this.pending = { command, lines: [], timer, resolve, reject };
      this.child.stdin.write(`#${++this.lastId} ${command}\n`);
    });
  }

  // The end of its input makes an engine end within a second; one that does not is killed.
  close() {
    this.child.stdin.end();
    this.child.stdout.destroy();
    setTimeout(() => this.child.kill('SIGKILL'), 2000).unref();
  }
}

const rank = (card) => '23456789TJQKA'.indexOf(card[0]);
const strength = (card) => rank(card) + (card[1] === 'S' ? 13 : 0);
const beats = (card, other) => (card[1] === other[1] ? rank(card) > rank(other) : card[1] === 'S');

// Aces, kings that are not alone, and every spade after the third.
function countTricks(hand) {
  const length = (suit) => hand.filter((card) => card[1] === suit).length;
  const high = hand.filter((card) => card[0] === 'A' || (card[0] === 'K' && length(card[1]) > 1)).length;
  return Math.max(1, high + Math.max(0, length('S') - 3));
}

// The idea of this player: keep high cards and spades, bid what it counts, take tricks until the bid is made.
function choose({ phase, legal, draw, trick, hands, bids, tricks }) {
  if (phase === 'draft') return rank(draw) >= rank('T') || draw[1] === 'S' ? 'draft keep' : 'draft pass';
  if (phase === 'bid') {
    const count = countTricks(hands[SEAT]);
    return legal.find((action) => Number(action.split(' ')[1]) >= count) ?? legal[0];
  }
  if (phase !== 'play') return legal[0]; // blind: look; swap: give the partner whatever comes first
  const cards = legal.map((action) => action.split(' ')[1]).sort((a, b) => strength(a) - strength(b));
  const wanted = tricks[SEAT] < Number(bids[SEAT]);
  if (trick.length === 0) return `play ${wanted ? cards.at(-1) : cards[0]}`;
  const top = trick.map(([, card]) => card).reduce((best, card) => (beats(card, best) ? card : best));
  const winner = cards.find((card) => beats(card, top));
  const loser = cards.findLast((card) => !beats(card, top));
  return `play ${(wanted ? winner : loser) ?? cards[0]}`;
}

let table = []; // the cards of the trick that is being played

function show({ words: [, what, seat, detail], pairs }) {
  const totals = Object.keys(pairs).filter((key) => key.startsWith('total.')).map((key) => `${key.slice(6)} ${pairs[key]}`);
  if (what === 'deal') console.log(`hand ${seat}`); // of this line the second word is the number of the hand
  if (what === 'bid') console.log(`  ${seat} bids ${detail}`);
  if (what === 'play') table.push(`${seat} ${detail}`);
  if (what === 'trick') console.log(`  ${table.join(', ')}: ${seat} wins`);
  if (what === 'trick') table = [];
  if (what === 'score') console.log(`  totals: ${totals.join(', ')}`);
  if (what === 'end') console.log(`winner: ${pairs.winner} (${pairs.reason})`);
}

async function play(engine, { rules, options, movetime }) {
  const hello = await engine.ask('usp 1');
  if (!hello.pairs.levels?.split(',').includes('table')) throw new Error('the engine cannot run a table');
  let reply = await engine.ask(`newgame rules=${rules} dealer=engine view=${SEAT} ${options}`);
  while (reply.pairs.phase !== 'over') {
    const { phase, turn } = reply.pairs;
    let action;
    if (phase === 'deal') action = 'deal';
    else if (turn === SEAT) {
      const { lines } = await engine.ask('state');
      action = choose(JSON.parse(lines.find((line) => line.first === 'state').text.slice('state '.length)));
    } else if (turn) action = (await engine.ask(`go movetime=${movetime}`, Number(movetime))).words.slice(1).join(' ');
    else throw new Error(`nobody can act in phase ${phase}`);
    reply = await engine.ask(action);
    reply.lines.filter((line) => line.first === 'event').forEach(show);
  }
  await engine.ask('quit');
}

function readArguments(words) {
  const settings = { rules: 'draft', options: '', movetime: '200', timeout: '20' };
  while (words[0]?.startsWith('--')) {
    const name = words.shift().slice(2);
    if (!Object.hasOwn(settings, name) || words.length === 0) throw new Error(`--${name}: no such option, or no value`);
    settings[name] = words.shift();
  }
  return { settings, command: words.length ? words : ['spades-engine'] };
}

async function main() {
  let engine;
  try {
    const { settings, command } = readArguments(process.argv.slice(2));
    engine = new Engine(command, Number(settings.timeout) * 1000);
    await play(engine, settings);
  } catch (error) {
    console.error(`play.js: ${error.message}`);
    process.exitCode = 1;
  } finally {
    engine?.close();
  }
}

main();
