"""Rules that an option changes, blind nils and exchanges, and the hands in which a card is refused."""

import random
from dataclasses import dataclass, field

from tests.conformance.storyteller import Policy, Story, Teller, at_random, bidding, deck_of_hands, in_order, transcript
from tests.game.oracle import Table

Scenes = dict[str, str]


def hand(text: str) -> list[str]:
    """A hand written with blanks."""
    return text.split()


# S is void in clubs; N has clubs and three spades.
VOID_HANDS = {
    "S": hand("3D 5D 7D 9D 3H 5H 7H 9H 2S 4S 6S 8S TS"),
    "N": hand("3C 4C 5C 6C 7C 4D 6D 8D 4H 6H 3S 5S AS"),
}
# S is down to spades after two clubs that win.
SPADES_LEFT = {
    "S": hand("8C 9C 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS"),
    "N": hand("4C 5C 6C 3D 4D 5D 6D 2H 3H 4H 5H KS AS"),
}
# S holds nothing but spades.
ONLY_SPADES = {
    "S": [rank + "S" for rank in "23456789TJQKA"],
    "N": hand("3C 4C 5C 6C 7C 8C 4D 6D 8D 4H 6H 8H AH"),
}


@dataclass
class Scene:
    """A hand played by these actions as far as they go; `after` is said at the end, `at` in the middle."""

    path: str
    title: str
    preset: str
    actions: list[str]
    until: str
    changes: dict[str, str] = field(default_factory=dict)
    hands: dict[str, list[str]] | None = None
    first: str = "S"
    viewer: str | None = None
    dealer: str = "host"
    covers: str = "rules.1"
    totals: dict[str, int] = field(default_factory=dict)
    after: list[str] = field(default_factory=list)
    policy: Policy = at_random


def told(scene: Scene) -> str:
    """The transcript of a scene."""
    rng = random.Random(scene.path)
    table = Table(scene.preset, scene.changes)
    story = Story(table, scene.first, seed=scene.path.split("/")[-1][:-4], totals=scene.totals)
    if scene.dealer == "engine":
        deck = story.seeded_deck()
    else:
        deck = deck_of_hands(table, scene.first, scene.hands) if scene.hands else story.random_deck(rng)
    story.play(deck, in_order(scene.actions, scene.policy), rng, scene.until)
    teller = Teller(story, scene.viewer)
    teller.hello()
    teller.newgame(scene.dealer)
    if scene.dealer == "engine":
        teller.engine()
    else:
        teller.host()
    teller.say(*scene.after)
    levels = "seat table" if scene.dealer == "engine" else "seat"
    return transcript(scene.title, levels, scene.covers, teller.lines, "scores" if scene.totals else "")


def refusal(command: str, why: str) -> list[str]:
    """A command that the rules forbid, and its reply."""
    return [f"> {command}", f'< error illegal-action "..." ... why={why} ...']


BIDS = ["bid 3", "bid 4"]
PLAY_SCENES = [
    Scene("valid/play/ruff-breaks-spades.txt", "A spade played to another suit breaks spades; then they may be led.",
          "duel", [*BIDS, "play 4D", "play 9D", "play 3D", "play 6D", "play 3C", "play 2S", "play 4S", "play AS"],
          "play:8", hands=VOID_HANDS, first="N"),
    Scene("valid/play/spade-lead-breaks-spades.txt",
          "A hand of spades only may lead one, and that breaks them for all.",
          "duel", [*BIDS, "play 9C", "play 4C", "play 8C", "play 5C", "play 2S", "play AS", "play KS", "play 3S"],
          "play:8", hands=SPADES_LEFT),
    Scene("valid/play/sluff-breaks-nothing.txt", "A void seat may throw any suit; that breaks no spades.", "duel",
          [*BIDS, "play 3C", "play 3H"], "play:2", hands=VOID_HANDS, first="N",
          after=refusal("play N AS", "spades-not-broken"), covers="play.2 rules.1"),
    Scene("valid/play/ruff-on-the-first-trick.txt", "A void seat may ruff on the first trick in every preset.", "duel",
          [*BIDS, "play 3C", "play TS", "play 8S", "play 3S"], "play:4", hands=VOID_HANDS, first="N"),
    Scene("valid/play/lead-spades-anytime.txt", "With lead_spades=anytime a spade may be led to the first trick.",
          "duel",
          [*BIDS, "play AS", "play 2S", "play 3S", "play 4S", "play 6S", "play 5S"], "play:6",
          {"lead_spades": "anytime"}, VOID_HANDS, "N", after=["> state", '< state {"broken":true}', "< ok"]),
    Scene("valid/play/no-first-ruff.txt", "With first_trick_ruff=no a void seat may ruff from the second trick on.",
          "duel", [*BIDS, "play 3C", "play 3H", "play 4C", "play 2S"], "play:4", {"first_trick_ruff": "no"},
          VOID_HANDS, "N"),
    Scene("valid/play/no-first-ruff-only-spades.txt", "With first_trick_ruff=no a hand of spades only may still ruff.",
          "duel", [*BIDS, "play 3C", "play 2S", "play 3S", "play 4C"], "play:4", {"first_trick_ruff": "no"},
          ONLY_SPADES, "N"),
    Scene("valid/play/overruff.txt", "Of several spades in a trick the highest wins, and cards off suit never do.",
          "partners", [], "play:44", {"blind_nil": "off", "exchange": "none"}, first="E"),
    Scene("valid/play/leader-other.txt", "With leader=other the seat after the first bidder leads.", "duel", BIDS,
          "play:2", {"leader": "other"}, VOID_HANDS),
    Scene("valid/play/leader-other-of-four.txt", "With leader=other the second bidder leads, with four seats too.",
          "partners", [], "play:5", {"leader": "other", "blind_nil": "off", "exchange": "none"}, first="S"),
    Scene("valid/play/second-bidder-first.txt", "With first_bidder=second the seat after the first bids and leads.",
          "duel", BIDS, "play:2", {"first_bidder": "second"}, VOID_HANDS),
    Scene("valid/play/second-bidder-other-leader.txt", "first_bidder=second and leader=other: the first seat leads.",
          "duel", BIDS, "play:2", {"first_bidder": "second", "leader": "other"}, VOID_HANDS),
    Scene("valid/play/drafter-first-bidder.txt", "With first_bidder=first the first drawer bids and leads.", "draft",
          [],
          "play:2", {"first_bidder": "first", "blind_nil": "off", "exchange": "none"}),
    Scene("valid/play/last-trick-to-next-hand.txt",
          "After the last trick the hand is scored and the first seat changes.",
          "duel", BIDS, "scored", after=["> deal 2 first=S", '< error illegal-action "..." ... why=...'],
          covers="rules.1 play.2"),
    Scene("valid/bids/every-bid.txt", "A bid of one to thirteen or nil, second bidder after first.", "duel", [], "bid",
          after=[line for bid in ("nil", "0", *map(str, range(1, 14))) for line in
                 (f"> bid S {bid}", "< ok phase=bid turn=N", "> undo", "< ok phase=bid turn=S")]),
    Scene("valid/bids/zero-is-nil.txt", "With nil_is_zero=yes a bid of 0 is a nil and shown as one.", "duel", [], "bid",
          after=["> bid S 0", "< ok phase=bid turn=N", "> state", '< state {"bids":{"S":"nil","N":null}}', "< ok"]),
    Scene("valid/bids/zero-is-a-contract.txt", "With nil_is_zero=no 0 and nil are two bids.", "duel", [], "bid",
          {"nil_is_zero": "no"},
          after=["> bid S 0", "< ok phase=bid turn=N", "> bid N nil", "< ok phase=play turn=S", "> state",
                 '< state {"bids":{"S":"0","N":"nil"}}', "< ok"]),
    Scene("valid/bids/smallest-bid.txt", "min_bid forbids smaller contracts but not a nil.", "duel", [], "bid",
          {"min_bid": "4"},
          after=[*refusal("bid S 3", "bid-range"), "> bid S nil", "< ok phase=bid turn=N",
                 *refusal("bid N 1", "bid-range"), "> bid N 4", "< ok phase=play turn=S"], covers="rules.1 play.2"),
    Scene("valid/bids/no-nil.txt", "With nil=off there is no nil, and the smallest bid is 1.", "duel", [], "bid",
          {"nil": "off"},
          after=[*refusal("bid S nil", "nil-off"), *refusal("bid S 0", "..."), "> bid S 1", "< ok phase=bid turn=N"],
          covers="rules.1 play.2"),
    Scene("valid/bids/no-nil-but-zero.txt", "With nil=off and nil_is_zero=no 0 is a contract of no tricks.", "duel", [],
          "bid", {"nil": "off", "nil_is_zero": "no"},
          after=[*refusal("bid S nil", "nil-off"), "> bid S 0", "< ok phase=bid turn=N"], covers="rules.1 play.2"),
]  # fmt: skip

BEHIND = {"blind_nil": "200", "blind_deficit": "100"}
BLIND_SCENES = [
    Scene("valid/blind/in-a-deal.txt", "In a dealt game the cards come when a seat has declined, or after its call.",
          "duel", [], "play:2", {"blind_nil": "200"}, policy=bidding({"N": "blindnil"})),
    Scene("valid/blind/behind-enough.txt", "With blind_deficit only the side far enough behind is asked.", "duel",
          [], "play:1", BEHIND, totals={"S": 20, "N": 120}, policy=bidding({"S": "blindnil"})),
    Scene("valid/blind/not-behind-enough.txt", "One point short of blind_deficit nobody is asked.", "duel", [],
          "play:1",
          BEHIND, totals={"S": 21, "N": 120}),
    Scene("valid/blind/behind-in-a-draft.txt", "In a draft, too, only the side behind is asked.", "draft", ["look"],
          "draft", {"blind_deficit": "50"}, totals={"N": -50},
          first="N", after=["> state", '< state {"phase":"draft","turn":"N","blind":[]}', "< ok"]),
    Scene("valid/blind/not-behind-in-a-draft.txt", "At equal totals nobody is asked with a blind_deficit.", "draft", [],
          "draft", {"blind_deficit": "1"}, first="N"),
    Scene("valid/blind/partners-one-caller.txt", "The caller gives three cards, then the partner gives back three.",
          "partners", [], "play:1", first="E", policy=bidding({"S": "blindnil"})),
    Scene("valid/blind/partners-callers-of-both-sides.txt", "One caller of each side: both sides exchange in turn.",
          "partners", [], "play:1", first="W", policy=bidding({"E": "blindnil", "N": "blindnil"})),
    Scene("valid/blind/partners-both-callers.txt", "If both partners called their side does not exchange.", "partners",
          [], "play:1", first="N", policy=bidding({"E": "blindnil", "W": "blindnil"})),
    Scene("valid/blind/partners-all-callers.txt", "All four call: no exchange, and the play begins.", "partners", [],
          "play:1", first="N", policy=bidding(dict.fromkeys("NESW", "blindnil"))),
    Scene("valid/blind/partners-exchange-of-one.txt", "exchange_count is the number of cards, exactly.", "partners", [],
          "play:1", {"exchange_count": "1"}, first="N", policy=bidding({"N": "blindnil"})),
    Scene("valid/blind/partners-exchange-of-four.txt", "An exchange of four cards.", "partners", [], "play:1",
          {"exchange_count": "4"}, first="S", policy=bidding({"W": "blindnil"})),
    Scene("valid/blind/partners-no-exchange.txt", "With exchange=none the play follows the bidding.", "partners", [],
          "play:1", {"exchange": "none"}, first="N", policy=bidding({"N": "blindnil"})),
    Scene("valid/blind/partners-exchange-of-none.txt", "exchange_count=0 is the same as exchange=none.", "partners", [],
          "play:1", {"exchange_count": "0"}, first="N", policy=bidding({"N": "blindnil"})),
    Scene("valid/blind/partners-off.txt", "With blind_nil=off all cards come with the deal.", "partners", [], "play:1",
          {"blind_nil": "off"}, first="N"),
    Scene("valid/blind/draft-both-callers.txt", "In a draft both may call, and exchange in bidding order.", "draft", [],
          "play:2", policy=bidding({"S": "blindnil", "N": "blindnil"})),
    Scene("valid/blind/draft-swap-none.txt", "A caller may keep its hand.", "draft", ["swap none"], "play:1",
          policy=in_order(["swap none"], bidding({"S": "blindnil"}))),
    Scene("valid/blind/draft-no-exchange.txt", "With exchange=none the bidding follows the draft.", "draft", [],
          "play:1", {"exchange": "none"}, policy=bidding({"N": "blindnil"})),
    Scene("valid/blind/draft-exchange-of-none.txt", "In a draft, too, exchange_count=0 is the same as exchange=none.",
          "draft", [], "play:1", {"exchange_count": "0"}, policy=bidding({"N": "blindnil"})),
    Scene("valid/blind/draft-blind-nil-of-300.txt", "draft300 with blind nil switched on: calls without an exchange.",
          "draft300", [], "play:1", {"blind_nil": "100"}, policy=bidding({"N": "blindnil"})),
    Scene("valid/blind/draft-table.txt", "A caller's exchange at a table of the program.", "draft", [], "play:1",
          dealer="engine", policy=bidding({"S": "blindnil"}), covers="rules.1 fair.1"),
    Scene("valid/blind/partners-table.txt", "A caller's exchange with its partner at a table of the program.",
          "partners",
          [], "play:1", dealer="engine", policy=bidding({"N": "blindnil"}), covers="rules.1 fair.1"),
]  # fmt: skip

MASK_SCENES = [
    Scene("valid/hidden/peek-unseen.txt", "With peek=unseen a seat is not told what it discards after a keep.",
          "draft300",
          ["draft keep", "draft pass", "draft pass", "draft keep"], "bid", {"peek": "unseen"}, viewer="S",
          covers="rules.1"),
    Scene("valid/hidden/choice-hidden.txt", "With draft_choice=hidden a seat is not told the other's choices.",
          "draft300",
          [], "bid", {"draft_choice": "hidden"}, viewer="N", covers="rules.1"),
    Scene("valid/hidden/exchange-for-the-partner.txt", "The partner of a caller is told the cards of the exchange.",
          "partners", [], "play:2", first="N", viewer="S", policy=bidding({"N": "blindnil"}), covers="rules.1"),
    Scene("valid/hidden/exchange-for-an-opponent.txt", "The opponents of a caller are told nothing of the cards.",
          "partners", [], "play:2", first="N", viewer="W", policy=bidding({"N": "blindnil"}), covers="rules.1"),
    Scene("valid/hidden/deal-before-looking.txt", "A seat that has not looked is not told its own cards.", "duel", [],
          "bid", {"blind_nil": "100"}, viewer="N", covers="rules.1"),
]  # fmt: skip

FIRST_LEAD = [*BIDS, "play 3C"]
INVALID_SCENES = [
    Scene("invalid/play/must-follow.txt", "A card of another suit from a hand that holds the suit led.", "duel",
          [*BIDS, "play 4D"], "play:1", hands=VOID_HANDS, first="N", after=refusal("play S 3H", "must-follow")),
    Scene("invalid/play/must-follow-not-ruff.txt", "A spade from a hand that holds the suit led.", "duel",
          [*BIDS, "play 4D"], "play:1", hands=VOID_HANDS, first="N", after=refusal("play S 2S", "must-follow")),
    Scene("invalid/play/must-follow-spades.txt", "Another suit on a spade from a hand that holds spades.", "duel",
          [*FIRST_LEAD, "play 2S", "play 4S"], "play:3", hands=VOID_HANDS, first="N",
          after=refusal("play N 4C", "must-follow")),
    Scene("invalid/play/spades-not-broken.txt", "A spade led before spades are broken.", "duel", BIDS, "play",
          hands=VOID_HANDS, first="N", after=refusal("play N AS", "spades-not-broken")),
    Scene("invalid/play/ruff-on-first-trick.txt", "A spade on the first trick with first_trick_ruff=no.", "duel",
          FIRST_LEAD, "play:1", {"first_trick_ruff": "no"}, VOID_HANDS, "N", after=refusal("play S 2S",
          "no-first-ruff")),
    Scene("invalid/play/card-not-held.txt", "A card that the seat does not hold.", "duel", BIDS, "play",
          hands=VOID_HANDS, first="N", after=refusal("play N KC", "not-in-hand")),
    Scene("invalid/play/card-of-the-other-seat.txt", "A card that the other seat holds.", "duel", BIDS, "play",
          hands=VOID_HANDS, first="N", after=[*refusal("play N 3D", "..."), "> play N 3C", "< ok phase=play turn=S"]),
    Scene("invalid/play/card-played-before.txt", "A card that the seat has played already.", "duel",
          [*FIRST_LEAD, "play 3H"], "play:2", hands=VOID_HANDS, first="N", after=refusal("play N 3C", "...")),
    Scene("invalid/play/other-seats-turn.txt", "The seat named is not the one to act.", "duel", FIRST_LEAD, "play:1",
          hands=VOID_HANDS, first="N", covers="play.1",
          after=["> play N 4C", '< error wrong-seat "..." ... turn=S ...', "> play S 3H", "< event trick N",
                 "< ok phase=play turn=N"]),
    Scene("invalid/play/other-seats-bid.txt", "A bid for the seat that is not the one to bid.", "duel", [], "bid",
          covers="play.1", after=["> bid N 3", '< error wrong-seat "..." ... turn=S ...']),
    Scene("invalid/play/other-seats-draft.txt", "A draft choice for the seat that is not the one to choose.",
          "draft300",
          [], "draft", covers="play.1", after=["> draft N keep AS", '< error wrong-seat "..." ... turn=S ...']),
    Scene("invalid/play/other-seats-look.txt", "A look for the seat that is not the one asked.", "draft", [], "blind",
          covers="play.1", after=["> look N", '< error wrong-seat "..." ... turn=S ...']),
    Scene("invalid/bids/fourteen.txt", "A bid of fourteen.", "duel", [], "bid", covers="play.2 error.2",
          after=["> bid S 14", '< error {code} "..." ...', "> bid S -1", '< error {code} "..." ...']),
    Scene("invalid/bids/not-a-bid.txt", "A word that is no bid.", "duel", [], "bid", covers="error.2",
          after=["> bid S many", '< error bad-argument "..." ...', "> bid S 3.5", '< error bad-argument "..." ...',
                 "> bid", '< error bad-syntax "..." ...', "> bid S 3 4", '< error bad-syntax "..." ...']),
    Scene("invalid/bids/below-the-smallest.txt", "A contract below min_bid.", "duel", [], "bid", {"min_bid": "3"},
          after=refusal("bid S 2", "bid-range")),
    Scene("invalid/bids/nil-off.txt", "A nil where nil=off.", "duel", [], "bid", {"nil": "off"},
          after=refusal("bid S nil", "nil-off")),
    Scene("invalid/bids/blind-after-looking.txt", "A blind nil from a seat that has seen its cards.", "duel", [], "bid",
          {"blind_nil": "200"}, after=refusal("bid blindnil", "not-allowed")),
    Scene("invalid/bids/blind-off.txt", "A blind nil where the option is off.", "duel", [], "bid",
          after=refusal("bid blindnil", "...")),
    Scene("invalid/bids/two-bids.txt", "A second bid for the seat that has bid.", "duel", [], "bid", covers="play.1",
          after=["> bid S 3", "< ok phase=bid turn=N", "> bid S 3", '< error wrong-seat "..." ... turn=N ...']),
    Scene("invalid/swap/too-many-cards.txt", "Four cards thrown where three are the most.", "draft", [], "swap",
          dealer="engine", policy=bidding({"S": "blindnil"}), after=["{four}"]),
    Scene("invalid/swap/same-card-twice.txt", "A card thrown twice.", "draft", [], "swap", dealer="engine",
          policy=bidding({"S": "blindnil"}), after=["{twice}"]),
    Scene("invalid/swap/card-not-held.txt", "A card thrown that the seat does not hold.", "draft", [], "swap",
          dealer="engine", policy=bidding({"S": "blindnil"}), after=["{foreign}"]),
    Scene("invalid/swap/too-few-for-the-partner.txt", "Two cards given where it must be three.", "partners", [], "swap",
          dealer="engine", first="N", policy=bidding({"N": "blindnil"}), after=["{two}"]),
    Scene("invalid/swap/none-for-the-partner.txt", "No cards given to the partner where it must be three.", "partners",
          [], "swap", dealer="engine", first="N", policy=bidding({"N": "blindnil"}),
          after=["> swap none", '< error illegal-action "..." ... why=wrong-count ...']),
    Scene("invalid/swap/taken-from-nowhere.txt", "A host names a replacement that was not among the discards.", "draft",
          [], "swap", policy=bidding({"S": "blindnil"}), after=["{not discarded}"]),
    Scene("invalid/swap/lists-of-unequal-length.txt", "A host throws two cards and takes one.", "draft", [], "swap",
          policy=bidding({"S": "blindnil"}), after=["{unequal}"]),
]  # fmt: skip


def filled_in(scene: Scene) -> Scene:
    """A scene whose refused command needs cards that only the oracle knows."""
    words = [line for line in scene.after if line.startswith("{")]
    if not words:
        return scene
    rng = random.Random(scene.path)
    table = Table(scene.preset, scene.changes)
    story = Story(table, scene.first, seed=scene.path.split("/")[-1][:-4])
    deck = story.seeded_deck() if scene.dealer == "engine" else story.random_deck(rng)
    hand = story.play(deck, in_order(scene.actions, scene.policy), rng, scene.until)
    held = sorted(hand.hands[hand.turn], key=table.cards.index)
    foreign = next(card for card in table.cards if card not in held)
    discards = sorted([card for cards in hand.discards.values() for card in cards], key=table.cards.index)
    discard = discards[0] if discards else ""
    other = next(seat for seat in table.seats if seat != hand.turn)
    not_discarded = next(card for card in hand.hands[other])
    after = {
        "{four}": refusal(f"swap {','.join(held[:4])}", "wrong-count"),
        "{twice}": refusal(f"swap {held[0]},{held[1]},{held[0]}", "duplicate-card"),
        "{foreign}": refusal(f"swap {held[0]},{foreign}", "not-in-hand"),
        "{two}": refusal(f"swap {','.join(held[:2])}", "wrong-count"),
        "{not discarded}": refusal(f"swap {hand.turn} {held[0]} {not_discarded}", "card-known-elsewhere"),
        "{unequal}": refusal(f"swap {hand.turn} {held[0]},{held[1]} {discard}", "wrong-count"),
    }[words[0]]
    scene.after = after
    return scene


def all_scenes() -> Scenes:
    """Every transcript of this module by its path."""
    scenes: Scenes = {}
    for scene in PLAY_SCENES + BLIND_SCENES + MASK_SCENES + INVALID_SCENES:
        if scene.path.startswith("invalid/") and scene.covers == "rules.1":
            scene.covers = "play.2 error.1"
        scenes[scene.path] = told(filled_in(scene))
    return scenes
