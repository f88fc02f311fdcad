package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;

/**
 * Chooses tokens on the machine by a {@link Sampling}. What penalties go by, which tokens there were, is kept there as well.
 * Of one batch.
 */
final class Sampler implements AutoCloseable {
    private final Sampling sampling;
    private final long batch;
    private final int vocabulary;
    /** Whether a token is in the text, {@code [batch, vocabulary]}; null without penalties. */
    private final Tensor seen;
    /** How often it was generated. */
    private final Tensor counts;

    private final Tensor bias;

    Sampler(RemoteMachine machine, Sampling sampling, long batch, int vocabulary) {
        this.sampling = sampling;
        this.batch = batch;
        this.vocabulary = vocabulary;
        seen = sampling.hasPenalties() ? machine.unscoped(() -> machine.zeros(batch, vocabulary)) : null;
        counts = sampling.hasPenalties() ? machine.unscoped(() -> machine.zeros(batch, vocabulary)) : null;
        bias = sampling.logitBias().isEmpty() ? null : machine.unscoped(() -> bias(machine));
    }

    private Tensor bias(RemoteMachine machine) {
        float[] values = new float[vocabulary];
        sampling.logitBias().forEach((token, value) -> {
            if (token < 0 || token >= vocabulary) {
                throw new IllegalArgumentException(
                        "sampling: a bias is for a token below " + vocabulary + ", got " + token);
            }
            values[token] = value.floatValue();
        });
        return machine.tensor(values, vocabulary);
    }

    Sampling sampling() {
        return sampling;
    }

    /**
     * A text begins.
     *
     * @param prompts which tokens are in it, {@code [batch, vocabulary]} of 0 and 1; null without penalties
     */
    void begin(Tensor prompts) {
        if (seen != null) {
            seen.copy_(prompts);
            counts.zero_();
        }
    }

    /**
     * The next tokens.
     *
     * @param logits {@code [batch, vocabulary]}
     * @param drawn from 0 to 1, {@code [batch]}
     * @return {@code [batch]}, int64
     */
    Tensor next(Tensor logits, Tensor drawn) {
        Tensor chosen = Scope.tidy(() -> {
            Tensor scores = penalized(logits.to(DType.FLOAT32));
            return sampling.isGreedy() ? scores.argmax(-1) : draw(scores, drawn);
        });
        if (counts != null) {
            Scope.tidy(() -> {
                Tensor places = chosen.unsqueeze(-1);
                counts.scatterAdd_(1, places, places.machine().ones(batch, 1));
                return seen.scatter_(1, places, 1);
            });
        }
        return chosen;
    }

    private Tensor penalized(Tensor scores) {
        Tensor biased = bias == null ? scores : scores.add(bias);
        if (!sampling.hasPenalties()) {
            return biased;
        }
        double repetition = sampling.repetitionPenalty();
        Tensor repeated = Tensors.where(biased.gt(0), biased.div(repetition), biased.mul(repetition));
        return Tensors.where(seen.gt(0), repeated, biased)
                .sub(counts.mul(sampling.frequencyPenalty()))
                .sub(counts.gt(0).to(DType.FLOAT32).mul(sampling.presencePenalty()));
    }

    private Tensor draw(Tensor scores, Tensor drawn) {
        int kept = sampling.topK() == 0 ? vocabulary : Math.min(sampling.topK(), vocabulary);
        ValuesAndIndices best = kept == vocabulary ? scores.sort(-1, true) : scores.topk(kept, -1, true, true);
        Tensor rest = best.values().div(sampling.temperature());
        if (sampling.topP() < 1) {
            Tensor likely = rest.softmax(-1);
            Tensor before = likely.cumsum(-1).sub(likely);
            rest = rest.maskedFill(before.ge(sampling.topP()), Double.NEGATIVE_INFINITY);
        }
        if (sampling.minP() > 0) {
            Tensor likely = rest.softmax(-1);
            Tensor least = likely.narrow(-1, 0, 1).mul(sampling.minP());
            rest = rest.maskedFill(likely.lt(least), Double.NEGATIVE_INFINITY);
        }
        if (sampling.typicalP() < 1) {
            rest = typical(rest, sampling.typicalP());
        }
        // The first whose sum of probabilities is over what was drawn.
        Tensor sums = rest.softmax(-1).cumsum(-1);
        Tensor wanted = drawn.unsqueeze(-1).mul(sums.narrow(-1, kept - 1, 1));
        Tensor place = sums.le(wanted).to(DType.INT64).sum(-1, true).clampMax(kept - 1);
        return best.indices().gather(-1, place).squeeze(-1);
    }

    /**
     * Scores of which those remain whose information is nearest to the expected one (Meister et al., 2022).
     *
     * @param scores {@code [batch, tokens]}
     * @param mass what their probabilities sum up to at least
     */
    static Tensor typical(Tensor scores, double mass) {
        return typical(scores, scores.machine().full(mass, DType.FLOAT32, scores.size(0), 1));
    }

    /** @param mass of each row, {@code [batch, 1]} */
    static Tensor typical(Tensor scores, Tensor mass) {
        Tensor logs = scores.logSoftmax(-1);
        Tensor likely = logs.exp();
        // What was cut off has probability 0, and adds nothing.
        Tensor finite = logs.clampMin(-1e30);
        Tensor expected = likely.mul(finite).sum(-1, true).neg();
        Tensor distance = finite.neg().sub(expected).abs();
        ValuesAndIndices near = distance.sort(-1, false);
        Tensor sums = likely.gather(-1, near.indices()).cumsum(-1);
        Tensor last = sums.lt(mass).to(DType.INT64).sum(-1, true).clampMax(scores.size(-1) - 1);
        Tensor farthest = near.values().gather(-1, last);
        return scores.maskedFill(distance.gt(farthest), Double.NEGATIVE_INFINITY);
    }

    @Override
    public void close() {
        for (Tensor held : new Tensor[] {seen, counts, bias}) {
            if (held != null) {
                held.close();
            }
        }
    }
}
