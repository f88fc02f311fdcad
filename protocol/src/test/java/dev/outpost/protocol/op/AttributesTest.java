package dev.outpost.protocol.op;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.op.OpSample.Written;
import dev.outpost.types.MalformedException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which attributes every op writes, and where. */
@Tag("quick")
class AttributesTest {

    static Stream<OpSample> samples() {
        return OpSamples.all().stream();
    }

    static Stream<OpSample> samplesWithAttributes() {
        return samples().filter(sample -> sample.op() instanceof Record);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void attributesRoundTrip(OpSample sample) {
        ops(sample).forEach(AttributesTest::assertComesBack);
    }

    /** An unreadable rest must be noticed, never answered with another exception. */
    @ParameterizedTest
    @MethodSource("samples")
    void areMalformedWhereverTheyEnd(OpSample sample) {
        Written written = Written.of(sample.op());
        for (int end = 0; end < written.structure().length; end++) {
            assertUnreadable(sample.op(), Arrays.copyOf(written.structure(), end), written.data());
        }
        for (int end = 0; end < written.data().length; end++) {
            assertUnreadable(sample.op(), written.structure(), Arrays.copyOf(written.data(), end));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void dataIsNoPartOfTheStructure(OpSample sample) {
        Written written = Written.of(sample.op());
        for (Op variant : sample.otherData()) {
            assertTrue(written.sameStructure(Written.of(variant)), variant::toString);
            assertTrue(!written.sameData(Written.of(variant)), variant::toString);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void structureIsNoPartOfTheData(OpSample sample) {
        Written written = Written.of(sample.op());
        for (Op variant : sample.otherStructure()) {
            assertTrue(!written.sameStructure(Written.of(variant)), variant::toString);
            assertEquals(sample.op().code(), variant.code());
        }
    }

    /** So that a new attribute cannot be forgotten in the table of variants. */
    @ParameterizedTest
    @MethodSource("samplesWithAttributes")
    void everyAttributeHasAVariant(OpSample sample) throws ReflectiveOperationException {
        for (RecordComponent attribute : sample.op().getClass().getRecordComponents()) {
            boolean varies = isFunction(attribute) || isUnused(sample.op(), attribute);
            for (Op variant : variants(sample).toList()) {
                varies |= !Objects.equals(value(attribute, sample.op()), value(attribute, variant));
            }
            assertTrue(varies, sample.op().getClass().getSimpleName() + "." + attribute.getName());
        }
    }

    /** The code selects the function within an op's family. */
    private static boolean isFunction(RecordComponent attribute) {
        return attribute.getType().getSimpleName().equals("Fn");
    }

    /** True if the op's function does not use the attribute, which then has one value. */
    private static boolean isUnused(Op op, RecordComponent attribute) {
        return switch (op) {
            case Random random -> isUnused(random, attribute.getName());
            case Collective exchange ->
                exchange.fn() != Collective.Fn.ALL_REDUCE_ROUNDED
                        && attribute.getName().equals("format");
            default -> false;
        };
    }

    private static boolean isUnused(Random random, String attribute) {
        return random.fn() != Random.Fn.INTEGER && List.of("low", "high").contains(attribute)
                || !random.isPart() && attribute.equals("part");
    }

    private static Object value(RecordComponent attribute, Op op) throws ReflectiveOperationException {
        attribute.getAccessor().setAccessible(true);
        return attribute.getAccessor().invoke(op);
    }

    private static Stream<Op> variants(OpSample sample) {
        return Stream.concat(sample.otherData().stream(), sample.otherStructure().stream());
    }

    private static Stream<Op> ops(OpSample sample) {
        return Stream.concat(Stream.of(sample.op()), variants(sample));
    }

    private static void assertComesBack(Op op) {
        Written written = Written.of(op);
        AttributeReader in = reader(written.structure(), written.data());
        Op back = OpTable.read(op.code(), in);
        assertEquals(op.getClass(), back.getClass());
        assertEquals(op.label(), back.label());
        assertTrue(in.structure().isAtEnd() && in.data().isAtEnd(), op::toString);
        assertTrue(written.sameStructure(Written.of(back)) && written.sameData(Written.of(back)), op::toString);
        if (!(op instanceof Literal)) {
            assertEquals(op, back);
        }
    }

    private static void assertUnreadable(Op op, byte[] structure, byte[] data) {
        assertThrows(MalformedException.class, () -> OpTable.read(op.code(), reader(structure, data)), op::toString);
    }

    private static AttributeReader reader(byte[] structure, byte[] data) {
        return new AttributeReader(new ByteReader(structure), new ByteReader(data));
    }
}
