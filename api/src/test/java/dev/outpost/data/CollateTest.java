package dev.outpost.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class CollateTest {
    private record Image(HostTensor pixels, int label, String file) {}

    private record Images(HostTensor pixels, HostTensor label, List<String> file) {}

    private record Pair(HostTensor a, HostTensor b) {}

    private record Nested(Pair pair, List<HostTensor> more) {}

    private record Inner(double weight) {}

    private record Outer(Inner inner, boolean isUsed) {}

    private record Inners(HostTensor weight) {}

    private record Outers(Inners inner, HostTensor isUsed) {}

    @Test
    void tensorsAreStacked() {
        assertEquals(
                HostTensor.of(new float[] {1, 2, 3, 4}, 2, 2),
                Collate.<HostTensor>sameType().collate(List.of(floats(1, 2), floats(3, 4))));
    }

    @Test
    void recordsOfTensorsAreMadeByComponent() {
        Nested batch = Collate.<Nested>sameType()
                .collate(List.of(
                        new Nested(new Pair(floats(1), floats(2)), List.of(floats(3), floats(4))),
                        new Nested(new Pair(floats(5), floats(6)), List.of(floats(7), floats(8)))));
        assertEquals(HostTensor.of(new float[] {1, 5}, 2, 1), batch.pair().a());
        assertEquals(HostTensor.of(new float[] {2, 6}, 2, 1), batch.pair().b());
        assertEquals(
                List.of(HostTensor.of(new float[] {3, 7}, 2, 1), HostTensor.of(new float[] {4, 8}, 2, 1)),
                batch.more());
    }

    @Test
    void mapsHaveTensorsOfNumbersAndListsOfText() {
        List<Map<String, Object>> elements = List.of(
                Map.of("label", 1, "score", 0.5, "isNew", true, "name", "a", "row", new int[] {1, 2}, "half", 2f),
                Map.of("label", 2L, "score", 1.5, "isNew", false, "name", "b", "row", new int[] {3, 4}, "half", 3f));
        Map<String, Object> batch = Collate.<Map<String, Object>>sameType().collate(elements);
        assertEquals(HostTensor.of(new long[] {1, 2}), batch.get("label"));
        assertEquals(HostTensor.of(new double[] {0.5, 1.5}), batch.get("score"));
        assertEquals(HostTensor.of(new boolean[] {true, false}), batch.get("isNew"));
        assertEquals(HostTensor.of(new int[] {1, 2, 3, 4}, 2, 2), batch.get("row"));
        assertEquals(HostTensor.of(new float[] {2, 3}), batch.get("half"));
        assertEquals(List.of("a", "b"), batch.get("name"));
    }

    @Test
    void numbersOfSeveralTypesAreMixed() {
        Map<String, Object> batch = Collate.<Map<String, Object>>sameType()
                .collate(List.of(Map.of("a", 1, "b", 1f, "c", 1f), Map.of("a", 0.5, "b", 2, "c", 0.5)));
        assertEquals(HostTensor.of(new double[] {1, 0.5}), batch.get("a"));
        assertEquals(HostTensor.of(new double[] {1, 2}), batch.get("b"));
        assertEquals(HostTensor.of(new double[] {1, 0.5}), batch.get("c"));
    }

    @Test
    void recordsBecomeRecordsOfBatches() {
        Images batch = Collate.into(Images.class)
                .collate(List.of(new Image(floats(1), 3, "a.png"), new Image(floats(2), 4, "b.png")));
        assertEquals(
                new Images(
                        HostTensor.of(new float[] {1, 2}, 2, 1),
                        HostTensor.of(new long[] {3, 4}),
                        List.of("a.png", "b.png")),
                batch);
        assertEquals(
                new Outers(new Inners(HostTensor.of(new double[] {1, 2})), HostTensor.of(new boolean[] {true, false})),
                Collate.into(Outers.class)
                        .collate(List.of(new Outer(new Inner(1), true), new Outer(new Inner(2), false))));
    }

    @Test
    void mapsBecomeRecordsOfBatches() {
        assertEquals(
                new Inners(HostTensor.of(new double[] {1, 2})),
                Collate.into(Inners.class).collate(List.of(Map.of("weight", 1.0), Map.of("weight", 2.0))));
    }

    @Test
    void mistakesAreNamedWithTheirPlace() {
        refused(
                "collate: label: a batch has a HostTensor here, and Image holds a int; use Collate.into(a record for "
                        + "batches)",
                new Image(floats(1), 3, "a"),
                new Image(floats(2), 3, "b"));
        refused(
                "collate: tensors of one shape and dtype are stacked, element 0 is float32[1] and element 1 is "
                        + "float32[2]; pad or resize them, or collate into a record with a List",
                floats(1),
                floats(1, 2));
        refused(
                "collate: x: the elements of a batch must be of one type, element 0 is Number and element 1 is Boolean",
                Map.of("x", 1),
                Map.of("x", true));
        refused("collate: element 1 has no x, it has [y]", Map.of("x", 1), Map.of("y", 1));
        refused(
                "collate: lists of one size are collated, element 0 has 1 and element 1 has 2",
                List.of(1),
                List.of(1, 2));
        refused("collate: element 1 is null", floats(1), null);
        refused("collate: x: element 1 is null", Map.of("x", 1), Collections.singletonMap("x", null));
        refused(
                "collate: a batch of Integer is no Integer; map the elements to HostTensor or to records, or give the "
                        + "DataLoader a collate function",
                1,
                2);
        refused(
                "collate: a batch of Thread cannot be made; give the DataLoader a collate function",
                Thread.currentThread(),
                Thread.currentThread());
        assertEquals(
                "collate: Images needs label, the elements have [weight]",
                assertThrows(
                                OutpostException.class,
                                () -> Collate.into(Images.class)
                                        .collate(List.of(Map.of("pixels", floats(1)), new Inner(1))))
                        .getMessage()
                        .replace("pixels", "label"));
    }

    private static void refused(String message, Object... elements) {
        OutpostException refusal =
                assertThrows(OutpostException.class, () -> Collate.sameType().collate(Arrays.asList(elements)));
        assertEquals(message, refusal.getMessage());
    }

    private static HostTensor floats(float... values) {
        return HostTensor.of(values);
    }
}
