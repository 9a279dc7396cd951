/* SPDX-License-Identifier: MIT */
/*
 * plan - `unstall plan`: runs the program with UNSTALL_PLAN set, so that the
 * engine in each of its processes describes calls into a private file instead
 * of sending them, and prints that file when the program has ended.  The
 * program's own output goes to stderr: stdout is the plan's.
 */
#include "plan.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than that is not read: a program that never stops asking. */
#define PLAN_MAX_BYTES ((off_t)64 << 20)

static bool is_switched_off(void)
{
    const char *value = getenv("UNSTALL");

    return value != NULL && strcmp(value, "off") == 0;
}

/* --- the file -------------------------------------------------------------*/

static int make_file(char path[PATH_MAX])
{
    const char *dir = getenv("TMPDIR");

    snprintf(path, PATH_MAX, "%.3000s/unstall-plan-XXXXXX",
             dir && *dir == '/' ? dir : "/tmp");
    return mkostemp(path, O_CLOEXEC);
}

/* All of it with a NUL behind it; NULL: it cannot be read. */
static char *read_file(int fd)
{
    struct stat st;
    char *text;
    size_t size, got = 0;
    ssize_t n = 1;

    if (fstat(fd, &st) != 0 || st.st_size > PLAN_MAX_BYTES)
        return NULL;
    size = (size_t)st.st_size;
    text = malloc(size + 1);
    while (text && got < size && n > 0) {
        n = pread(fd, text + got, size - got, (off_t)got);
        got += n > 0 ? (size_t)n : 0;
    }
    if (text)
        text[got] = '\0';
    return text;
}

/* A line that is none, cut by a full disk, is left out. */
static cJSON *parse_lines(const char *text)
{
    cJSON *list = cJSON_CreateArray();

    while (text && *text != '\0') {
        const char *end = NULL;
        cJSON *facts = cJSON_ParseWithOpts(text, &end, false);

        if (cJSON_IsObject(facts))
            cJSON_AddItemToArray(list, facts);
        else
            cJSON_Delete(facts);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return list;
}

/* --- the program ----------------------------------------------------------*/

/* As a shell's: the keyboard's signals are for the program alone. */
static int wait_for(pid_t pid)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before[2];
    int status = 0;

    sigaction(SIGINT, &ignore, &before[0]);
    sigaction(SIGQUIT, &ignore, &before[1]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGQUIT, &before[1], NULL);
    return status;
}

static bool run_program(char **argv, int *ret_status)
{
    pid_t pid = fork();

    if (pid < 0) {
        fprintf(stderr, "unstall plan: cannot start a process: %s\n",
                strerror(errno));
        return false;
    }
    if (pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        _exit(uns_run_become(argv));
    }
    *ret_status = wait_for(pid);
    return true;
}

/* --- the answer -----------------------------------------------------------*/

static void print_json(const cJSON *list)
{
    char *text = cJSON_Print(list);

    puts(text ? text : "[]");
    cJSON_free(text);
}

static void print_people(const cJSON *list)
{
    struct uns_term term = uns_term_stdout();
    const cJSON *facts;

    cJSON_ArrayForEach(facts, list)
    {
        uns_plan_print(facts, &term);
        putchar('\n');
    }
}

static int count_calls(const cJSON *list)
{
    const cJSON *facts;
    int calls = 0;

    cJSON_ArrayForEach(facts, list)
    {
        calls += cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(facts, "llm"));
    }
    return calls;
}

static void sum_up(const cJSON *list, const char *program, int status)
{
    int calls = count_calls(list);
    int others = cJSON_GetArraySize(list) - calls;

    fprintf(stderr, "unstall plan: %d LLM call%s described and not sent", calls,
            calls == 1 ? "" : "s");
    if (others > 0)
        fprintf(stderr, ", %d other transfer%s sent", others,
                others == 1 ? "" : "s");
    if (WIFSIGNALED(status))
        fprintf(stderr, "; %s died of signal %d\n", program, WTERMSIG(status));
    else
        fprintf(stderr, "; %s ended with %d\n", program, WEXITSTATUS(status));
    if (calls == 0)
        fprintf(stderr,
                "unstall plan: 'unstall doctor %s' tells whether its calls "
                "can be seen\n",
                program);
}

static int report(int fd, const struct uns_run *run, const char *program,
                  int status)
{
    char *text = read_file(fd);
    cJSON *list = text ? parse_lines(text) : NULL;
    bool some = list && count_calls(list) > 0;

    if (!list) {
        fputs("unstall plan: the descriptions cannot be read\n", stderr);
        free(text);
        return UNS_EXIT_FAILED;
    }
    (run->common.json ? print_json : print_people)(list);
    fflush(stdout);
    if (!run->quiet)
        sum_up(list, program, status);
    cJSON_Delete(list);
    free(text);
    return some ? UNS_EXIT_OK : UNS_EXIT_FAILED;
}

static int plan(const struct uns_run *run, char **argv)
{
    char path[PATH_MAX];
    int fd = make_file(path);
    int status = 0;
    int code = UNS_EXIT_FAILED;

    if (fd < 0) {
        fprintf(stderr, "unstall plan: %s: %s\n", path, strerror(errno));
        return UNS_EXIT_FAILED;
    }
    if (setenv("UNSTALL_PLAN", path, 1) == 0 && run_program(argv, &status))
        code = report(fd, run, argv[0], status);
    unlink(path);
    close(fd);
    return code;
}

int uns_cmd_plan(int argc, char **argv)
{
    struct uns_run run = {.unsent = true};
    struct uns_usage usage = uns_run_usage;
    int code;

    usage.command = "plan";
    usage.example = "unstall plan --after 3 -- php ask.php";
    usage.about =
        "Runs PROGRAM as 'unstall run' would, but describes each of its LLM "
        "calls instead of sending it; to PROGRAM nobody listens there (curl's "
        "exit code 7). Other transfers are sent. What PROGRAM prints goes to "
        "stderr. Exit code: 0 when a call was described, 1 when none was, 2 "
        "for a mistake in the options or the configuration.";
    if (is_switched_off())
        return uns_args_fail("plan", "UNSTALL=off: the program's calls would "
                                     "be sent; unset it");
    if (uns_run_prepare(&usage, &run, argc, argv, &code) <= 0)
        return code;
    return plan(&run, argv + 1);
}
