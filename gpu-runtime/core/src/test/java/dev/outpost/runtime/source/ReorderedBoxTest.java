package dev.outpost.runtime.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.files.ReadableBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReorderedBoxTest {
    /** A file whose elements equal their positions; counts how often each is read. */
    private static final class CountedFile implements ReadableBytes {
        private final int[] reads;

        CountedFile(int elements) {
            reads = new int[elements];
        }

        @Override
        public String name() {
            return "counted";
        }

        @Override
        public long size() {
            return 4L * reads.length;
        }

        @Override
        public void read(long position, byte[] target, int at, int length) {
            ByteBuffer out = ByteBuffer.wrap(target, at, length);
            for (int place = (int) position / 4; out.hasRemaining(); place++) {
                reads[place]++;
                out.putInt(place);
            }
        }
    }

    private static int[] load(ReorderedBox box, CountedFile file, int elements, int maxElements) throws IOException {
        int[] tensor = new int[elements];
        Arrays.fill(tensor, -1);
        for (ReorderedBox.Part part : box.parts(maxElements)) {
            assertTrue(part.count() <= maxElements);
            ByteBuffer bytes = ByteBuffer.wrap(part.read(file));
            for (int element = 0; element < part.count(); element += part.run()) {
                for (int place = 0; place < part.run(); place++) {
                    tensor[(int) part.inTensor(element) + place] = bytes.getInt();
                }
            }
        }
        return tensor;
    }

    private static int[] expected(long[] sizes, long[] strides, int elements) {
        int[] expected = new int[elements];
        for (int element = 0; element < elements; element++) {
            long rest = element;
            for (int dim = sizes.length - 1; dim >= 0; dim--) {
                expected[element] += (int) (rest % sizes[dim] * strides[dim]);
                rest /= sizes[dim];
            }
        }
        return expected;
    }

    @Test
    void anyOrderIsReadOnceFromTheFile() throws IOException {
        Random random = new Random(7);
        for (int run = 0; run < 300; run++) {
            int rank = random.nextInt(1, 5);
            long[] sizes = random.longs(rank, 1, 8).toArray();
            List<Integer> order = new ArrayList<>();
            for (int dim = 0; dim < rank; dim++) {
                order.add(random.nextInt(dim + 1), dim);
            }
            long[] strides = new long[rank];
            int elements = 1;
            for (int dim : order) {
                strides[dim] = elements;
                elements *= (int) sizes[dim];
            }
            CountedFile file = new CountedFile(elements);
            ReorderedBox box = new ReorderedBox(0, sizes, strides, 4);
            int[] tensor = load(box, file, elements, random.nextInt(1, 40));
            assertEquals(Arrays.toString(expected(sizes, strides, elements)), Arrays.toString(tensor));
            assertTrue(Arrays.stream(file.reads).allMatch(reads -> reads == 1), () -> Arrays.toString(file.reads));
        }
    }

    @Test
    void boxWithinATransposedTensorIsRead() throws IOException {
        long[] sizes = {3, 2};
        long[] strides = {1, 10};
        CountedFile file = new CountedFile(30);
        int[] tensor = load(new ReorderedBox(4 * 12, sizes, strides, 4), file, 6, 4);
        assertEquals("[12, 22, 13, 23, 14, 24]", Arrays.toString(tensor));
    }

    @Test
    void shortRunsAreTold() {
        ReorderedBox tall = new ReorderedBox(0, new long[] {1 << 20, 2}, new long[] {1, 1 << 20}, 4);
        assertFalse(tall.hasLongRuns(tall.parts(1 << 20)));
        assertTrue(tall.hasLongRuns(tall.parts(1 << 21)), "one part has one run");
        ReorderedBox square = new ReorderedBox(0, new long[] {1 << 10, 1 << 10}, new long[] {1, 1 << 10}, 4);
        assertTrue(square.hasLongRuns(square.parts(1 << 18)));
    }

    @Test
    void boxWithoutElementsHasNoParts() {
        assertEquals(List.of(), new ReorderedBox(0, new long[] {2, 0}, new long[] {1, 2}, 4).parts(10));
    }
}
