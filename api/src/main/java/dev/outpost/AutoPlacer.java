package dev.outpost;

import dev.outpost.autograd.GradMode;
import dev.outpost.client.group.GroupRecorder;
import dev.outpost.client.sharding.PlacementCost;
import dev.outpost.client.sharding.PlacementSearch;
import dev.outpost.client.sharding.RecordedSegment;
import dev.outpost.internal.States;
import dev.outpost.sharding.AutoPlacement;
import dev.outpost.sharding.GroupCosts;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/** Proposes placements for a model: records one step, and searches for the placement that makes this step fastest. */
final class AutoPlacer {
    private final MachineGroup group;
    private final GroupRecorder recorder;

    AutoPlacer(MachineGroup group, GroupRecorder recorder) {
        this.group = group;
        this.recorder = recorder;
    }

    /** @param memory bytes that parameters, gradients and moments may take on a member */
    AutoPlacement propose(
            SequencedMap<String, Tensor> parameters, Supplier<Tensor> loss, GroupCosts costs, long memory) {
        PlacementSearch search = search(parameters, loss, costs, memory);
        PlacementSearch.Found found = search.search();
        SequencedMap<String, Sharding> placed = new LinkedHashMap<>();
        int index = 0;
        for (Map.Entry<String, Tensor> each : parameters.entrySet()) {
            placed.put(
                    each.getKey(),
                    search.sharding(each.getValue().type(), found.parts().get(++index)));
        }
        Map<String, Double> alternatives = Map.of(
                "all whole", search.seconds(search.uniform(-1, -1)),
                "batch cut, parameters whole", search.seconds(search.uniform(0, -1)),
                "batch and parameters cut by rows", search.seconds(search.uniform(0, 0)),
                "matrices cut in turn", search.seconds(search.alternating()));
        return new AutoPlacement(
                found.isBatchCut(), placed, found.seconds(), search.bytes(found.parts()), costs, alternatives);
    }

    /** Returns the search over the placements of parameters in one step. */
    PlacementSearch search(
            SequencedMap<String, Tensor> parameters, Supplier<Tensor> loss, GroupCosts costs, long memory) {
        List<Long> names = parameters.values().stream()
                .map(parameter -> recorder.value(States.cell(parameter)).id())
                .toList();
        List<TensorType> types = parameters.values().stream().map(Tensor::type).toList();
        List<RecordedSegment> step = recorder.recording(() -> differentiate(parameters, loss));
        return new PlacementSearch(new PlacementCost(step, group.size(), costs), names, types, group.size(), memory);
    }

    /** Runs forward and backward without the optimizer, pairs each gradient with its parameter, and restores the gradients. */
    private void differentiate(SequencedMap<String, Tensor> parameters, Supplier<Tensor> loss) {
        try (Scope scope = group.scope()) {
            Map<Tensor, Tensor> before = new IdentityHashMap<>();
            parameters.values().forEach(parameter -> {
                before.put(parameter, parameter.grad());
                parameter.grad(null);
            });
            loss.get().backward();
            parameters.values().forEach(parameter -> {
                Tensor gradient = parameter.grad();
                if (gradient != null) {
                    GradMode.noGrad(() -> {
                        parameter.sub(gradient);
                    });
                }
                parameter.grad(before.get(parameter));
            });
        }
    }
}
