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
const { createInterface } = require('node:readline');

const SEAT = 'S';
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
    this.timeout = timeout;
    this.lastId = 0;
    this.child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
    this.child.on('error', (error) => console.error(`play.js: ${error.message}`)); // it could not be started
    this.child.stdin.on('error', () => {}); // it has gone: the end of its output tells
    this.reader = createInterface({ input: this.child.stdout });
    this.lines = this.reader[Symbol.asyncIterator]();
  }

  // Sends a command and waits, not for ever, for its final reply; the lines before it are in `lines`.
  async ask(command, thinking = 0) {
    const id = String(++this.lastId);
    const lines = [];
    let reason = 'the engine has ended';
    const giveUp = () => {
      reason = 'no reply in time';
      this.reader.close(); // ends the loop below
    };
    const timer = setTimeout(giveUp, this.timeout + thinking);
    this.child.stdin.write(`#${id} ${command}\n`);
    try {
      for (;;) {
        const { value, done } = await this.lines.next();
        if (done) throw new Error(`"${command}": ${reason}`);
        const message = parse(value);
        if (message.id !== id) continue; // not about this command
        if (message.first === 'error') throw new Error(`"${command}": ${message.text}`);
        if (message.first === 'ok' || message.first === 'best') return { ...message, lines };
        lines.push(message);
      }
    } finally {
      clearTimeout(timer);
    }
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
  const sides = Object.keys(pairs).filter((key) => key.startsWith('total.'));
  if (what === 'deal') console.log(`hand ${seat}`); // of this line the second word is the number of the hand
  if (what === 'bid') console.log(`  ${seat} bids ${detail}`);
  if (what === 'play') table.push(`${seat} ${detail}`);
  if (what === 'trick') console.log(`  ${table.join(', ')}: ${seat} wins`);
  if (what === 'trick') table = [];
  if (what === 'score') console.log(`  totals: ${sides.map((key) => `${key.slice(6)}=${pairs[key]}`).join(' ')}`);
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
  if (!(settings.movetime >= 0 && settings.timeout > 0)) throw new Error('--movetime and --timeout take a number');
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
