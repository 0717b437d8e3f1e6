/* A driver that is sound but for what `misbehave` does, which is shown each command before it is answered. */
#include <stdio.h>
#include <string.h>

static void misbehave(const char *command);

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
            misbehave(line);
            if (sscanf(line, "save %255s", word) == 1)
                save(word);
            puts("ok");
        }
        fflush(stdout);
    }
    return 0;
}
