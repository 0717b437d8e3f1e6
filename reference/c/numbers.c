/* Decimal numbers in text: integers within a range, and gates the same in every locale. */
#include "coli.h"

#include <locale.h>
#include <stdlib.h>

/* Reads digits, after a minus where the range has negative numbers, and moves *text past them. False when
 * there is no digit or the number is outside the range: it is never turned into another number (R21). */
bool integer_read(const char **text, const char *end, int64_t lowest, int64_t highest, int64_t *value)
{
    const char *at = *text;
    bool negative = lowest < 0 && at < end && *at == '-';
    if (negative)
        at++;
    const char *first_digit = at;
    int64_t magnitude = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (magnitude > (INT64_MAX - 9) / 10)
            return false;
        magnitude = magnitude * 10 + (*at - '0');
    }
    int64_t number = negative ? -magnitude : magnitude;
    if (at == first_digit || number < lowest || number > highest)
        return false;
    *text = at;
    *value = number;
    return true;
}

/* The C locale's numbers, for the moments in which a gate is read or printed (T09). Where the platform has
 * none to give, the process's own locale stays. */
static locale_t plain_numbers(void)
{
    static locale_t plain;
    if (!plain)
        plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return plain;
}

bool gate_read(const char *text, float *gate)
{
    char *end;
    locale_t before = uselocale(plain_numbers());
    *gate = strtof(text, &end);
    uselocale(before);
    return end != text && *end == '\0';
}

void gate_print(FILE *file, float gate)
{
    locale_t before = uselocale(plain_numbers());
    fprintf(file, "%.4f", (double)gate);
    uselocale(before);
}
