/* Plays one whole game of Spades against an engine that speaks USP: this program decides for seat S, the engine for
 * every other seat. Copy it and put your own ideas into choose().
 *
 *     cc -Wall -Wextra -std=c11 -o play play.c
 *     ./play [--rules draft] [--options "target=60 hand_cap=2"] [--movetime 200] [--timeout 20] [ENGINE ARG ...]
 *
 * ENGINE is spades-engine unless given; movetime is in milliseconds, timeout in seconds per reply. Needs a POSIX
 * system and no libraries. The exit code is 0 after a whole game and 1 after anything else.
 *
 * Read first, in SPEC.md: sections 10 and 11 (lines, replies, ids), 12 (phases), 9 (what events say), 16 and 17 (the
 * commands), and the end of 21 (a table with a view: who plays the other seats). */
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

enum { LONGEST = 65535, WORDS = 64, ACTIONS = 64 };
#define SEAT "S"

static pid_t engine;
static int to_engine, from_engine;
static long timeout_ms = 20000;

/* What the last command brought, and what the events have told so far. */
static char *word[WORDS + 1];       /* of the last line; a quoted word keeps its first quote, so that no key matches it */
static char phase[16], turn[8];     /* of the last `ok` */
static char action[512];            /* of the last `best` */
static char legal[ACTIONS][64];     /* of the last `legal`; a player may well consider only the first of very many */
static int legal_count;
static char hand[13][3], drawn[3];  /* own cards before the first trick, card looked at in the draft */
static char trick[4][3];            /* cards of the trick on the table */
static int hand_size, trick_size, bid, won;

static long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000L + t.tv_nsec / 1000000L;
}

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
        dup2(in[0], STDIN_FILENO), dup2(out[1], STDOUT_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    to_engine = in[1], from_engine = out[0];
    signal(SIGPIPE, SIG_IGN); /* writing to an engine that has gone is an error, not a signal */
}

/* The next line without its LF, or NULL at the end of the output; it is good until the next call. */
static char *read_line(long deadline) {
    static char buffer[LONGEST + 1];
    static size_t begin, end;
    for (;;) {
        char *line = buffer + begin, *lf = memchr(line, '\n', end - begin);
        if (lf) {
            *lf = '\0', begin = (size_t)(lf + 1 - buffer);
            return line;
        }
        memmove(buffer, line, end -= begin), begin = 0;
        if (end == sizeof buffer) fail("the engine wrote a line that is too long");
        struct pollfd ready = {.fd = from_engine, .events = POLLIN};
        long left = deadline - now_ms();
        if (left <= 0 || poll(&ready, 1, (int)left) == 0) fail("the engine did not answer in time");
        ssize_t got = read(from_engine, buffer + end, sizeof buffer - end);
        if (got == 0) return NULL;
        if (got > 0) end += (size_t)got;
        else if (errno != EINTR) fail("cannot read: %s", strerror(errno));
    }
}

/* Splits a line in place into word[]: bare, "quoted", key=value and key="value" (SPEC 10). */
static void split(char *line) {
    int count = 0;
    for (char *to = line; count < WORDS;) {
        while (*line == ' ' || *line == '\t') line++;
        if (!*line) break;
        int quoted = 0;
        for (word[count++] = to = line; *line && (quoted || (*line != ' ' && *line != '\t')); line++) {
            if (*line == '"') quoted = !quoted;
            if (*line == '"' && line != word[count - 1]) continue;
            if (quoted && *line == '\\' && line[1]) line++;
            *to++ = *line;
        }
        if (*line) line++;
        *to = '\0';
    }
    word[count] = NULL;
}

/* The value of a key of the last line, wherever it stands; "" if there is none. */
static const char *value(const char *key) {
    size_t length = strlen(key);
    for (char **w = word; *w; w++)
        if (!strncmp(*w, key, length) && (*w)[length] == '=') return *w + length + 1;
    return "";
}

static void add_cards(const char *list) { /* AS,KD,7C; a list of other seats' cards never comes here */
    for (; strlen(list) >= 2 && hand_size < 13; list += list[2] ? 3 : 2) snprintf(hand[hand_size++], 3, "%.2s", list);
}

static void on_event(void) {
    const char *what = word[1] ? word[1] : "", *seat = *what && word[2] ? word[2] : "";
    const char *detail = *seat && word[3] ? word[3] : "";
    int own = !strcmp(seat, SEAT);
    if (!strcmp(what, "deal")) {
        hand_size = trick_size = won = bid = 0;
        printf("hand %s\n", seat); /* of this line the second word is the number of the hand */
        add_cards(value("hand." SEAT));
    } else if (!strcmp(what, "look") && own) {
        add_cards(detail);
    } else if (!strcmp(what, "draft") && own) {
        const char *card = *detail && word[4] ? word[4] : "";
        if (!strcmp(detail, "draw")) snprintf(drawn, sizeof drawn, "%s", card);
        else add_cards(!strcmp(detail, "keep") ? drawn : card);
    } else if (!strcmp(what, "bid")) {
        if (own) bid = atoi(detail); /* nil is none */
        printf("  %s bids %s\n", seat, detail);
    } else if (!strcmp(what, "play")) {
        if (trick_size < 4) snprintf(trick[trick_size++], 3, "%s", detail);
        printf("%s%s %s", trick_size == 1 ? "  " : ", ", seat, detail);
    } else if (!strcmp(what, "trick")) {
        trick_size = 0, won += own;
        printf(": %s wins\n", seat);
    } else if (!strcmp(what, "score")) {
        printf("  totals:");
        for (char **w = word; *w; w++)
            if (!strncmp(*w, "total.", 6)) printf(" %s", *w + 6);
        printf("\n");
    } else if (!strcmp(what, "end")) {
        printf("winner: %s (%s)\n", value("winner"), value("reason"));
    }
}

/* Sends a command and reads, not for ever, until its final reply; other lines are used or ignored as they come. */
static void ask(long thinking, const char *format, ...) {
    static int id;
    char command[2048], line[2080], *reply;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(command, sizeof command, format, args);
    va_end(args);
    if (length >= (int)sizeof command) fail("a command is too long");
    length = snprintf(line, sizeof line, "#%d %s\n", ++id, command);
    if (write(to_engine, line, (size_t)length) != length) fail("\"%s\": the engine has ended", command);
    char own_id[16];
    snprintf(own_id, sizeof own_id, "#%d ", id);
    long deadline = now_ms() + timeout_ms + thinking;
    while ((reply = read_line(deadline))) {
        if (strncmp(reply, own_id, strlen(own_id))) continue; /* not about this command */
        char *text = reply + strlen(own_id);
        if (!strncmp(text, "error ", 6)) fail("\"%s\": %s", command, text);
        split(text);
        const char *first = word[0] ? word[0] : "";
        if (!strcmp(first, "event")) on_event();
        if (!strcmp(first, "legal") && legal_count < ACTIONS && word[1])
            snprintf(legal[legal_count++], sizeof legal[0], "%s%s%s", word[1], word[2] ? " " : "", word[2] ? word[2] : "");
        if (!strcmp(first, "best"))
            for (char **w = word + (*action = 0) + 1; *w && !strchr(*w, '='); w++)
                snprintf(action + strlen(action), sizeof action - strlen(action), "%s%s", *action ? " " : "", *w);
        if (!strcmp(first, "best") || !strcmp(first, "ok")) return;
    }
    fail("\"%s\": the engine has ended", command);
}
