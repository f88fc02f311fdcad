package dev.outpost.protocol.message;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.bytes.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SegmentBundleTest {
    private static SegmentBundle of(int members) {
        List<Integer> ranks = IntStream.range(0, members).boxed().toList();
        return SegmentBundle.of(
                7, 9, ranks, ranks.stream().map(SegmentBundleTest::message).toList());
    }

    private static byte[] message(int rank) {
        return new ToRuntime.RunSegment(("some instructions of member " + rank + " and more of them").getBytes())
                .encode();
    }

    @Test
    void everyMemberGetsItsMessageOnceByTheTree() {
        for (int members = 1; members <= 9; members++) {
            List<Integer> got = new ArrayList<>();
            int depth = walk(of(members), got);
            assertEquals(
                    IntStream.range(0, members).boxed().toList(),
                    got.stream().sorted().toList());
            assertEquals(Integer.SIZE - Integer.numberOfLeadingZeros(members - 1), depth, members + " members");
        }
    }

    /** Returns the number of steps until all members have it, if each member sends to one other member per step. */
    private static int walk(SegmentBundle bundle, List<Integer> got) {
        got.add(bundle.holder());
        assertArrayEquals(message(bundle.holder()), bundle.own().encode());
        int depth = 0;
        List<SegmentBundle> onward = bundle.onward();
        for (int step = 0; step < onward.size(); step++) {
            depth = Math.max(depth, step + 1 + walk(onward.get(step), got));
        }
        return depth;
    }

    @Test
    void aBundleRoundTrips() {
        ByteWriter out = new ByteWriter();
        of(4).write(out);
        SegmentBundle read = SegmentBundle.read(new ByteReader(out.toByteArray()));
        assertEquals(of(4), read);
    }

    @Test
    void membersThatDifferLittleAddLittle() {
        assertTrue(of(9).bytes() < 2L * message(0).length + 9 * 24, () -> of(9).bytes() + " bytes");
    }

    @Test
    void aBundleOfNoSegmentIsRefused() {
        SegmentBundle fetch = SegmentBundle.of(1, 1, List.of(0), List.of(new ToRuntime.Fetch(1, 2).encode()));
        assertMalformed("Fetch does not belong on this lane", fetch::own);
    }

    @Test
    void aBundleForNobodyIsRefused() {
        assertMalformed(
                "a segment is passed on to 0 members, expected 1 to 1024",
                () -> new SegmentBundle(1, 1, Slice.EMPTY, List.of()));
    }
}
