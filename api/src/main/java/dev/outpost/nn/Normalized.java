package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.List;

/**
 * A normalized tensor and its statistics.
 *
 * @param output the normalized tensor, scaled and shifted
 * @param mean the mean that was subtracted
 * @param inverseDeviation 1 / sqrt(variance + eps)
 */
public record Normalized(Tensor output, Tensor mean, Tensor inverseDeviation) {
    List<Tensor> tensors() {
        return List.of(output, mean, inverseDeviation);
    }
}
