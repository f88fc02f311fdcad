// Tiles of tokens that lie on pages. Rows are the queries of the heads that share keys and values, token by token. Pages and positions were
// checked; nothing is read for those that failed.

// Returns the address of a row's first feature, for its token and its head of the group; 0 after the last row.
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

// Returns the last token that a row sees; -1 after the last row, or if there is no such token.
FN int position_of(const Arguments *a, i64 batch, int row, int rows)
{
    i64 token = row / (int) a->shared;
    i64 last = row < rows ? a->positions[batch * a->position_strides[0] + token * a->position_strides[1]] : -1;
    return last < a->entries * a->page_size ? (int) last : -1;
}

// Returns the first token that a row with this position sees.
FN int first_seen(const Arguments *a, int last)
{
    int window = (int) a->window;
    return window == 0 || last < window ? 0 : last - window + 1;
}

// The offsets of a token's keys and values from those of the pool's first token; negative if there are none.
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

// Begins to load a tile of keys, and a tile of values after it. All threads of the block call it.
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

// Returns the score of a token for a row that sees the tokens from `first` to `last`, capped if the op has a cap.
FN f32 score_at(const Arguments *a, f32 score, int place, int first, int last)
{
#if CAPPED
    f32 cap = (f32) a->cap;
    score = LOG2_E * cap * tanh_f32(factor_of(a->scale) * score / cap);
#endif
    return place >= first && place <= last ? score : NOTHING_SEEN;
}

// Returns the factor that makes scores exponents of base 2.
FN f32 multiplier_of(const Arguments *a)
{
    return CAPPED ? 1 : LOG2_E * factor_of(a->scale);
}
