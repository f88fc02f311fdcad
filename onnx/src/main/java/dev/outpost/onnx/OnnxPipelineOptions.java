package dev.outpost.onnx;

import dev.outpost.onnx.type.OnnxException;
import dev.outpost.onnx.type.TransferPrecision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/** How a model is cut and run. Each method changes this object and answers it. */
public final class OnnxPipelineOptions {
    private TransferPrecision precision = TransferPrecision.EXACT;
    private boolean isOptimized;
    private OptionalInt stages = OptionalInt.empty();
    private int maxInFlight;
    private Duration timeout = Duration.ofMinutes(5);
    private final Map<String, long[]> inputShapes = new LinkedHashMap<>();

    /** How activations travel between stages; as they are unless this is called. */
    public OnnxPipelineOptions precision(TransferPrecision wanted) {
        precision = wanted;
        return this;
    }

    /**
     * Whether ONNX Runtime may fuse nodes of a stage: faster, and rounded differently, so that the bits depend on where the model
     * is cut. Not unless this is called.
     */
    public OnnxPipelineOptions optimized(boolean mayFuse) {
        isOptimized = mayFuse;
        return this;
    }

    /**
     * Exactly so many stages of about as many operations each, instead of the best division, for as long as there are as many workers.
     * For tests and comparisons.
     */
    public OnnxPipelineOptions stages(int count) {
        if (count < 1) {
            throw new OnnxException("expected a number of stages from 1 on, got " + count);
        }
        stages = OptionalInt.of(count);
        return this;
    }

    /** How many batches may be under way; who gives more waits. Two for each stage, and one more, unless this is called. */
    public OnnxPipelineOptions mostInFlight(int batches) {
        if (batches < 1) {
            throw new OnnxException("expected a number of batches from 1 on, got " + batches);
        }
        maxInFlight = batches;
        return this;
    }

    /**
     * How long a stage waits for what an earlier one computes, before its batch fails; five minutes unless this is called. A worker
     * that is lost is noticed earlier.
     */
    public OnnxPipelineOptions timeout(Duration atMost) {
        if (!atMost.isPositive()) {
            throw new OnnxException("expected a patience that is positive, got " + atMost);
        }
        timeout = atMost;
        return this;
    }

    /** The shape of an input for which the model is divided; where it is not said, sizes that the model leaves open count as 1. */
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
