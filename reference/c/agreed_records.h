/* The header records agreed after -1 and -2, as entries of a table: number, written by request, name.
 * Generated from spec/coli_spec/records.yaml by `coli-conformance records accept`; do not edit. */
