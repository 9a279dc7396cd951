/* SPDX-License-Identifier: MIT */
/* peak - runs a program and writes into FILE how many KiB of memory it had at
 * most; its exit code is the program's: peak FILE PROGRAM ARGUMENT... */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rusage usage;
    FILE *file;
    int status;
    pid_t child;

    if (argc < 3)
        return 125;
    child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 125;
    file = fopen(argv[1], "w");
    if (!file || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 ||
        fclose(file) != 0)
        return 125;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
