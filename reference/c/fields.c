/* The fields of a command line, one blank or more apart. */
#include "coli.h"

#include <string.h>

/* The next field of a command, or NULL; `*rest` moves past it. */
char *field_next(char **rest)
{
    char *field = *rest + strspn(*rest, " ");
    size_t length = strcspn(field, " ");
    *rest = field + length;
    if (length == 0)
        return NULL;
    if (**rest)
        *(*rest)++ = '\0';
    return field;
}

bool fields_end(char **rest)
{
    return field_next(rest) == NULL;
}

/* The next field as a whole number; false also where there is none. */
bool number_next(char **rest, int64_t lowest, int64_t highest, int64_t *number)
{
    const char *field = field_next(rest);
    if (!field)
        return false;
    const char *end = field + strlen(field);
    return integer_read(&field, end, lowest, highest, number) && field == end;
}
