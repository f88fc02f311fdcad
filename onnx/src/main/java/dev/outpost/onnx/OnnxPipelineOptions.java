package dev.outpost.onnx;

import dev.outpost.onnx.type.OnnxException;
import dev.outpost.onnx.type.TransferPrecision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The options of a pipeline. Each setter changes this object and returns it. */
public final class OnnxPipelineOptions {
    private TransferPrecision precision = TransferPrecision.EXACT;
    private boolean isOptimized;
    private OptionalInt stages = OptionalInt.empty();
    private int maxInFlight;
    private Duration timeout = Duration.ofMinutes(5);
    private final Map<String, long[]> inputShapes = new LinkedHashMap<>();

    /** Sets the precision of activations between stages; exact by default. */
    public OnnxPipelineOptions precision(TransferPrecision wanted) {
        precision = wanted;
        return this;
    }

    /**
     * Sets whether ONNX Runtime may fuse nodes of a stage. This is faster, but rounds differently, so that the bits depend on
     * the cuts. False by default.
     */
    public OnnxPipelineOptions optimized(boolean mayFuse) {
        isOptimized = mayFuse;
        return this;
    }

    /**
     * Sets a fixed number of stages with similar numbers of operations, instead of the best division, as long as there are
     * enough workers. For tests and comparisons.
     */
    public OnnxPipelineOptions stages(int count) {
        if (count < 1) {
            throw new OnnxException("expected a number of stages from 1 on, got " + count);
        }
        stages = OptionalInt.of(count);
        return this;
    }

    /**
     * Sets the maximum number of batches that may be under way; a caller that starts more batches waits. By default
     * two for each stage, and one more.
     */
    public OnnxPipelineOptions mostInFlight(int batches) {
        if (batches < 1) {
            throw new OnnxException("expected a number of batches from 1 on, got " + batches);
        }
        maxInFlight = batches;
        return this;
    }

    /**
     * Sets the time for which a stage waits for the results of an earlier stage before its batch fails; five minutes
     * by default. The loss of a worker is detected earlier.
     */
    public OnnxPipelineOptions timeout(Duration atMost) {
        if (!atMost.isPositive()) {
            throw new OnnxException("expected a patience that is positive, got " + atMost);
        }
        timeout = atMost;
        return this;
    }

    /** Sets the shape of an input for the division of the model. Without it, sizes that the model leaves open count as 1. */
    public OnnxPipelineOptions inputShape(String input, long... sizes) {
        inputShapes.put(input, sizes.clone());
        return this;
    }

    TransferPrecision precision() {
        return precision;
    }

    boolean isOptimized() {
        return isOptimized;
    }

    OptionalInt stages() {
        return stages;
    }

    int mostInFlightOver(int stageCount) {
        return maxInFlight == 0 ? 2 * stageCount + 1 : maxInFlight;
    }

    Duration timeout() {
        return timeout;
    }

    Map<String, long[]> inputShapes() {
        return inputShapes;
    }
}
