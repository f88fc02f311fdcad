package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the next tokens of texts that each have a rule of their own. What the rules say lies on the machine, a row for each text;
 * only what some text asks for is computed.
 */
final class RowSampler implements AutoCloseable {
    /** What the texts of a step ask for, so that a step without it is another program. */
    record Features(boolean draws, boolean isTypical, boolean hasPenalties, boolean hasBias, boolean isConstrained) {
        static final Features NONE = new Features(false, false, false, false, false);

        Features with(Sampling rule, boolean constrained) {
            return new Features(
                    draws || !rule.isGreedy(),
                    isTypical || rule.typicalP() < 1,
                    hasPenalties || rule.hasPenalties(),
                    hasBias || !rule.logitBias().isEmpty(),
                    isConstrained || constrained);
        }
    }

    /** Temperature, top-p, min-p, typical-p, the three penalties. */
    private static final int RULES = 7;

    private final RemoteMachine machine;
    private final int vocabulary;
    /** {@code [rows, RULES]}. */
    private final Tensor rules;
    /** {@code [rows, 1]}, int64. */
    private final Tensor topK;
    /** Whether a token is in the text, {@code [rows, vocabulary]}; made when it is needed. */
    private Tensor seen;

    private Tensor counts;
    private Tensor bias;
    private final int rows;

    RowSampler(RemoteMachine machine, int rows, int vocabulary) {
        this.machine = machine;
        this.rows = rows;
        this.vocabulary = vocabulary;
        rules = machine.unscoped(() -> machine.ones(rows, RULES));
        topK = machine.unscoped(() -> machine.full(vocabulary, DType.INT64, rows, 1));
    }

    private Tensor table() {
        return machine.unscoped(() -> machine.zeros(rows, vocabulary));
    }

    /** A text begins in a row. */
    void begin(Tensor row, int[] prompt, Sampling rule) {
        float[] values = {
            (float) rule.temperature(),
            (float) rule.topP(),
            (float) rule.minP(),
            (float) rule.typicalP(),
            (float) rule.repetitionPenalty(),
            (float) rule.presencePenalty(),
            (float) rule.frequencyPenalty()
        };
        long kept = rule.topK() == 0 ? vocabulary : Math.min(rule.topK(), vocabulary);
        rules.indexCopy_(0, row, machine.tensor(values, 1, RULES));
        topK.indexCopy_(0, row, machine.tensor(new long[] {kept}, 1, 1));
        if (rule.hasPenalties() || seen != null) {
            beginPenalties(row, prompt);
        }
        if (!rule.logitBias().isEmpty() || bias != null) {
            bias = bias == null ? table() : bias;
            float[] added = new float[vocabulary];
            rule.logitBias().forEach((token, value) -> added[token] = value.floatValue());
            bias.indexCopy_(0, row, machine.tensor(added, 1, vocabulary));
        }
    }

    private void beginPenalties(Tensor row, int[] prompt) {
        if (seen == null) {
            seen = table();
            counts = table();
        }
        float[] there = new float[vocabulary];
        for (int id : prompt) {
            there[id] = 1;
        }
        seen.indexCopy_(0, row, machine.tensor(there, 1, vocabulary));
        counts.indexCopy_(0, row, machine.zeros(1, vocabulary));
    }

    /**
     * The next tokens, {@code [rows]}, int64.
     *
     * @param scores {@code [rows, vocabulary]}, float32; −∞ where a token is not allowed
     * @param drawn from 0 to 1, {@code [rows]}
     */
    Tensor next(Features features, Tensor scores, Tensor drawn) {
        Tensor changed = changed(features, scores);
        Tensor best = changed.argmax(-1);
        Tensor chosen =
                features.draws ? Tensors.where(rule(0).squeeze(-1).eq(0), best, draw(features, changed, drawn)) : best;
        if (features.hasPenalties) {
            Tensor places = chosen.unsqueeze(-1);
            counts.scatterAdd_(1, places, machine.ones(rows, 1));
            seen.scatter_(1, places, 1);
        }
        return chosen;
    }

    /** {@code [rows, 1]}. */
    private Tensor rule(int which) {
        return rules.narrow(1, which, 1);
    }

    private Tensor changed(Features features, Tensor scores) {
        Tensor biased = features.hasBias ? scores.add(bias) : scores;
        if (!features.hasPenalties) {
            return biased;
        }
        Tensor repeated = Tensors.where(biased.gt(0), biased.div(rule(4)), biased.mul(rule(4)));
        return Tensors.where(seen.gt(0), repeated, biased)
                .sub(counts.mul(rule(6)))
                .sub(counts.gt(0).to(DType.FLOAT32).mul(rule(5)));
    }

    private Tensor draw(Features features, Tensor scores, Tensor drawn) {
        ValuesAndIndices best = scores.sort(-1, true);
        Tensor rest = best.values().div(rule(0).clampMin(1e-6));
        rest = rest.maskedFill(machine.arange(vocabulary).ge(topK), Double.NEGATIVE_INFINITY);
        Tensor likely = rest.softmax(-1);
        rest = rest.maskedFill(likely.cumsum(-1).sub(likely).ge(rule(1)), Double.NEGATIVE_INFINITY);
        Tensor again = rest.softmax(-1);
        rest = rest.maskedFill(again.lt(again.narrow(-1, 0, 1).mul(rule(2))), Double.NEGATIVE_INFINITY);
        if (features.isTypical) {
            rest = Tensors.where(rule(3).lt(1), Sampler.typical(rest, rule(3)), rest);
        }
        Tensor sums = rest.softmax(-1).cumsum(-1);
        Tensor wanted = drawn.unsqueeze(-1).mul(sums.narrow(-1, vocabulary - 1, 1));
        Tensor place = sums.le(wanted).to(DType.INT64).sum(-1, true).clampMax(vocabulary - 1);
        return best.indices().gather(-1, place).squeeze(-1);
    }

    @Override
    public void close() {
        List<Tensor> held = new ArrayList<>(List.of(rules, topK));
        for (Tensor perhaps : new Tensor[] {seen, counts, bias}) {
            if (perhaps != null) {
                held.add(perhaps);
            }
        }
        held.forEach(Tensor::close);
    }
}
