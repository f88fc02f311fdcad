// Attention over pages of a pool. A block has one query of one head and iterates over the tokens that it sees, THREADS at a time. Each
// thread computes the score of one token, and then some features of the result. When a larger score comes, the earlier sums are scaled
// down. Pages and positions were checked; nothing is read for those that failed.

extern "C" __global__ void __launch_bounds__(256) paged_attention(const Arguments a)
{
    __shared__ SUM weights[THREADS];
    __shared__ i64 pages[THREADS];
    int thread = threadIdx.x;
    i64 token = blockIdx.x % a.tokens;
    i64 head = blockIdx.x / a.tokens % a.heads;
    i64 batch = blockIdx.x / a.tokens / a.heads;
    i64 group = head / a.shared;
    const STORED *query = a.query + batch * a.query_strides[0] + head * a.query_strides[1] + token * a.query_strides[2];
    i64 last = a.positions[batch * a.position_strides[0] + token * a.position_strides[1]];
    i64 first = a.window == 0 || last < a.window ? 0 : last - a.window + 1;
    SUM largest = NOTHING_SEEN;
    SUM total = 0;
    SUM sums[PER];
#pragma unroll
    for (int i = 0; i < PER; i++) {
        sums[i] = 0;
    }
    for (i64 begin = first; begin <= last; begin += THREADS) {
        i64 place = begin + thread;
        i64 page = place <= last ? page_of(&a, batch, place) : -1;
        SUM score = NOTHING_SEEN;
        if (page >= 0) {
            const STORED *key = a.key + page * a.key_strides[0] + place % a.page_size * a.key_strides[1]
                + group * a.key_strides[2];
            SUM sum = 0;
            for (i64 feature = 0; feature < a.features; feature++) {
                sum = MULTIPLY_ADD(
                    TAKE(query[feature * a.query_strides[3]]), TAKE(key[feature * a.key_strides[3]]), sum);
            }
            score = (SUM) a.scale * sum;
            if (CAPPED) {
                score = (SUM) a.cap * TANH(score / (SUM) a.cap);
            }
        }
        weights[thread] = score;
        pages[thread] = page;
        __syncthreads();
        SUM most = largest;
        for (int i = 0; i < THREADS; i++) {
            most = weights[i] > most ? weights[i] : most;
        }
        __syncthreads();
        weights[thread] = page >= 0 ? EXP(score - most) : 0;
        __syncthreads();
        SUM shrink = largest == NOTHING_SEEN ? 0 : EXP(largest - most);
        largest = most;
        total *= shrink;
#pragma unroll
        for (int i = 0; i < PER; i++) {
            sums[i] *= shrink;
        }
        for (int i = 0; i < THREADS && begin + i <= last; i++) {
            if (pages[i] < 0) {
                continue;
            }
            total += weights[i];
            const STORED *value = a.value + pages[i] * a.value_strides[0] + (begin + i) % a.page_size * a.value_strides[1]
                + group * a.value_strides[2];
#pragma unroll
            for (int part = 0; part < PER; part++) {
                i64 feature = (i64) part * THREADS + thread;
                if (feature < a.values) {
                    sums[part] = MULTIPLY_ADD(weights[i], TAKE(value[feature * a.value_strides[3]]), sums[part]);
                }
            }
        }
        __syncthreads();
    }
    STORED *output = a.output + ((batch * a.heads + head) * a.tokens + token) * a.values;
#pragma unroll
    for (int part = 0; part < PER; part++) {
        i64 feature = (i64) part * THREADS + thread;
        if (feature < a.values) {
            output[feature] = GIVE(sums[part] / total);
        }
    }
}
