package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indices as strings mean the same as typed indices. */
class IndexTextTest extends OpsOnAMachine {
    private static void assertSame(Tensor expected, Tensor actual) {
        assertEquals(expected.shape(), actual.shape());
        assertArrayEquals(expected.toDoubleArray(), actual.toDoubleArray());
    }

    @Test
    void textsMeanTheTypedIndices() {
        Tensor x = machine.arange(60).view(3, 4, 5);
        assertSame(x.get(Index.ellipsis(), Index.slice(1, null), Index.slice(null, null, 2)), x.get("..., 1:, ::2"));
        assertSame(x.get(Index.at(-1)), x.get("-1"));
        assertSame(x.get(Index.all(), Index.newAxis(), Index.slice(-3, -1)), x.get(":, None, -3:-1"));
        assertSame(x.get(Index.at(1), Index.at(2), Index.slice(null, 4, 3)), x.get(" 1 ,2, : 4 :3"));
        assertEquals(Shape.of(3, 4, 5), x.get(":").shape());
    }

    @Test
    void aTextGivesAViewThatIsWrittenThrough() {
        Tensor x = machine.zeros(3, 4);
        x.set(7, "1:, 0");
        x.set(machine.ones(2), "0, ::3");
        x.get("2").add_(1);
        assertArrayEquals(new double[] {1, 0, 0, 1, 7, 0, 0, 0, 8, 1, 1, 1}, x.toDoubleArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1:2:3:4", "a", "1,,2", "1.5", "[0]"})
    void otherTextsAreRefused(String text) {
        OpException refusal =
                assertThrows(OpException.class, () -> machine.zeros(3).get(text));
        String part = Arrays.stream(text.split(","))
                .filter(each -> each.isEmpty() || !each.matches("[0-9]"))
                .findFirst()
                .orElse("");
        assertEquals(
                "get: an index is an integer, a slice, ... or None, got '" + part + "' in '" + text + "'",
                refusal.getMessage());
    }
}
