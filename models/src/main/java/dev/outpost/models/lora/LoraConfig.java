package dev.outpost.models.lora;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;

/**
 * The settings of an adapter (Hu et al., 2021), by PEFT's names.
 *
 * @param rank the rank of the two factors, at least 1 (r)
 * @param alpha the factor of the product, before it is divided by the rank (lora_alpha)
 * @param dropout the probability that an element of a layer's input is zero for the adapter in training
 * @param targets the adapted layers: whole names or last parts such as {@code q_proj}; empty for all but the head
 *     (target_modules)
 * @param isRankStabilized true to divide alpha by the root of the rank (Kalajdzievski, 2023; use_rslora)
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

    /** Returns settings for all layers but the head, without dropout, with twice the rank as alpha. */
    public static LoraConfig rank(int rank) {
        return new LoraConfig(rank, 2.0 * rank, 0, List.of(), false);
    }

    /** Returns a copy with another alpha. */
    public LoraConfig alpha(double newAlpha) {
        return new LoraConfig(rank, newAlpha, dropout, targets, isRankStabilized);
    }

    /** Returns a copy with another dropout. */
    public LoraConfig dropout(double newDropout) {
        return new LoraConfig(rank, alpha, newDropout, targets, isRankStabilized);
    }

    /** Returns a copy for other layers. */
    public LoraConfig targets(String... names) {
        return new LoraConfig(rank, alpha, dropout, List.of(names), isRankStabilized);
    }

    /** Returns the factor of the product of the two matrices. */
    public double scale() {
        return alpha / (isRankStabilized ? Math.sqrt(rank) : rank);
    }

    boolean isTarget(String name) {
        return targets.isEmpty()
                || targets.stream().anyMatch(target -> name.equals(target) || name.endsWith("." + target));
    }
}
