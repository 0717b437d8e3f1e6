/* A driver that is sound until a session is named after what it is to do wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_ten_gigabytes(void)
{
    static char block[1 << 20];
    FILE *file = fopen("here", "w");

    for (int i = 0; file != NULL && i < 10 * 1024; i++)
        fwrite(block, 1, sizeof block, file);
}

static void overflow_the_heap(void)
{
    char *block = malloc(8);
    volatile size_t past = 9;

    if (block != NULL)
        block[past] = 1;
    free(block);
}

static void overflow_an_integer(void)
{
    volatile int largest = 2147483647;

    largest = largest + 1;
}

static void save(const char *path)
{
    FILE *file = fopen(path, "w");

    if (file != NULL) {
        fputs("written\n", file);
        fclose(file);
    }
}

int main(void)
{
    char line[256], word[256];

    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "hello", 5) == 0) {
            puts("ok load save");
        } else {
            if (strstr(line, "writes_ten_gigabytes") != NULL)
                write_ten_gigabytes();
            if (strstr(line, "overflows_the_heap") != NULL)
                overflow_the_heap();
            if (strstr(line, "overflows_an_integer") != NULL)
                overflow_an_integer();
            if (sscanf(line, "save %255s", word) == 1)
                save(word);
            puts("ok");
        }
        fflush(stdout);
    }
    return 0;
}
