package dev.outpost.models.pipeline;

import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.pipeline.LayerDivision.Costs;
import dev.outpost.models.pipeline.LayerDivision.Part;
import dev.outpost.models.pipeline.LayerDivision.Room;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Divides a decoder over the present machines, and makes them load their layers.
 *
 * @param uri the location of the model, which each machine opens
 * @param dtype the dtype of weights, caches and hidden states
 */
record StagePlanner(String uri, ModelConfig config, DType dtype, Costs costs, DecoderPipelineOptions options) {
    /** @throws OutpostException if the machines have too little memory */
    List<Part> divide(List<StageMachine> machines) {
        return LayerDivision.divide(costs, rooms(machines), options.stages());
    }

    /** Divides like {@link #divide}, but uses fewer machines if fewer are left than the options ask for. */
    List<Part> divideAgain(List<StageMachine> machines) {
        boolean isEnough = machines.size() >= options.stages().orElse(1);
        return LayerDivision.divide(costs, rooms(machines), isEnough ? options.stages() : OptionalInt.empty());
    }

    private static List<Room> rooms(List<StageMachine> machines) {
        return machines.stream()
                .map(machine -> new Room(machine.name(), machine.memoryBytes()))
                .toList();
    }

    /** Waits until each machine has loaded its layers. */
    StageDeployment open(List<StageMachine> machines, List<Part> division) {
        return StageDeployment.open(uri, config, dtype, options.textTokens(), machines, division, options.timeout());
    }

    /**
     * Returns a line for each part.
     *
     * @param ofParts the machine of each part
     */
    static List<String> lines(List<Part> parts, List<StageMachine> ofParts) {
        return IntStream.range(0, parts.size())
                .mapToObj(stage -> ofParts.get(stage).name() + ": layers "
                        + parts.get(stage).first() + " to " + (parts.get(stage).end() - 1))
                .toList();
    }
}
