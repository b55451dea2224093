/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a program and stops it, with all processes that it has begun, just before the N-th call of
 * the system that changes files:
 *
 *     stop_at [-n N] [-f N] [-x] [-c FILE] PROGRAM [ARGUMENT]...
 *
 * -n N     kill before call N; 0 or none: let it end
 * -f N     no space is left on the disk from write N on: nothing is written, no folder or link made
 * -x       the file system cannot exchange two folders
 * -c FILE  writes the number of calls, and of writes among them
 *
 * Ends with the status of the program, 137 when it was killed, 77 where this cannot be done.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    CANNOT = 77
};

#ifndef __x86_64__

int
main(void)
{
    return CANNOT;
}

#else

static const int calls[] = {
    SYS_open,      SYS_openat,          SYS_creat,    SYS_write,  SYS_pwrite64,  SYS_writev,
    SYS_pwritev,   SYS_rename,          SYS_renameat, SYS_link,   SYS_linkat,    SYS_symlink,
    SYS_symlinkat, SYS_unlink,          SYS_unlinkat, SYS_rmdir,  SYS_mkdir,     SYS_mkdirat,
    SYS_truncate,  SYS_ftruncate,       SYS_fsync,    SYS_syncfs, SYS_fdatasync, SYS_renameat2,
    SYS_sendfile,  SYS_copy_file_range,
};

static int
is_write(long call)
{
    return call == SYS_write || call == SYS_pwrite64 || call == SYS_writev || call == SYS_pwritev ||
           call == SYS_sendfile || call == SYS_copy_file_range;
}

static int
needs_space(long call)
{
    return is_write(call) || call == SYS_mkdir || call == SYS_mkdirat || call == SYS_link ||
           call == SYS_linkat || call == SYS_symlink || call == SYS_symlinkat;
}

/* Whether a number stands for a file on a disk. */
static int
is_file(pid_t process, unsigned long long number)
{
    char name[64];
    struct stat status;
    snprintf(name, sizeof(name), "/proc/%d/fd/%llu", (int)process, number);
    return number > STDERR_FILENO && stat(name, &status) == 0 && S_ISREG(status.st_mode);
}

static int
changes_files(pid_t process, const struct user_regs_struct* registers)
{
    switch (registers->orig_rax)
    {
    case SYS_open:
        return (registers->rsi & O_CREAT) != 0;
    case SYS_openat:
        return (registers->rdx & O_CREAT) != 0;
    case SYS_copy_file_range:
        return is_file(process, registers->rdx);
    default:
        return !is_write((long)registers->orig_rax) || is_file(process, registers->rdi);
    }
}

/* Lets the calls above come to the process that traces this one. */
static int
ask_for_calls(void)
{
    enum
    {
        COUNT = sizeof(calls) / sizeof(calls[0])
    };

    struct sock_filter filter[COUNT + 3];
    const struct sock_fprog program = {COUNT + 3, filter};
    filter[0] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < COUNT; ++i)
    {
        filter[i + 1] = (struct sock_filter)
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], (unsigned char)(COUNT - i), 0);
    }
    filter[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Ends all that a process has begun, and waits for that. The program begins few processes. */
static void
end_all(const pid_t* known, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
    {
        kill(known[i], SIGKILL);
    }
    while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
    {
    }
}

static void
refuse(pid_t process, struct user_regs_struct* registers, int error)
{
    registers->orig_rax = (unsigned long long)-1;
    registers->rax = (unsigned long long)-error;
    ptrace(PTRACE_SETREGS, process, 0, registers);
}

int
main(int argc, char** argv)
{
    long last = 0;
    long full = 0;
    int exchanges = 1;
    const char* file = NULL;
    for (int option = 0; (option = getopt(argc, argv, "+n:f:xc:")) != -1;)
    {
        last = option == 'n' ? atol(optarg) : last;
        full = option == 'f' ? atol(optarg) : full;
        exchanges = option == 'x' ? 0 : exchanges;
        file = option == 'c' ? optarg : file;
    }
    const pid_t program = fork();
    if (program == 0)
    {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
        {
            _exit(CANNOT);
        }
        raise(SIGSTOP);
        if (ask_for_calls())
        {
            execvp(argv[optind], argv + optind);
        }
        _exit(CANNOT);
    }
    int status = 0;
    waitpid(program, &status, 0);
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
    if (!WIFSTOPPED(status) || ptrace(PTRACE_SETOPTIONS, program, 0, options) != 0)
    {
        return CANNOT;
    }
    ptrace(PTRACE_CONT, program, 0, 0);
    long count = 0;
    long writes = 0;
    int ended = 0;
    pid_t known[1024];
    unsigned processes = 0;
    for (pid_t process = 0; (process = waitpid(-1, &status, __WALL)) > 0;)
    {
        if (!WIFSTOPPED(status))
        {
            ended = process == program ? status : ended;
            continue;
        }
        int signal = WSTOPSIG(status);
        if (signal == SIGSTOP && processes < sizeof(known) / sizeof(known[0]))
        {
            known[processes++] = process; /* it begins */
        }
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
        {
            struct user_regs_struct registers;
            ptrace(PTRACE_GETREGS, process, 0, &registers);
            const long call = (long)registers.orig_rax;
            const int changes = changes_files(process, &registers);
            count += changes;
            writes += changes && is_write(call);
            if (changes && last > 0 && count == last)
            {
                kill(program, SIGKILL);
                end_all(known, processes);
                return 128 + SIGKILL;
            }
            if (changes && full > 0 && writes >= full && needs_space(call))
            {
                refuse(process, &registers, ENOSPC);
            }
            if (call == SYS_renameat2 && !exchanges)
            {
                refuse(process, &registers, EINVAL);
            }
        }
        /* Of stops only signals go on to the program; a new process begins with SIGSTOP. */
        signal = status >> 16 != 0 || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
        ptrace(PTRACE_CONT, process, 0, signal);
    }
    FILE* counts = file ? fopen(file, "w") : NULL;
    if (counts)
    {
        fprintf(counts, "%ld %ld\n", count, writes);
        fclose(counts);
    }
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}

#endif
