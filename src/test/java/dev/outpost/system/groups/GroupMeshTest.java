package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.ops.MachineOps;
import dev.outpost.optim.SGD;
import dev.outpost.sharding.Mesh;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.sharding.Signals;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests tensors that are cut along several axes of a mesh. */
class GroupMeshTest {
    private static final String YAML = """
            attention: {mesh: [data, model], spec: {activations: [data, null, model], weights: [null, model]}}
            hidden: {mesh: [data, model], spec: {activations: [data, null], weights: [model, null]}}
            embedding: {replicated: true}
            meshes: {default: {data: 2, model: 2}}
            """;

    private static final Mesh MESH = mesh();

    private static Mesh mesh() {
        Map<String, Integer> axes = new LinkedHashMap<>();
        axes.put("data", 2);
        axes.put("model", 2);
        return Mesh.of(axes);
    }

    private static HostTensor random(int seed, long... shape) {
        Random random = new Random(seed);
        float[] values = new float[(int) Shape.of(shape).elements()];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) random.nextGaussian();
        }
        return HostTensor.of(values, shape);
    }

    private static MachineGroup group() {
        return MachineGroup.of("mock", "A100", 4).signals(Signals.parse("mesh.yaml", YAML, 4));
    }

    /** An axis for each dimension, or none. */
    private static Tensor placed(MachineGroup group, HostTensor values, String... axes) {
        List<Optional<String>> dims = new ArrayList<>();
        for (String axis : axes) {
            dims.add(Optional.ofNullable(axis));
        }
        return group.placing(
                type -> Sharding.onMesh(MESH, type.shape(), dims),
                () -> group.machine().tensor(values));
    }

    private static Placement.OnMesh onMesh(Tensor tensor) {
        return (Placement.OnMesh) tensor.placement().placement();
    }

    // ---- placements

    @Test
    void dataAreCutAlongTheAxesOfTheSpec() {
        try (var group = group()) {
            HostTensor values = random(1, 5, 3, 4);
            try (var attention = group.signal("attention")) {
                Tensor x = group.tensor(values);
                assertEquals(
                        "shard(0) at [0, 3, 5] along data, shard(2) at [0, 2, 4] along model on [0, 1, 2, 3]",
                        x.placement().toString());
                assertArrayEquals(values.toFloatArray(), x.toHost().toFloatArray());
                try (var embedding = group.signal("embedding")) {
                    assertEquals(
                            "replicate on [0, 1, 2, 3]", x.add(1).placement().toString());
                }
                assertEquals(x.placement(), x.mul(2).placement());
            }
        }
    }

    @Test
    void aMeshThatIsNotThereIsRefused() {
        OutpostException refused = assertThrows(
                OutpostException.class,
                () -> Sharding.onMesh(MESH, Shape.of(4, 4), List.of(Optional.of("data")))
                        .with(new Placement.OnMesh(MESH, List.of(Placement.PARTIAL))));
        assertTrue(refused.getMessage().contains("a placement for each axis"), refused.getMessage());
    }

    @Test
    void viewsStayCutAlongBothAxes() {
        try (var group = group()) {
            Tensor x = placed(group, random(2, 5, 3, 4), "data", null, "model");
            assertEquals(2, onMesh(x.transpose(0, 2)).dim(0));
            assertEquals(0, onMesh(x.transpose(0, 2)).dim(1));
            assertEquals(1, onMesh(x.select(1, 2)).dim(1));
            assertArrayEquals(
                    random(2, 5, 3, 4).toFloatArray(),
                    x.transpose(0, 2).contiguous().transpose(0, 2).toHost().toFloatArray());
            assertEquals(0, group.stats().fallbacks(), group::explain);
        }
    }

    // ---- matrix products

    /** Both operands in all placements over the mesh; the product always equals that of one machine. */
    @Test
    void productsInAllPlacementsAreThatOfOneMachine() {
        String[][] placements = {
            {null, null},
            {"data", null},
            {null, "data"},
            {"model", null},
            {null, "model"},
            {"data", "model"},
            {"model", "data"}
        };
        HostTensor left = random(3, 5, 7);
        HostTensor right = random(4, 7, 6);
        float[] expected;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            expected =
                    machine.tensor(left).matmul(machine.tensor(right)).toHost().toFloatArray();
        }
        try (var group = group()) {
            for (String[] ofLeft : placements) {
                for (String[] ofRight : placements) {
                    try (var scope = group.scope()) {
                        Tensor product = placed(group, left, ofLeft).matmul(placed(group, right, ofRight));
                        assertArrayEquals(
                                expected,
                                product.toHost().toFloatArray(),
                                1e-5f,
                                Arrays.toString(ofLeft) + " × " + Arrays.toString(ofRight));
                    }
                }
            }
        }
    }

    @Test
    void aSumAlongOneAxisIsTakenAmongTheWorkersThatDifferAlongIt() {
        try (var group = group()) {
            Tensor x = placed(group, random(5, 4, 6), "data", "model");
            Tensor w = placed(group, random(6, 6, 2), "model", null);
            Tensor y = x.matmul(w);
            assertEquals(
                    "shard(0) at [0, 2, 4] along data, partial along model",
                    onMesh(y).toString());
            assertEquals(0, group.stats().exchanges(), group::explain);
            y.relu().placement();
            assertEquals(
                    List.of(List.of(0, 1), List.of(2, 3)),
                    group.exchanges().stream().map(each -> each.workers()).toList());
            // Two rows of two columns for each half of the batch.
            assertEquals(Map.of("all_reduce", 2 * 4L * 2 * 2), group.stats().bytes());
        }
    }

    // ---- training

    /** A layer by columns and one by rows (Shoeybi et al., "Megatron-LM", 2019), beside parallel batches. */
    @Test
    void trainingOnAMeshIsThatOfOneMachine() {
        float[] alone;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            alone = trained(machine, null);
        }
        try (var group = group()) {
            assertArrayEquals(alone, trained(group, group), 1e-5f);
            assertTrue(
                    group.exchanges().stream()
                            .allMatch(each -> each.cause().equals("read")
                                    || each.workers().size() == 2
                                    || each.type().shape().rank() == 0),
                    group::explain);
        }
    }

    private static float[] trained(MachineOps machine, MachineGroup group) {
        machine.self().manualSeed(9);
        Linear first = new Linear(6, 8);
        Linear second = new Linear(8, 3);
        if (group == null) {
            first.to(machine.self());
            second.to(machine.self());
        } else {
            first.to(machine.self());
            second.to(machine.self());
            first.to(group, "hidden");
            second.to(group, "attention");
        }
        List<dev.outpost.nn.Parameter> parameters = new ArrayList<>(first.parameters());
        parameters.addAll(second.parameters());
        SGD optimizer = new SGD(parameters, 0.1);
        float[] losses = new float[3];
        for (int step = 0; step < losses.length; step++) {
            try (var scope = machine.self().scope()) {
                Tensor x = group == null ? machine.tensor(random(7, 9, 6)) : group.tensor(random(7, 9, 6), "hidden");
                Tensor loss = second.forward(first.forward(x).relu()).pow(2).mean();
                optimizer.zeroGrad();
                loss.backward();
                optimizer.step();
                losses[step] = (float) (double) loss.item();
            }
        }
        return losses;
    }

    /** Batch along one axis, heads along the other: nothing is exchanged. */
    @Test
    void attentionIsCutByBatchAndHeads() {
        HostTensor query = random(11, 4, 2, 5, 8);
        HostTensor key = random(12, 4, 2, 5, 8);
        HostTensor value = random(13, 4, 2, 5, 8);
        float[] expected;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            expected = Functional.scaledDotProductAttention(
                            machine.tensor(query), machine.tensor(key), machine.tensor(value), false)
                    .output()
                    .toHost()
                    .toFloatArray();
        }
        try (var group = group()) {
            String[] axes = {"data", "model", null, null};
            Tensor attended = Functional.scaledDotProductAttention(
                            placed(group, query, axes), placed(group, key, axes), placed(group, value, axes), false)
                    .output();
            assertEquals(0, onMesh(attended).dim(0));
            assertEquals(1, onMesh(attended).dim(1));
            assertEquals(0, group.stats().exchanges(), group::explain);
            assertArrayEquals(expected, attended.toHost().toFloatArray(), 1e-5f);
        }
    }

    // ---- elements

    /** A write through a view may lose the placement, but never an element. */
    @Test
    void viewsAndWritesOnAMeshHaveTheElementsOfOneMachine() {
        HostTensor values = random(7, 6, 8);
        try (MachineGroup group = group();
                RemoteMachine alone = RemoteMachine.of("mock", "A100")) {
            for (String[] axes :
                    new String[][] {{"data", "model"}, {"model", "data"}, {null, "data"}, {"data", null}}) {
                Tensor x = placed(group, values, axes);
                Tensor y = alone.tensor(values);
                for (Tensor each : List.of(x, y)) {
                    each.narrow(1, 1, 3).mul_(2);
                    each.transpose(0, 1).slice(0, 1, 7, 2).add_(1);
                    each.select(0, 5).zero_();
                }
                assertArrayEquals(y.toFloatArray(), x.toFloatArray(), Arrays.toString(axes));
                assertArrayEquals(
                        y.diagonal(0, 0, 1).toFloatArray(), x.diagonal(0, 0, 1).toFloatArray(), Arrays.toString(axes));
                assertArrayEquals(
                        y.transpose(0, 1).reshape(4, 12).toFloatArray(),
                        x.transpose(0, 1).reshape(4, 12).toFloatArray(),
                        Arrays.toString(axes));
            }
        }
    }

    @Test
    void aWriteThroughAViewThatIsCutExchangesNothing() {
        HostTensor values = random(8, 6, 8);
        try (MachineGroup group = group();
                RemoteMachine alone = RemoteMachine.of("mock", "A100")) {
            Tensor x = placed(group, values, "data", "model");
            Tensor y = alone.tensor(values);
            var before = x.placement();
            for (Tensor each : List.of(x, y)) {
                each.narrow(1, 1, 3).mul_(2);
                each.narrow(0, 2, 3).t().add_(1);
            }
            assertEquals(before, x.placement());
            assertEquals("", group.explain());
            assertArrayEquals(y.toFloatArray(), x.toFloatArray());
        }
    }

    /** A row of a cut dimension, or a diagonal, does not consist of a piece of each part on a mesh. */
    @Test
    void aWriteThroughAViewThatIsNotCutIsToldAndKeepsThePlacement() {
        HostTensor values = random(8, 6, 8);
        try (MachineGroup group = group();
                RemoteMachine alone = RemoteMachine.of("mock", "A100")) {
            Tensor x = placed(group, values, "data", "model");
            Tensor y = alone.tensor(values);
            var before = x.placement();
            for (Tensor each : List.of(x, y)) {
                each.select(0, 5).zero_();
                each.diagonal(0, 0, 1).add_(1);
            }
            assertEquals(before, x.placement());
            assertTrue(group.explain().contains("which has no rule for it and computes it whole"), group.explain());
            assertArrayEquals(y.toFloatArray(), x.toFloatArray());
        }
    }

    @Test
    void aDiagonalIsCutWhereTheFirstDimensionIs() {
        HostTensor values = random(9, 6, 8);
        try (MachineGroup group = group();
                RemoteMachine alone = RemoteMachine.of("mock", "A100")) {
            float[] expected = alone.tensor(values).diagonal(0, 0, 1).toFloatArray();
            Tensor byRows = group.sharded(values, 0).diagonal(0, 0, 1).clone();
            Tensor byColumns = group.sharded(values, 1).diagonal(0, 0, 1).clone();
            assertArrayEquals(expected, byRows.toFloatArray());
            assertArrayEquals(expected, byColumns.toFloatArray());
            assertInstanceOf(Placement.Shard.class, byRows.placement().placement());
            assertEquals(Placement.REPLICATE, byColumns.placement().placement());
        }
    }
}
