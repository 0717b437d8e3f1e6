/* The least a suite could do for one case: a folder, a process, a greeting, its answer, and the folder removed.
 *
 * Usage: bare_spawn TIMES COMMAND [ARG...]   Prints the seconds that TIMES rounds took.
 */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

extern char **environ;

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void one_round(const char *folder, char **command)
{
    static const char greeting[] = "hello 1\n";
    char answer[65536];
    int to_driver[2], from_driver[2], status;
    pid_t driver;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    if (mkdir(folder, 0700) != 0)
        die(folder);
    if (pipe2(to_driver, O_CLOEXEC) != 0 || pipe2(from_driver, O_CLOEXEC) != 0)
        die("pipe2");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to_driver[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from_driver[1], STDOUT_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (posix_spawn(&driver, command[0], &actions, &attributes, command, environ) != 0)
        die(command[0]);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(to_driver[0]);
    close(from_driver[1]);
    if (write(to_driver[1], greeting, sizeof greeting - 1) != (ssize_t)sizeof greeting - 1)
        die("write");
    close(to_driver[1]);
    while (read(from_driver[0], answer, sizeof answer) > 0)
        continue;
    close(from_driver[0]);
    if (waitpid(driver, &status, 0) != driver || status != 0)
        die("the driver did not end with exit status 0");
    if (rmdir(folder) != 0)
        die(folder);
}

int main(int argc, char **argv)
{
    char root[4096], folder[sizeof root + 2];
    const char *temporary = getenv("TMPDIR");
    long times = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
    double start;

    if (times < 1) {
        fprintf(stderr, "usage: bare_spawn TIMES COMMAND [ARG...]\n");
        return 2;
    }
    snprintf(root, sizeof root, "%s/bare_spawn_XXXXXX", temporary ? temporary : "/tmp");
    if (mkdtemp(root) == NULL)
        die(root);
    snprintf(folder, sizeof folder, "%s/1", root);
    start = now();
    for (long i = 0; i < times; i++)
        one_round(folder, argv + 2);
    printf("%.6f\n", now() - start);
    return rmdir(root) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
