package dev.outpost.cli.parity.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.cli.parity.Argument;
import dev.outpost.cli.parity.Argument.BoolArgument;
import dev.outpost.cli.parity.Argument.DTypeArgument;
import dev.outpost.cli.parity.Argument.FloatArgument;
import dev.outpost.cli.parity.Argument.IntegerArgument;
import dev.outpost.cli.parity.Argument.ListArgument;
import dev.outpost.cli.parity.Argument.NullArgument;
import dev.outpost.cli.parity.Argument.TextArgument;
import dev.outpost.cli.parity.ParityCase;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class CallTest {
    private static Call call(List<Argument> arguments, Map<String, Argument> keywords) {
        ParityCase parityCase =
                new ParityCase("roll/0", "roll", "", arguments, keywords, List.of(), Map.of(), List.of(), false, "");
        return new Call(parityCase, null, argument -> null);
    }

    private static Call call(Argument... arguments) {
        return call(List.of(arguments), Map.of());
    }

    private static Argument integer(long value) {
        return new IntegerArgument(value);
    }

    @Test
    void anArgumentIsGivenByPlaceOrByName() {
        Call call = call(List.of(integer(7)), Map.of("dim", integer(8)));
        assertEquals(7, call.at(0, "shifts").integer());
        assertEquals(8, call.at(1, "dim").integer());
        assertEquals(8, call.named("dim").dim());
    }

    @Test
    void missingArgumentHasItsDefault() {
        Call call = call(new NullArgument());
        assertFalse(call.at(0, "dim").isPresent());
        assertEquals(-1, call.at(0, "dim").dim(-1));
        assertEquals(2.5, call.at(1, "p").real(2.5));
        assertTrue(call.at(2, "keepdim").bool(true));
        assertEquals(DType.INT64, call.dtype(DType.INT64));
        assertNull(call.named("weight").tensorOrNull());
        assertArrayEquals(new int[0], call.named("dims").dims());
    }

    @Test
    void readsNumbersListsAndDTypes() {
        Call call = call(
                new FloatArgument(0.5),
                new BoolArgument(true),
                new ListArgument(List.of(integer(1), integer(-2))),
                new DTypeArgument(DType.BOOL));
        assertEquals(0.5, call.at(0, "p").number());
        assertEquals(1L, call.at(1, "value").number());
        assertArrayEquals(new int[] {1, -2}, call.at(2, "dims").dims());
        assertArrayEquals(new long[] {1, -2}, call.at(2, "size").sizes());
        assertEquals(DType.BOOL, call.at(3, "dtype").dtype(DType.INT64));
    }

    @Test
    void sizesComeAsOneListOrOneByOne() {
        assertArrayEquals(new long[] {2, 3}, SizeList.of(call(new ListArgument(List.of(integer(2), integer(3)))), 0));
        assertArrayEquals(new long[] {2, 3}, SizeList.of(call(integer(2), integer(3)), 0));
        assertArrayEquals(new long[0], SizeList.of(call(), 0));
    }

    @Test
    void whatJavaWouldNotCompileIsRefused() {
        Call call = call(integer(2), new TextArgument("abc"));
        ArgumentTypeException refusal = assertThrows(ArgumentTypeException.class, call::self);
        assertEquals("roll: input must be a tensor, got IntegerArgument[value=2]", refusal.getMessage());
        assertThrows(ArgumentTypeException.class, () -> call.at(1, "dim").integer());
        assertThrows(ArgumentTypeException.class, () -> call.at(1, "reduction").choice(Map.of("sum", 1), 2));
    }

    @Test
    void aFormThatNoRowKnowsIsNoRefusal() {
        Call call = call(new ListArgument(List.of()), new FloatArgument(0.5));
        assertThrows(UnmappedFormException.class, call::self);
        assertThrows(UnmappedFormException.class, () -> call.at(1, "dim").integer());
        assertThrows(UnmappedFormException.class, () -> call.named("shifts").integer());
    }

    @Test
    void everyArgumentHasToBeRead() {
        Call call = call(List.of(integer(1), integer(2)), Map.of("out", integer(3), "device", new TextArgument("cpu")));
        call.at(0, "shifts");
        assertThrows(UnmappedFormException.class, call::requireAllRead);
        call.at(1, "dims");
        assertThrows(UnmappedFormException.class, call::requireAllRead);
        call.named("out");
        call.requireAllRead();
    }
}
