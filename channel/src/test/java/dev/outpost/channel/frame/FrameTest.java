package dev.outpost.channel.frame;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.Trials;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class FrameTest {
    private static final List<Frame> SAMPLES = List.of(
            new Frame.Data(Lane.BULK, 300, 299, new byte[] {1, -2, 3}),
            new Frame.Ack(Lane.BULK, Long.MAX_VALUE),
            Frame.Connection.of(
                    ConnectionMessages.end(FaultMessages.of(FaultKind.EXTERNAL, "idle for 10 min"), End.Cause.IDLE)),
            new Frame.Packed(Lane.BULK, 300, 299, new byte[] {4}, 2, 8, new Slice(new byte[] {1, -2, 3})));

    @Test
    void everyKindHasASample() {
        Set<Class<?>> kinds = SAMPLES.stream().map(Object::getClass).collect(Collectors.toSet());
        assertEquals(Set.of(Frame.class.getPermittedSubclasses()), kinds);
    }

    @Test
    void everyKindComesBack() throws ReflectiveOperationException {
        for (Frame frame : SAMPLES) {
            assertSame(frame, Frame.decode(frame.encode()));
        }
    }

    @Test
    void kindsOnTheWireAreStable() {
        for (int index = 0; index < SAMPLES.size(); index++) {
            assertEquals(index + 1, SAMPLES.get(index).encode()[1]);
        }
    }

    @Test
    void everyKindIsMalformedWhereverItEnds() {
        for (Frame frame : SAMPLES) {
            byte[] bytes = frame.encode();
            for (int end = 0; end < bytes.length; end++) {
                byte[] cut = Arrays.copyOf(bytes, end);
                assertThrows(MalformedException.class, () -> Frame.decode(cut), frame::toString);
            }
        }
    }

    @Test
    void bytesTooManyAreMalformed() {
        byte[] ack = new Frame.Ack(Lane.CONTROL, 1).encode();
        assertMalformed("frame has 1 bytes too many", () -> Frame.decode(Arrays.copyOf(ack, ack.length + 1)));
    }

    @Test
    void anotherVersionIsNamed() {
        byte[] ack = new Frame.Ack(Lane.CONTROL, 1).encode();
        ack[0] = 9;
        assertMalformed("the frame is of protocol version 9, this side speaks 8.0 to 8.1", () -> Frame.decode(ack));
    }

    @Test
    void unknownKindsAndLanesAreMalformed() {
        assertMalformed("frame kind 9 is unknown", () -> Frame.decode(new byte[] {8, 9}));
        assertMalformed("lane 2 is unknown", () -> Frame.decode(new byte[] {8, 2, 2, 0}));
    }

    /** They change with the major version alone. */
    @Test
    void frequentFramesHaveTheseBytes() {
        assertBytes("080101ac02ab020301fe03", new Frame.Data(Lane.BULK, 300, 299, new byte[] {1, -2, 3}));
        assertBytes("0802008001", new Frame.Ack(Lane.CONTROL, 128));
    }

    private static void assertBytes(String hex, Frame frame) {
        assertEquals(hex, HexFormat.of().formatHex(frame.encode()));
    }

    @Test
    void anEndIsAFailureUnlessItSaysOtherwise() {
        assertEquals(
                End.Cause.FAILED,
                ConnectionMessages.end(FaultMessages.of(FaultKind.EXTERNAL, "gone"))
                        .getCause());
    }

    @Test
    void numbersMustBePositive() {
        byte[] bytes = new Frame.Ack(Lane.CONTROL, -1).encode();
        assertMalformed("a frame number is out of range: 18446744073709551615", () -> Frame.decode(bytes));
    }

    @Test
    void theLargestFrameIsRead() {
        int header = new Frame.Data(Lane.CONTROL, 1, 0, new byte[Frame.MAX_BYTES - 1000]).encode().length
                - Frame.MAX_BYTES
                + 1000;
        byte[] largest = new Frame.Data(Lane.CONTROL, 1, 0, new byte[Frame.MAX_BYTES - header]).encode();
        assertEquals(Frame.MAX_BYTES, largest.length);
        assertTrue(Frame.decode(largest) instanceof Frame.Data);
        assertMalformed(
                "a frame of 8388609 bytes is over 8388608",
                () -> Frame.decode(Arrays.copyOf(largest, Frame.MAX_BYTES + 1)));
    }

    @Test
    void mutationIsNeverMoreThanMalformed() {
        Trials.repeat(20_000, 1, random -> {
            byte[] bytes = SAMPLES.get(random.nextInt(SAMPLES.size())).encode();
            for (int change = random.nextInt(3); change >= 0; change--) {
                bytes[1 + random.nextInt(bytes.length - 1)] = (byte) random.nextInt(256);
            }
            try {
                Frame.decode(bytes);
            } catch (MalformedException expected) {
                // Malformed bytes are expected to cause this.
            }
        });
    }

    private static void assertSame(Frame expected, Frame actual) throws ReflectiveOperationException {
        assertEquals(expected.getClass(), actual.getClass());
        assertArrayEquals(expected.encode(), actual.encode());
        for (var component : expected.getClass().getRecordComponents()) {
            Object[] left = {component.getAccessor().invoke(expected)};
            Object[] right = {component.getAccessor().invoke(actual)};
            assertTrue(Arrays.deepEquals(left, right), expected + "." + component.getName());
        }
    }
}
