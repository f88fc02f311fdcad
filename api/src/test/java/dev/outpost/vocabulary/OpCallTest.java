package dev.outpost.vocabulary;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class OpCallTest {
    private static final Signatures ROLL = new Signatures(
            "roll",
            List.of(
                    Signature.parse("roll(int shifts, int dim=1, float p=2.5, bool keepdim=True, Tensor? weight=None)"),
                    Signature.parse("roll(int[] dims, *, dtype? dtype=None)")));

    private static OpCall call(List<?> arguments, Map<String, ?> keywords) {
        return new OpCall("roll", ROLL, null, arguments, ROLL.keywords(arguments.size(), keywords));
    }

    private static OpCall call(Object... arguments) {
        return call(Arrays.asList(arguments), Map.of());
    }

    @Test
    void anArgumentIsGivenByPlaceOrByName() {
        OpCall call = call(List.of(7), Map.of("dim", 8));
        assertEquals(7, call.at(0, "shifts").integer());
        assertEquals(8, call.at(1, "dim").integer());
        assertEquals(8, call.named("dim").dim());
    }

    @Test
    void missingArgumentHasItsDefault() {
        OpCall call = call((Object) null);
        assertFalse(call.at(0, "dim").isPresent());
        assertEquals(-1, call.at(0, "dim").dim(-1));
        assertEquals(DType.INT64, call.dtype(DType.INT64));
        assertNull(call.named("weight").tensorOrNull());
        assertArrayEquals(new int[0], call.named("dims").dims());
    }

    @Test
    void aDefaultIsTheSignatures() {
        assertEquals(1, call().at(1, "dim").dim());
        assertEquals(2.5, call().named("p").real(7));
        assertTrue(call().named("keepdim").bool(false));
        assertNull(call().named("weight").tensorOrNull());
    }

    @Test
    void readsNumbersListsAndDTypes() {
        OpCall call = call(0.5, true, List.of(1, -2), new long[] {3, 4}, DType.BOOL);
        assertEquals(0.5, call.at(0, "p").number());
        assertEquals(1L, call.at(1, "value").number());
        assertArrayEquals(new int[] {1, -2}, call.at(2, "dims").dims());
        assertArrayEquals(new long[] {1, -2}, call.at(2, "size").sizes());
        assertArrayEquals(new long[] {3, 4}, call.at(3, "size").sizes());
        assertEquals(DType.BOOL, call.at(4, "dtype").dtype(DType.INT64));
    }

    @Test
    void defaultsOfAnOverloadCountAsRead() {
        Signature overload = ROLL.overloads().getFirst();
        OpCall defaults = call(Arrays.asList(null, 1), Map.of("p", 2.5, "keepdim", true));
        defaults.readDefaults(overload);
        assertTrue(defaults.isAllRead());
        for (OpCall other : List.of(call(7), call(Arrays.asList(null, 2), Map.of()), call(List.of(), Map.of("p", 2)))) {
            other.readDefaults(overload);
            assertFalse(other.isAllRead());
        }
    }

    @Test
    void sizesComeAsOneListOrOneByOne() {
        assertArrayEquals(new long[] {2, 3}, call(List.of(2, 3)).sizesFrom(0));
        assertArrayEquals(new long[] {2, 3}, call(2, 3).sizesFrom(0));
        assertArrayEquals(
                new long[] {2, 3},
                call(List.of(), Map.of("dims", List.of(2, 3))).sizesFrom(0));
        assertArrayEquals(new long[0], call().sizesFrom(0));
    }

    @Test
    void argumentsThatJavaWouldNotCompileAreRefused() {
        OpCall call = call(2, "abc");
        ArgumentTypeException refusal = assertThrows(ArgumentTypeException.class, call::self);
        assertEquals("roll: input must be a tensor, got 2", refusal.getMessage());
        assertThrows(ArgumentTypeException.class, () -> call.at(1, "dim").integer());
        assertThrows(ArgumentTypeException.class, () -> call.at(1, "reduction").choice(Map.of("sum", 1), 2));
    }

    @Test
    void aFormThatNoRowKnowsIsNoRefusal() {
        OpCall call = call(List.of(), 0.5);
        assertThrows(UnsupportedFormException.class, call::self);
        UnsupportedFormException lack = assertThrows(
                UnsupportedFormException.class, () -> call.at(1, "dim").integer());
        assertEquals(FaultKind.INTERNAL, lack.kind());
        assertEquals(
                "roll: this form of the call is not supported: dim other than an integer, got 0.5", lack.getMessage());
    }

    @Test
    void everyArgumentHasToBeRead() {
        OpCall call = call(List.of(1, 2), Map.of("keepdim", true));
        call.at(0, "shifts");
        assertThrows(UnsupportedFormException.class, call::requireAllRead);
        call.at(1, "dims");
        assertThrows(UnsupportedFormException.class, call::requireAllRead);
        call.named("keepdim");
        call.requireAllRead();
    }

    @Test
    void keywordsAreNamesOfParametersAndGivenOnce() {
        assertEquals(
                "roll: there is no out= here: use the result, or write it into a tensor by copy_",
                refusal(List.of(1), Map.of("out", 2)));
        assertTrue(refusal(List.of(1), Map.of("dimension", 2)).startsWith("roll: has no parameter 'dimension', "));
        assertEquals("roll: got 'dim' by its name and by its place", refusal(List.of(1, 2), Map.of("dim", 3)));
        assertEquals(3, call(List.of(1), Map.of("axis", 3)).at(1, "dim").dim());
    }

    private static String refusal(List<?> arguments, Map<String, ?> keywords) {
        return assertThrows(OpException.class, () -> call(arguments, keywords)).getMessage();
    }

    @Test
    void aRowReadsOnlyParametersOfTheSignatures() {
        assertThrows(IllegalStateException.class, () -> call().named("shift"));
    }
}
