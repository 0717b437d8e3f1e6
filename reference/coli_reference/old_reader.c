/* The old loop, as binaries already shipped run it: what does such a binary make of these bytes?
 *
 *   old_reader FILE...     prints every record the loop reads, headers included; after `# FILE` when there
 * are several old_reader --batch     reads frames from standard input, each a length (4 bytes, little-endian)
 * and that many bytes; after the records of each stands a line `.`
 *
 * Plain C11 and stdio, so that it builds against every C library whose scanf is worth asking.
 */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

/* Literal, overflow and all: what it does with numbers that do not fit is the C library's own affair, and the
 * question. */
static void print_records(FILE *f)
{
    int l, e;
    unsigned c;
    while (fscanf(f, "%d %d %u", &l, &e, &c) == 3)
        printf("%d %d %u\n", l, e, c);
}

static int print_files(int n_paths, char **paths)
{
    int status = EXIT_SUCCESS;
    for (int i = 0; i < n_paths; i++) {
        FILE *file = fopen(paths[i], "r");
        if (!file) {
            perror(paths[i]);
            status = EXIT_FAILURE;
            continue;
        }
        if (n_paths > 1)
            printf("# %s\n", paths[i]);
        print_records(file);
        fclose(file);
    }
    return status;
}

/* A stream over the bytes that behaves as a file opened with "r" does; NULL: there is none to be had. */
static FILE *stream_over(char *bytes, size_t length)
{
#if defined(_WIN32)
    FILE *file = tmpfile(); /* binary; reading goes through text mode, as the old reader's did */
    if (file && (fwrite(bytes, 1, length, file) != length || fflush(file) != 0)) {
        fclose(file);
        return NULL;
    }
    if (file) {
        rewind(file);
        _setmode(_fileno(file), _O_TEXT);
    }
    return file;
#else
    return fmemopen(bytes, length, "r");
#endif
}

static int print_frames(void)
{
    unsigned char head[4];
    char *bytes = NULL;
    size_t room = 0;
    size_t got;
    while ((got = fread(head, 1, sizeof head, stdin)) == sizeof head) {
        size_t length =
            (size_t)head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
        if (length > room) {
            free(bytes);
            room = length;
            bytes = malloc(room);
        }
        if (length > 0 && (!bytes || fread(bytes, 1, length, stdin) != length)) {
            fprintf(stderr, "old_reader: a frame of %lu bytes cannot be read\n", (unsigned long)length);
            break;
        }
        FILE *file = length > 0 ? stream_over(bytes, length) : NULL;
        if (length > 0 && !file) {
            perror("old_reader: cannot make a stream over a frame");
            break;
        }
        if (file) {
            print_records(file);
            fclose(file);
        }
        printf(".\n");
        fflush(stdout);
    }
    free(bytes);
    if (got == 0)
        return EXIT_SUCCESS;
    if (got < sizeof head)
        fprintf(stderr, "old_reader: the last frame has %lu of 4 length bytes\n", (unsigned long)got);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
#if defined(_WIN32)
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    if (argc < 2) {
        fprintf(stderr, "usage: old_reader FILE... | old_reader --batch\n");
        return 2;
    }
    int status =
        strcmp(argv[1], "--batch") == 0 && argc == 2 ? print_frames() : print_files(argc - 1, argv + 1);
    return fflush(stdout) == 0 ? status : EXIT_FAILURE;
}
