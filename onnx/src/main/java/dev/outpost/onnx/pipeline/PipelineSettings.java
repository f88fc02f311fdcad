package dev.outpost.onnx.pipeline;

import dev.outpost.onnx.type.TransferPrecision;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/**
 * How a pipeline works.
 *
 * @param precision how activations travel
 * @param isOptimized whether nodes of a stage may be fused
 * @param stages how many there are, of equal cost; the best division where it is empty
 * @param maxInFlight how many batches may be under way
 * @param timeout how long a stage waits for what an earlier one computes
 * @param inputs types of the inputs for which the model is divided
 */
public record PipelineSettings(
        TransferPrecision precision,
        boolean isOptimized,
        OptionalInt stages,
        int maxInFlight,
        Duration timeout,
        Map<String, TensorType> inputs) {}
