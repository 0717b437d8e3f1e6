/* A driver that is sound until a session is named after what it is to do wrong. */
#include <stdlib.h>

#include "sound_driver.h"

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

static void misbehave(const char *command)
{
    if (strstr(command, "writes_ten_gigabytes") != NULL)
        write_ten_gigabytes();
    if (strstr(command, "overflows_the_heap") != NULL)
        overflow_the_heap();
    if (strstr(command, "overflows_an_integer") != NULL)
        overflow_an_integer();
}
