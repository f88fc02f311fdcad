package dev.outpost.onnx.pipeline;

import dev.outpost.onnx.type.TransferPrecision;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The settings of a pipeline.
 *
 * @param precision the precision of activations between stages
 * @param isOptimized true if nodes of a stage may be fused
 * @param stages number of stages of equal cost; empty for the best division
 * @param maxInFlight the maximum number of batches under way
 * @param timeout the maximum time that a stage waits for the results of an earlier one
 * @param inputs the types of the inputs for which the model is divided
 */
public record PipelineSettings(
        TransferPrecision precision,
        boolean isOptimized,
        OptionalInt stages,
        int maxInFlight,
        Duration timeout,
        Map<String, TensorType> inputs) {}
