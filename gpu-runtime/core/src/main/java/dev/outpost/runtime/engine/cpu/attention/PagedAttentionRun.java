package dev.outpost.runtime.engine.cpu.attention;

import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import java.util.Arrays;

/**
 * Computes attention over keys and values that are stored in the pages of a pool. Each task computes one query for
 * all heads of a group, which read the same keys and values. 16-bit floats are computed in float32.
 */
public final class PagedAttentionRun {
    /** The number of tasks that a thread takes at a time. A task is one token of one group of heads. */
    private static final int GRAIN = 1;

    private final PagedAttention op;
    private final Array output;
    private final Array query;
    private final Array table;
    private final Array positions;
    private final Pool keys;
    private final Pool values;
    private final int tokens;
    private final int shared;

    private PagedAttentionRun(PagedAttention op, Array[] in, Array output) {
        this.op = op;
        this.output = output;
        query = in[0];
        table = in[3];
        positions = in[4];
        keys = new Pool(in[1]);
        values = new Pool(in[2]);
        tokens = (int) query.shape().size(2);
        shared = (int) (query.shape().size(1) / in[1].shape().size(2));
    }

    public static void run(PagedAttention op, Array[] in, Array output, Elementwise elementwise) {
        PagedAttentionRun run = new PagedAttentionRun(op, in, output);
        run.requirePages();
        run.requirePositions();
        int groups = (int) in[1].shape().size(2);
        int tasks = (int) in[0].shape().size(0) * groups * run.tokens;
        elementwise.workers().run(tasks, GRAIN, (from, to) -> {
            Room room = run.room();
            for (int task = from; task < to; task++) {
                run.answer(task / run.tokens / groups, task / run.tokens % groups, task % run.tokens, room);
            }
        });
    }

    /** Pages of keys or values, with their offset and strides in the Java array. */
    private record Pool(HeapBuffer elements, int offset, int[] strides, int pages, int pageSize, int features) {
        Pool(Array pool) {
            this(
                    Elementwise.buffer(pool),
                    (int) pool.layout().offset(),
                    Arrays.stream(pool.layout().strides())
                            .mapToInt(Math::toIntExact)
                            .toArray(),
                    (int) pool.shape().size(0),
                    (int) pool.shape().size(1),
                    (int) pool.shape().size(3));
        }

        /** Returns the offset of a token's first feature in the Java array. */
        int place(int page, int slot, int group) {
            return offset + page * strides[0] + slot * strides[1] + group * strides[2];
        }

        /** Returns true if the elements are consecutive and can be read in place. */
        boolean isPlain() {
            return elements.dtype() == DType.FLOAT32 && strides[3] == 1;
        }

        void read(int place, float[] row) {
            for (int feature = 0; feature < features; feature++) {
                row[feature] = (float) elements.getDouble(place + feature * strides[3]);
            }
        }

        void read(int place, double[] row) {
            for (int feature = 0; feature < features; feature++) {
                row[feature] = elements.getDouble(place + feature * strides[3]);
            }
        }
    }

    /** The working arrays of a thread; arrays of doubles if the operands are doubles. */
    private final class Room {
        private final boolean isDouble = query.dtype() == DType.FLOAT64;
        private final float[] row = new float[Math.max(keys.features, values.features)];
        private final double[] wideRow = isDouble ? new double[row.length] : null;
        private final float[] queries = new float[shared * keys.features];
        private final double[] wideQueries = isDouble ? new double[queries.length] : null;
        private final float[] sums = new float[shared * values.features];
        private final double[] wideSums = isDouble ? new double[sums.length] : null;
        private double[] scores = new double[0];

        void fit(int seen) {
            if (scores.length < shared * seen) {
                scores = new double[shared * Math.max(seen, 64)];
            }
        }
    }

    private Room room() {
        return new Room();
    }

    private void requirePages() {
        HeapBuffer entries = Elementwise.buffer(table);
        for (int batch = 0; batch < table.shape().size(0); batch++) {
            for (int entry = 0; entry < table.shape().size(1); entry++) {
                long page = entries.getLong(position(table, batch, entry));
                if (page < 0 || page >= keys.pages) {
                    throw op.noPage(page, keys.pages);
                }
            }
        }
    }

    private void requirePositions() {
        long max = table.shape().size(1) * keys.pageSize;
        HeapBuffer places = Elementwise.buffer(positions);
        for (int batch = 0; batch < positions.shape().size(0); batch++) {
            for (int token = 0; token < tokens; token++) {
                long position = places.getLong(position(positions, batch, token));
                if (position < 0 || position >= max) {
                    throw op.noPosition(position, max);
                }
            }
        }
    }

    private void answer(int batch, int group, int token, Room room) {
        int last = (int) Elementwise.buffer(positions).getLong(position(positions, batch, token));
        int first = (int) op.firstSeen(last);
        int seen = last - first + 1;
        room.fit(seen);
        readQueries(batch, group, token, room);
        score(batch, group, first, seen, room);
        for (int head = 0; head < shared; head++) {
            weigh(room.scores, head * seen, seen);
        }
        sum(batch, group, first, seen, room);
        for (int head = 0; head < shared; head++) {
            write(batch, group * shared + head, token, head, room);
        }
    }

    private void readQueries(int batch, int group, int token, Room room) {
        HeapBuffer elements = Elementwise.buffer(query);
        int stride = (int) query.layout().stride(3);
        for (int head = 0; head < shared; head++) {
            int place = position(query, batch, group * shared + head, token);
            for (int feature = 0; feature < keys.features; feature++) {
                double value = elements.getDouble(place + feature * stride);
                if (room.isDouble) {
                    room.wideQueries[head * keys.features + feature] = value;
                } else {
                    room.queries[head * keys.features + feature] = (float) value;
                }
            }
        }
    }

    private int page(int batch, int place) {
        return (int) Elementwise.buffer(table).getLong(position(table, batch, place / keys.pageSize));
    }

    private void score(int batch, int group, int first, int seen, Room room) {
        for (int number = 0; number < seen; number++) {
            int slot = (first + number) % keys.pageSize;
            int place = keys.place(page(batch, first + number), slot, group);
            for (int head = 0; head < shared; head++) {
                room.scores[head * seen + number] = capped(op.scale() * product(place, head, head == 0, room));
            }
        }
    }

    private double product(int place, int head, boolean isFirst, Room room) {
        int count = keys.features;
        if (room.isDouble) {
            if (isFirst) {
                keys.read(place, room.wideRow);
            }
            double sum = 0;
            for (int feature = 0; feature < count; feature++) {
                sum += room.wideQueries[head * count + feature] * room.wideRow[feature];
            }
            return sum;
        }
        if (keys.isPlain()) {
            return dot(room.queries, head * count, keys.elements.floats(), place, count);
        }
        if (isFirst) {
            keys.read(place, room.row);
        }
        return dot(room.queries, head * count, room.row, 0, count);
    }

    /** Computes the dot product in eight sums that are independent of each other. */
    private static float dot(float[] left, int from, float[] right, int at, int count) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        float e = 0;
        float f = 0;
        float g = 0;
        float h = 0;
        int index = 0;
        for (; index <= count - 8; index += 8) {
            a += left[from + index] * right[at + index];
            b += left[from + index + 1] * right[at + index + 1];
            c += left[from + index + 2] * right[at + index + 2];
            d += left[from + index + 3] * right[at + index + 3];
            e += left[from + index + 4] * right[at + index + 4];
            f += left[from + index + 5] * right[at + index + 5];
            g += left[from + index + 6] * right[at + index + 6];
            h += left[from + index + 7] * right[at + index + 7];
        }
        float rest = 0;
        for (; index < count; index++) {
            rest += left[from + index] * right[at + index];
        }
        return ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest;
    }

    private double capped(double score) {
        return op.isCapped() ? op.cap() * Math.tanh(score / op.cap()) : score;
    }

    /** Replaces scores by weights whose sum is 1. */
    private static void weigh(double[] scores, int from, int count) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int index = from; index < from + count; index++) {
            largest = Math.max(largest, scores[index]);
        }
        double sum = 0;
        for (int index = from; index < from + count; index++) {
            scores[index] = Math.exp(scores[index] - largest);
            sum += scores[index];
        }
        for (int index = from; index < from + count; index++) {
            scores[index] /= sum;
        }
    }

    private void sum(int batch, int group, int first, int seen, Room room) {
        Arrays.fill(room.sums, 0);
        if (room.isDouble) {
            Arrays.fill(room.wideSums, 0);
        }
        for (int number = 0; number < seen; number++) {
            int slot = (first + number) % values.pageSize;
            int place = values.place(page(batch, first + number), slot, group);
            for (int head = 0; head < shared; head++) {
                add(place, head, room.scores[head * seen + number], room);
            }
        }
    }

    private void add(int place, int head, double weight, Room room) {
        int count = values.features;
        if (room.isDouble) {
            values.read(place, room.wideRow);
            for (int feature = 0; feature < count; feature++) {
                room.wideSums[head * count + feature] += weight * room.wideRow[feature];
            }
        } else if (values.isPlain()) {
            addScaled(room.sums, head * count, (float) weight, values.elements.floats(), place, count);
        } else {
            values.read(place, room.row);
            addScaled(room.sums, head * count, (float) weight, room.row, 0, count);
        }
    }

    private static void addScaled(float[] sums, int to, float weight, float[] row, int from, int count) {
        for (int feature = 0; feature < count; feature++) {
            sums[to + feature] += weight * row[from + feature];
        }
    }

    private void write(int batch, int head, int token, int member, Room room) {
        HeapBuffer target = Elementwise.buffer(output);
        int place = position(output, batch, head, token);
        for (int feature = 0; feature < values.features; feature++) {
            int from = member * values.features + feature;
            target.setDouble(place + feature, room.isDouble ? room.wideSums[from] : room.sums[from]);
        }
    }

    private static int position(Array array, int... index) {
        long position = array.layout().offset();
        for (int dim = 0; dim < index.length; dim++) {
            position += index[dim] * array.layout().stride(dim);
        }
        return Math.toIntExact(position);
    }
}
