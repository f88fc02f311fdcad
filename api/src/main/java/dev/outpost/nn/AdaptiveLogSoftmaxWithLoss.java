package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A softmax over many classes, some of which are frequent (Grave et al., 2017; torch.nn.AdaptiveLogSoftmaxWithLoss).
 * The head has the frequent classes, and one class for each cluster of rarer ones. Each cluster has its own layers,
 * which are smaller for rarer classes. All clusters are computed for all rows, so that no shape depends on targets.
 */
public final class AdaptiveLogSoftmaxWithLoss extends Module {
    private final long classes;
    private final long[] cutoffs;
    private final long inFeatures;
    private final Linear head;
    private final ModuleList<Sequential> tail;

    /**
     * The result for a batch.
     *
     * @param output the logarithm of the target's probability, {@code [batch]}
     * @param loss the negative mean of {@code output}
     */
    public record Result(Tensor output, Tensor loss) {
        List<Tensor> tensors() {
            return List.of(output, loss);
        }
    }

    /**
     * Creates a layer whose clusters each have a quarter of the features of the cluster before. The head has no bias.
     */
    public AdaptiveLogSoftmaxWithLoss(long inFeatures, long classes, long... cutoffs) {
        this(inFeatures, classes, cutoffs, 4, false);
    }

    /**
     * Creates a layer with all of its settings.
     *
     * @param inFeatures the features of each row
     * @param classes the number of classes; the most frequent ones come first
     * @param cutoffs the first class of each cluster, ascending, below the number of classes
     * @param divisor the factor by which each cluster has fewer features than the cluster before
     * @param headBias true if the head has a bias
     */
    public AdaptiveLogSoftmaxWithLoss(long inFeatures, long classes, long[] cutoffs, double divisor, boolean headBias) {
        requireCutoffs(classes, cutoffs);
        this.inFeatures = inFeatures;
        this.classes = classes;
        this.cutoffs = LongStream.concat(Arrays.stream(cutoffs), LongStream.of(classes))
                .toArray();
        head = register("head", new Linear(inFeatures, cutoffs[0] + cutoffs.length, headBias));
        List<Sequential> clusters = new ArrayList<>();
        for (int cluster = 0; cluster < cutoffs.length; cluster++) {
            long hidden = (long) Math.floor(inFeatures / Math.pow(divisor, cluster + 1));
            long size = this.cutoffs[cluster + 1] - this.cutoffs[cluster];
            clusters.add(new Sequential(new Linear(inFeatures, hidden, false), new Linear(hidden, size, false)));
        }
        tail = register("tail", new ModuleList<>(clusters));
    }

    private static void requireCutoffs(long classes, long[] cutoffs) {
        boolean ascends = cutoffs.length > 0 && cutoffs[0] > 0 && cutoffs[cutoffs.length - 1] < classes;
        for (int index = 1; index < cutoffs.length; index++) {
            ascends &= cutoffs[index - 1] < cutoffs[index];
        }
        if (!ascends) {
            throw new OpException(
                    "adaptive_log_softmax",
                    "cutoffs must ascend between 1 and " + (classes - 1) + ", got " + Arrays.toString(cutoffs));
        }
    }

    /** Computes the loss of rows {@code [batch, inFeatures]} and classes {@code [batch]}, or of one row and one class. */
    public Result forward(Tensor input, Tensor target) {
        requireRows(input);
        if (!target.dtype().isIntegral() || target.dim() != input.dim() - 1) {
            throw new OpException(
                    "adaptive_log_softmax",
                    "a class for each row is needed, got " + target.type() + " for " + input.type());
        }
        return Scope.tidy(
                () -> {
                    Tensor output = logProb(input)
                            .gather(-1, target.int64().unsqueeze(-1))
                            .squeeze(-1);
                    return new Result(output, output.neg().mean());
                },
                Result::tensors);
    }

    private void requireRows(Tensor input) {
        if (input == null || input.dim() < 1 || input.dim() > 2 || input.size(-1) != inFeatures) {
            throw new OpException(
                    "adaptive_log_softmax",
                    "expected [" + inFeatures + "] or [batch, " + inFeatures + "], got "
                            + (input == null ? null : input.shape()));
        }
    }

    /** Returns the logarithms of all probabilities, {@code [batch, classes]} or {@code [classes]}. */
    public Tensor logProb(Tensor input) {
        requireRows(input);
        return Scope.tidy(() -> {
            Tensor first = head.call(input).logSoftmax(-1);
            List<Tensor> parts = new ArrayList<>(List.of(first.narrow(-1, 0, cutoffs[0])));
            int cluster = 0;
            for (Sequential layers : tail) {
                Tensor within = layers.call(input).logSoftmax(-1);
                parts.add(within.add(first.narrow(-1, cutoffs[0] + cluster, 1)));
                cluster++;
            }
            return Tensors.cat(parts, -1);
        });
    }

    /** Returns the most probable class of each row. */
    public Tensor predict(Tensor input) {
        return Scope.tidy(() -> logProb(input).argmax(-1));
    }

    @Override
    protected String settings() {
        return "n_classes=" + classes + ", cutoffs=" + Arrays.toString(cutoffs);
    }
}
