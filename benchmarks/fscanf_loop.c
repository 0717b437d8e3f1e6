/* The loop of the old reader and nothing else: the time in which a history can be read at all. */
#include <stdio.h>

int main(int n_arguments, char **arguments)
{
    FILE *file = n_arguments == 2 ? fopen(arguments[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: fscanf_loop FILE\n");
        return 2;
    }
    int l, e;
    unsigned c;
    unsigned long long total = 0;
    while (fscanf(file, "%d %d %u", &l, &e, &c) == 3)
        if (l >= 0)
            total += c;
    printf("%llu\n", total);
    return 0;
}
