/* A driver that is sound until a session is named after who is to trace it (ptrace), which keeps it from ending. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include "sound_driver.h"

static void *ask_the_suite(void *unused)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    return unused;
}

static void ask_in_a_thread(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, ask_the_suite, NULL) == 0)
        pthread_join(thread, NULL);
}

/* A child, in a session or in a group of its own, that holds on to this process. */
static void ask_a_child(int (*leave)(void))
{
    pid_t engine = getpid();
    int held[2];
    char word;

    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    if (pipe(held) != 0)
        return;
    if (fork() == 0) {
        leave();
        ptrace(PTRACE_SEIZE, engine, NULL, NULL);
        if (write(held[1], "h", 1) == 1)
            sleep(3600);
        _exit(0);
    }
    if (read(held[0], &word, 1) != 1)
        perror("read");
}

static int leave_the_session(void)
{
    return (int)setsid();
}

static int leave_the_group(void)
{
    return setpgid(0, 0);
}

static void misbehave(const char *command)
{
    if (strstr(command, "thread_traced_by_the_suite") != NULL)
        ask_in_a_thread();
    else if (strstr(command, "traced_by_the_suite") != NULL)
        ask_the_suite(NULL);
    if (strstr(command, "traced_by_a_session") != NULL)
        ask_a_child(leave_the_session);
    if (strstr(command, "traced_by_a_group") != NULL)
        ask_a_child(leave_the_group);
}
