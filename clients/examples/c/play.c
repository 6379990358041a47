/* Plays one whole game of Spades against an engine that speaks USP: this program decides for seat S, the engine for
 * every other seat. Copy it and put your own ideas into choose().
 *
 *     cc -Wall -Wextra -std=c11 -o play play.c
 *     ./play [--rules draft] [--options "target=60 hand_cap=2"] [--movetime 200] [--timeout 20] [ENGINE ARG ...]
 *
 * ENGINE is spades-engine unless given; movetime is in milliseconds, timeout in seconds per reply. Needs a POSIX
 * system and no libraries. The exit code is 0 after a whole game and 1 after anything else.
 *
 * Read first, in SPEC.md: sections 10 and 11 (lines, replies, ids), 12 (phases), 9 (what events say), 16 to 18 (the
 * commands used here), and the end of 21 (a table with a view: who plays the other seats). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEAT "S"
enum { LONGEST = 65535, WORDS = 64, ACTIONS = 64, TEXT = 256 };

static pid_t engine;
static int to_engine, from_engine;
static long timeout_ms = 20000;

static char *word[WORDS + 1];                  /* the words of the line read last */
static char legal[ACTIONS][TEXT];              /* what `legal` said; of very many actions the first will do */
static char answer[TEXT];                      /* what `go` said */
static char trick[4][3], drawn[3];             /* cards of the trick on the table; card looked at in the draft */
static int legal_count, trick_size;
static int high, spades, bid, won;             /* own aces and kings, spades, contract, tricks */

static void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fflush(stdout);
    fputs("play: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    if (engine > 0) kill(engine, SIGKILL);
    exit(1);
}

static void start(char **command) {
    int in[2], out[2];
    if (pipe(in) || pipe(out) || (engine = fork()) < 0) fail("cannot start a process: %s", strerror(errno));
    if (engine == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    to_engine = in[1], from_engine = out[0];
    signal(SIGPIPE, SIG_IGN); /* writing to an engine that has gone shall fail, not end this program */
}

static long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000L + t.tv_nsec / 1000000L;
}

/* The next line without its LF, good until the next call; NULL at the end of the output. */
static char *read_line(long deadline) {
    static char buffer[LONGEST + 1];
    static size_t begin, end;
    for (;;) {
        char *line = buffer + begin, *lf = memchr(line, '\n', end - begin);
        if (lf) {
            *lf = '\0';
            begin = (size_t)(lf + 1 - buffer);
            return line;
        }
        end -= begin, begin = 0;
        memmove(buffer, line, end);
        if (end == sizeof buffer) fail("the engine wrote a line that is too long");
        struct pollfd input = {.fd = from_engine, .events = POLLIN};
        long left = deadline - now_ms();
        int ready = left > 0 ? poll(&input, 1, (int)left) : 0;
        if (ready == 0) fail("the engine did not answer in time");
        if (ready < 0) continue; /* a signal came */
        ssize_t got = read(from_engine, buffer + end, sizeof buffer - end);
        if (got <= 0) return NULL;
        end += (size_t)got;
    }
}

/* Splits a line in place into bare words, "quoted" ones and pairs. A quoted word keeps its first quote, so that it is
 * not taken for a pair; the quotes around the value of a pair go. */
static void split(char *from) {
    int count = 0;
    while (*(from += strspn(from, " \t")) && count < WORDS) {
        char *to = word[count++] = from;
        int quoted = 0;
        for (; *from && (quoted || !strchr(" \t", *from)); from++) {
            if (*from == '"') quoted = !quoted;
            if (*from == '"' && from > word[count - 1]) continue;
            if (*from == '\\' && quoted && from[1]) from++;
            *to++ = *from;
        }
        if (*from) from++;
        *to = '\0';
    }
    word[count] = NULL;
}

static const char *nth(int n) { /* "" where the line is shorter */
    for (int i = 0; i <= n; i++)
        if (!word[i]) return "";
    return word[n];
}

static const char *value(const char *key) { /* wherever in the line the pair stands */
    size_t length = strlen(key);
    for (char **w = word; *w; w++)
        if (!strncmp(*w, key, length) && (*w)[length] == '=') return *w + length + 1;
    return "";
}

static void copy_action(char *to) { /* the words after the first, up to the first pair */
    *to = '\0';
    for (char **w = word + 1; *w && !strchr(*w, '='); w++)
        snprintf(to + strlen(to), TEXT - strlen(to), "%s%s", *to ? " " : "", *w);
}

static void count_cards(const char *list) {
    for (; strlen(list) >= 2; list += list[2] ? 3 : 2) {
        if (list[1] == 'S') spades++;
        if (strchr("AK", list[0])) high++;
    }
}

static void on_event(void) {
    const char *what = nth(1), *seat = nth(2), *detail = nth(3);
    int own = !strcmp(seat, SEAT);
    if (!strcmp(what, "deal")) {
        trick_size = high = spades = bid = won = 0;
        count_cards(value("hand." SEAT));
        printf("hand %s\n", nth(2)); /* its number */
    } else if (!strcmp(what, "look") && own) {
        count_cards(detail); /* none in a drafted game */
    } else if (!strcmp(what, "draft") && own) {
        if (!strcmp(detail, "draw")) snprintf(drawn, sizeof drawn, "%s", nth(4));
        else count_cards(!strcmp(detail, "keep") ? drawn : nth(4));
    } else if (!strcmp(what, "bid")) {
        if (own) bid = atoi(detail); /* 0 for a nil */
        printf("  %s bids %s\n", seat, detail);
    } else if (!strcmp(what, "play")) {
        printf("%s%s %s", trick_size ? ", " : "  ", seat, detail);
        if (trick_size < 4) snprintf(trick[trick_size++], sizeof trick[0], "%s", detail);
    } else if (!strcmp(what, "trick")) {
        printf(": %s wins\n", seat);
        trick_size = 0, won += own;
    } else if (!strcmp(what, "score")) {
        printf("  totals:");
        for (char **w = word; *w; w++)
            if (!strncmp(*w, "total.", 6)) printf(" %s", *w + 6);
        printf("\n");
    } else if (!strcmp(what, "end")) {
        printf("winner: %s (%s)\n", value("winner"), value("reason"));
    }
}

/* Sends a command and reads, not for ever, up to its final reply; lines that nobody here knows are ignored. */
static void ask(const char *command, long thinking) {
    static int last_id;
    char line[2048], id[16];
    int id_length = snprintf(id, sizeof id, "#%d ", ++last_id);
    int length = snprintf(line, sizeof line, "%s%s\n", id, command);
    if (length >= (int)sizeof line) fail("a command is too long");
    if (write(to_engine, line, (size_t)length) != length) fail("\"%s\": the engine has ended", command);
    long deadline = now_ms() + timeout_ms + thinking;
    for (char *reply; (reply = read_line(deadline));) {
        if (strncmp(reply, id, (size_t)id_length)) continue; /* not about this command */
        reply += id_length;
        if (!strncmp(reply, "error ", 6)) fail("\"%s\": %s", command, reply);
        split(reply);
        if (!strcmp(nth(0), "event")) on_event();
        if (!strcmp(nth(0), "legal") && legal_count < ACTIONS) copy_action(legal[legal_count++]);
        if (!strcmp(nth(0), "best")) copy_action(answer);
        if (!strcmp(nth(0), "best") || !strcmp(nth(0), "ok")) return;
    }
    fail("\"%s\": the engine has ended", command);
}

static int rank(const char *card) {
    static const char ranks[] = "23456789TJQKA";
    const char *at = strchr(ranks, card[0]);
    return at ? (int)(at - ranks) : -1;
}
static int strength(const char *card) { return rank(card) + (card[1] == 'S' ? 13 : 0); }
static int beats(const char *card, const char *other) {
    return card[1] == other[1] ? rank(card) > rank(other) : card[1] == 'S';
}

/* The idea of this player: keep high cards and spades, bid aces, kings and long spades, take tricks until the bid is
 * made. A card wins as cheaply as it can, or is the highest that does not win; a lead is the highest or the lowest. */
static const char *choose(const char *phase) {
    const char *top = NULL, *best = NULL;
    int wanted = won < bid, count = high + (spades > 3 ? spades - 3 : 0);
    if (!strcmp(phase, "draft")) return strchr("TJQKA", drawn[0]) || drawn[1] == 'S' ? "draft keep" : "draft pass";
    if (!strcmp(phase, "bid")) {
        for (int i = 0; i < legal_count; i++)
            if (atoi(legal[i] + strlen("bid ")) >= (count > 1 ? count : 1)) return legal[i];
    } else if (!strcmp(phase, "play")) {
        for (int i = 0; i < trick_size; i++)
            if (!top || beats(trick[i], top)) top = trick[i];
        for (int i = 0, best_score = -1000; i < legal_count; i++) {
            const char *card = legal[i] + strlen("play ");
            int fits = top && beats(card, top) == wanted, up = top ? fits && !wanted : wanted;
            int score = (fits ? 100 : 0) + (up ? strength(card) : -strength(card));
            if (score > best_score) best_score = score, best = legal[i];
        }
        return best;
    }
    return legal[0]; /* blind: look; swap: give the partner whatever comes first */
}

int main(int count, char **words) {
    const char *rules = "draft", *options = "", *movetime = "200";
    char command[1024], phase[TEXT] = "", turn[TEXT] = "";
    int i = 1;
    for (; i < count && !strncmp(words[i], "--", 2); i += 2) {
        if (i + 1 == count) fail("%s: no value", words[i]);
        if (!strcmp(words[i], "--rules")) rules = words[i + 1];
        else if (!strcmp(words[i], "--options")) options = words[i + 1];
        else if (!strcmp(words[i], "--movetime")) movetime = words[i + 1];
        else if (!strcmp(words[i], "--timeout")) timeout_ms = 1000 * atol(words[i + 1]);
        else fail("%s: no such option", words[i]);
    }
    start(i < count ? words + i : (char *[]){"spades-engine", NULL});

    ask("usp 1", 0);
    snprintf(command, sizeof command, ",%s,", value("levels"));
    if (!strstr(command, ",table,")) fail("the engine cannot run a table");
    snprintf(command, sizeof command, "newgame rules=%s dealer=engine view=" SEAT " %s", rules, options);
    for (const char *next = command;;) {
        ask(next, 0);
        snprintf(phase, sizeof phase, "%s", value("phase"));
        snprintf(turn, sizeof turn, "%s", value("turn"));
        if (!strcmp(phase, "over")) break;
        if (!strcmp(phase, "deal")) {
            next = "deal";
        } else if (!strcmp(turn, SEAT)) {
            legal_count = 0;
            ask("legal", 0);
            if (!legal_count) fail("nothing is legal in phase %s", phase);
            next = choose(phase);
        } else if (*turn) {
            snprintf(command, sizeof command, "go movetime=%s", movetime);
            ask(command, atol(movetime));
            next = answer;
        } else {
            fail("nobody can act in phase %s", phase);
        }
    }
    ask("quit", 0);
    close(to_engine);
    while (read_line(now_ms() + timeout_ms)) continue; /* until it has closed its output */
    kill(engine, SIGKILL);                             /* no more than a precaution */
    waitpid(engine, NULL, 0);
    return 0;
}
