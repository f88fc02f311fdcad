package dev.outpost.models.lora;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;

/**
 * The settings of an adapter (Hu et al., 2021), by PEFT's names.
 *
 * @param rank of the two factors, at least 1 (r)
 * @param alpha what the factors' product is multiplied by, over the rank (lora_alpha)
 * @param dropout the probability with which an element of a layer's input is zero for the adapter while it is trained
 * @param targets the layers that are adapted: whole names, or their last parts such as {@code q_proj}; empty for all but the head
 *     (target_modules)
 * @param isRankStabilized whether alpha is divided by the root of the rank (Kalajdzievski, 2023; use_rslora)
 */
public record LoraConfig(int rank, double alpha, double dropout, List<String> targets, boolean isRankStabilized) {
    public LoraConfig {
        targets = List.copyOf(targets);
        if (rank < 1 || !(alpha > 0) || !(dropout >= 0 && dropout < 1)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "lora: expected a rank from 1 on, alpha above 0 and a dropout from 0 to below 1, got rank " + rank
                            + ", alpha " + alpha + " and dropout " + dropout);
        }
    }

    /** Of all layers but the head, without dropout; alpha is twice the rank. */
    public static LoraConfig rank(int rank) {
        return new LoraConfig(rank, 2.0 * rank, 0, List.of(), false);
    }

    /** The same with another alpha. */
    public LoraConfig alpha(double newAlpha) {
        return new LoraConfig(rank, newAlpha, dropout, targets, isRankStabilized);
    }

    /** The same with another dropout. */
    public LoraConfig dropout(double newDropout) {
        return new LoraConfig(rank, alpha, newDropout, targets, isRankStabilized);
    }

    /** The same on other layers. */
    public LoraConfig targets(String... names) {
        return new LoraConfig(rank, alpha, dropout, List.of(names), isRankStabilized);
    }

    /** The factor of the product of the two matrices. */
    public double scale() {
        return alpha / (isRankStabilized ? Math.sqrt(rank) : rank);
    }

    /** Whether a layer of that name is one of the targets. */
    boolean isTarget(String name) {
        return targets.isEmpty()
                || targets.stream().anyMatch(target -> name.equals(target) || name.endsWith("." + target));
    }
}
