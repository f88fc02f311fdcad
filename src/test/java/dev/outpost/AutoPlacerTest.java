package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.client.sharding.PlacementSearch;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.nn.Tanh;
import dev.outpost.sharding.AutoPlacement;
import dev.outpost.sharding.GroupCosts;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Compares proposed placements with the best of all, on four workers. */
class AutoPlacerTest {
    private static final GroupCosts COSTS = new GroupCosts(2e-11, 1e-10, 3e-5, 1e-9);
    private static final double MARGIN = 1.1;

    private static SequencedMap<String, Tensor> parameters(Module model) {
        SequencedMap<String, Tensor> parameters = new LinkedHashMap<>();
        model.namedParameters().forEach((name, parameter) -> parameters.put(name, parameter.tensor()));
        return parameters;
    }

    private static Supplier<Tensor> loss(MachineGroup group, Module model, int rows, int features) {
        return () -> model.forward(group.tensor(HostTensor.of(new float[rows * features], rows, features)))
                .pow(2)
                .mean();
    }

    private static PlacementSearch assertNearBest(Module model, int rows, int features, long memory) {
        try (var group = MachineGroup.of("mock", "A100", 4)) {
            model.to(group.machine());
            PlacementSearch search = new AutoPlacer(group, group.machine().recorderOfGroup())
                    .search(parameters(model), loss(group, model, rows, features), COSTS, memory);
            PlacementSearch.Found found = search.search();
            PlacementSearch.Found best = search.exhaustive();
            assertTrue(found.seconds() <= MARGIN * best.seconds(), () -> "found " + found + ", the best is " + best);
            assertTrue(search.bytes(found.parts()) <= memory);
            return search;
        }
    }

    @Test
    void aLargeBatchIsCutByRows() {
        Module model = new Sequential(new Linear(32, 64), new ReLU(), new Linear(64, 8));
        PlacementSearch search = assertNearBest(model, 4096, 32, Long.MAX_VALUE);
        assertTrue(search.search().isBatchCut(), () -> search.search().toString());
    }

    @Test
    void wideLayersOfASmallBatchAreCut() {
        Module model = new Sequential(new Linear(512, 1024), new Tanh(), new Linear(1024, 512));
        PlacementSearch search = assertNearBest(model, 8, 512, Long.MAX_VALUE);
        assertTrue(
                search.search().parts().stream().skip(1).anyMatch(part -> part >= 0),
                () -> search.search().toString());
    }

    /** Whole parameters would take four times the memory of a worker. */
    @Test
    void parametersAreCutWhereMemoryIsShort() {
        Module model =
                new Sequential(new Linear(64, 64), new ReLU(), new Linear(64, 64), new ReLU(), new Linear(64, 64));
        long whole = 4L * 4 * 3 * (64 * 64 + 64);
        assertNearBest(model, 64, 64, whole / 3);
    }

    @Test
    void theProposalIsPlacedAndSaysWhy() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            Module model = new Sequential(new Linear(6, 8), new ReLU(), new Linear(8, 4));
            AutoPlacement proposal = model.auto(group, loss(group, model, 10, 6), Long.MAX_VALUE);
            assertTrue(proposal.toString().contains("instead of"), proposal::toString);
            proposal.parameters()
                    .forEach((name, sharding) -> assertEquals(
                            sharding, model.namedParameters().get(name).tensor().placement(), name));
            assertTrue(proposal.seconds() <= proposal.alternatives().get("batch cut, parameters whole"));
        }
    }
}
