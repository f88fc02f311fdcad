// Tiles of tokens that lie on pages. Rows are the queries of the heads that share keys and values, token by token. Pages and positions
// were checked, and where that failed nothing is read.

// The first feature of a row, of a token and a head of a group; 0 behind the last row.
FN const STORED *query_of(const Arguments *a, i64 batch, i64 group, int row, int rows)
{
    int shared = (int) a->shared;
    i64 head = group * shared + row % shared;
    i64 at = batch * a->query_strides[0] + head * a->query_strides[1] + row / shared * a->query_strides[2];
    return row < rows ? a->query + at : 0;
}

FN STORED *output_of(const Arguments *a, i64 batch, i64 group, int row)
{
    int shared = (int) a->shared;
    i64 head = group * shared + row % shared;
    return a->output + ((batch * a->heads + head) * a->tokens + row / shared) * FEATURES;
}

// The last token that a row sees; -1 behind the last row, and where there is no such token.
FN int position_of(const Arguments *a, i64 batch, int row, int rows)
{
    i64 token = row / (int) a->shared;
    i64 last = row < rows ? a->positions[batch * a->position_strides[0] + token * a->position_strides[1]] : -1;
    return last < a->entries * a->page_size ? (int) last : -1;
}

// The first token that a row with this position sees.
FN int first_seen(const Arguments *a, int last)
{
    int window = (int) a->window;
    return window == 0 || last < window ? 0 : last - window + 1;
}

// Where the keys and values of a token begin, from those of the pool's first one on; below 0 where there are none.
typedef struct {
    i64 key;
    i64 value;
} Token;

FN Token token_at(const Arguments *a, i64 batch, int place, int end)
{
    Token token = {-1, -1};
    i64 page = place < end ? page_of(a, batch, place) : -1;
    if (page >= 0) {
        int within = place % (int) a->page_size;
        token.key = page * a->key_strides[0] + within * a->key_strides[1];
        token.value = page * a->value_strides[0] + within * a->value_strides[1];
    }
    return token;
}

// Begins to bring a tile of keys, and one of values behind it. The whole block calls it.
FN void begin_tokens(Near to, const Arguments *a, const STORED *key, const STORED *value, const Token *tokens)
{
    int piece = threadIdx.x % PIECES;
#pragma unroll
    for (int i = 0; i < TILE * PIECES / THREADS; i++) {
        int row = threadIdx.x / PIECES + i * (THREADS / PIECES);
        Near at = to + row * ROW_BYTES + (piece ^ row % 8) * 16;
        Token token = tokens[row];
        int is_there = token.key >= 0;
        int key_along = ALIGNED ? 1 : (int) a->key_strides[3];
        int value_along = ALIGNED ? 1 : (int) a->value_strides[3];
        const STORED *first = key + (is_there ? token.key : 0) + (i64) (piece * PIECE) * key_along;
        begin_piece(at, first, key_along, is_there);
        first = value + (is_there ? token.value : 0) + (i64) (piece * PIECE) * value_along;
        begin_piece(at + TILE * ROW_BYTES, first, value_along, is_there);
    }
}

// A score of tokens of which a row sees those from the first to the last, capped where that is asked for.
FN f32 score_at(const Arguments *a, f32 score, int place, int first, int last)
{
#if CAPPED
    f32 cap = (f32) a->cap;
    score = LOG2_E * cap * tanh_f32(factor_of(a->scale) * score / cap);
#endif
    return place >= first && place <= last ? score : NOTHING_SEEN;
}

// What scores are multiplied by, to the base of 2.
FN f32 multiplier_of(const Arguments *a)
{
    return CAPPED ? 1 : LOG2_E * factor_of(a->scale);
}
