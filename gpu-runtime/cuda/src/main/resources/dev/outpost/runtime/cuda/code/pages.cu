// The arguments of attention over pages, and the pages of a sequence's tokens.

#define NOTHING_SEEN (-(SUM) INFINITE_F64)

typedef struct {
    STORED *output;
    f32 *parts;
    const STORED *query;
    const STORED *key;
    const STORED *value;
    const i64 *table;
    const i64 *positions;
    f64 scale;
    f64 cap;
    i64 heads;
    i64 shared;
    i64 tokens;
    i64 features;
    i64 values;
    i64 pages;
    i64 page_size;
    i64 entries;
    i64 window;
    i64 tiles;
    i64 part;
    i64 query_strides[4];
    i64 key_strides[4];
    i64 value_strides[4];
    i64 table_strides[2];
    i64 position_strides[2];
} Arguments;

// Returns the page of a token of a sequence, from the table; negative if there is none.
FN i64 page_of(const Arguments *a, i64 batch, i64 place)
{
    i64 entry = place / a->page_size;
    if (entry >= a->entries) {
        return -1;
    }
    i64 page = a->table[batch * a->table_strides[0] + entry * a->table_strides[1]];
    return page < a->pages ? page : -1;
}
