// A stable sort of each line by a bitonic network. It compares keys, and the positions of equal keys. Lines are padded to a power of two by
// keys that come last.

typedef struct {
    u64 key;
    i64 place;
} Entry;

typedef struct {
    Entry *entries;
    const STORED *in;
    STORED *values;
    i64 *places;
    i64 lines;
    i64 length;
    i64 padded;
    i64 run;
    i64 distance;
    i64 stride;
    i64 out_stride;
    i64 line_sizes[KEPT];
    i64 line_strides[KEPT];
    i64 out_strides[KEPT];
} Arguments;

FN int is_after(Entry x, Entry y) { return x.key > y.key || (x.key == y.key && x.place > y.place); }

extern "C" __global__ void sort_keys(const Arguments a)
{
    i64 at = THREAD;
    if (at >= a.lines * a.padded) {
        return;
    }
    i64 line = at / a.padded;
    Entry entry = {~0ULL, at % a.padded};
    if (entry.place < a.length) {
        VALUE x = LOAD(a.in[place((INDEX) line, KEPT, a.line_sizes, a.line_strides) + entry.place * a.stride]);
        entry.key = KEY(x);
    }
    a.entries[at] = entry;
}

FN void order(Entry *low, Entry *high, int ascending)
{
    Entry first = *low;
    Entry second = *high;
    if (is_after(first, second) == ascending) {
        *low = second;
        *high = first;
    }
}

// Runs one step for all pairs at one distance.
extern "C" __global__ void sort_step(const Arguments a)
{
    i64 pair = THREAD;
    if (pair < a.lines * a.padded / 2) {
        i64 low = pair / a.distance * 2 * a.distance + pair % a.distance;
        order(a.entries + low, a.entries + low + a.distance, (low % a.padded & a.run) == 0);
    }
}

// Runs all steps, from a distance on, whose pairs are within the block's part, which has 2 * THREADS entries.
extern "C" __global__ void sort_block(const Arguments a)
{
    __shared__ Entry part[2 * THREADS];
    int member = threadIdx.x;
    i64 start = (i64) blockIdx.x * 2 * THREADS;
    i64 all = a.lines * a.padded;
    for (int at = member; at < 2 * THREADS; at += THREADS) {
        if (start + at < all) {
            part[at] = a.entries[start + at];
        }
    }
    __syncthreads();
    i64 last = a.run;
    for (i64 run = a.distance == 0 ? 2 : last; run <= last; run *= 2) {
        for (i64 distance = run / 2 < THREADS ? run / 2 : THREADS; distance > 0; distance /= 2) {
            i64 low = member / distance * 2 * distance + member % distance;
            if (start + low < all) {
                order(part + low, part + low + distance, ((start + low) % a.padded & run) == 0);
            }
            __syncthreads();
        }
    }
    for (int at = member; at < 2 * THREADS; at += THREADS) {
        if (start + at < all) {
            a.entries[start + at] = part[at];
        }
    }
}

extern "C" __global__ void sort_places(const Arguments a)
{
    i64 at = THREAD;
    if (at >= a.lines * a.length) {
        return;
    }
    i64 line = at / a.length;
    i64 rank = at % a.length;
    i64 from = a.entries[line * a.padded + rank].place;
    i64 to = place((INDEX) line, KEPT, a.line_sizes, a.out_strides) + rank * a.out_stride;
    a.values[to] = a.in[place((INDEX) line, KEPT, a.line_sizes, a.line_strides) + from * a.stride];
    a.places[to] = from;
}
