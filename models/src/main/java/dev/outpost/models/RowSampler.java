package dev.outpost.models;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.models.constraint.ConstraintTable;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the next tokens of texts that each have their own sampling rule. Each step receives the rules, a row for
 * each token to choose. The state for penalties, biases and constraints is on the machine, a row for each slot, so a
 * step can be enqueued before the tokens of the previous step are read. Only requested features are computed. Not
 * thread-safe.
 */
public final class RowSampler implements AutoCloseable {
    /** The features that the tokens of a step request. Each combination is a separate program. */
    public record Kind(
            boolean draws,
            boolean cuts,
            boolean isTypical,
            boolean hasPenalties,
            boolean isBiased,
            boolean isConstrained,
            boolean hasLogprobs) {
        public static Kind of(List<SamplingMetadata> choices) {
            Kind kind = new Kind(false, false, false, false, false, false, false);
            for (SamplingMetadata sampling : choices) {
                kind = kind.with(sampling);
            }
            return kind;
        }

        private Kind with(SamplingMetadata sampling) {
            Sampling rule = sampling.sampling();
            boolean isDrawn = !rule.isGreedy();
            boolean isCut = rule.topK() > 0 || rule.topP() < 1 || rule.minP() > 0 || rule.typicalP() < 1;
            return new Kind(
                    draws || isDrawn,
                    cuts || isDrawn && isCut,
                    isTypical || isDrawn && rule.typicalP() < 1,
                    hasPenalties || rule.hasPenalties(),
                    isBiased || !rule.logitBias().isEmpty(),
                    isConstrained || sampling.isConstrained(),
                    hasLogprobs || sampling.wantsLogprobs());
        }

        /** True if the step reads the rules. */
        boolean hasRules() {
            return draws || hasPenalties || isBiased || isConstrained;
        }
    }

    private static final int TEMPERATURE = 0;
    private static final int TOP_K = 1;
    private static final int TOP_P = 2;
    private static final int MIN_P = 3;
    private static final int TYPICAL_P = 4;
    private static final int REPETITION = 5;
    private static final int PRESENCE = 6;
    private static final int FREQUENCY = 7;
    private static final int IS_BIASED = 8;
    private static final int IS_CONSTRAINED = 9;
    private static final int DRAWN = 10;
    private static final int TOKENS_LEFT = 11;
    /** The number of values in a rule. */
    private static final int RULE = 12;

    private final RemoteMachine machine;
    private final int slots;
    private final int vocabulary;
    /**
     * The marks of the tokens that are in the text of each slot, {@code [slots · vocabulary]}. This and the following tensors
     * are created when first needed.
     */
    private @Nullable Tensor seen;
    /** The count of each generated token. */
    private @Nullable Tensor counts;

    private @Nullable Tensor bias;
    private @Nullable ConstraintTable constraints;
    /** The state of the constraint's automaton, {@code [slots]}. */
    private @Nullable Tensor states;
    /** The row of the constraint's token classes. */
    private @Nullable Tensor classRows;

    private final Map<Integer, TokenConstraint> ofSlots = new HashMap<>();

    public RowSampler(RemoteMachine machine, int slots, int vocabulary) {
        this.machine = machine;
        this.slots = slots;
        this.vocabulary = vocabulary;
    }

    /** Sets the initial state of a slot for a text that begins or continues there. */
    public void begin(int slot, SequenceInit init) {
        requireFits(init);
        machine.unscoped(() -> Scope.tidy(() -> {
            if (init.sampling().hasPenalties()) {
                beginPenalties(slot, init);
            }
            if (!init.sampling().logitBias().isEmpty()) {
                bias = bias == null ? table() : bias;
                set(bias, slot, init.bias(vocabulary));
            }
            if (init.constraint() != null) {
                beginConstraint(slot, init);
            }
            return null;
        }));
    }

    private void requireFits(SequenceInit init) {
        init.sampling().logitBias().keySet().forEach(token -> {
            if (token < 0 || token >= vocabulary) {
                throw new IllegalArgumentException(
                        "sampling: a bias is for a token below " + vocabulary + ", got " + token);
            }
        });
        if (init.constraint() != null && init.constraint().vocabulary() != vocabulary) {
            throw new OutpostException(
                    FaultKind.USER,
                    "constraint: it is for " + init.constraint().vocabulary() + " tokens, and the model has "
                            + vocabulary);
        }
    }

    private Tensor table() {
        return machine.unscoped(() -> machine.zeros((long) slots * vocabulary));
    }

    private void set(Tensor table, int slot, float[] values) {
        table.narrow(0, (long) slot * vocabulary, vocabulary).copy_(machine.tensor(values, vocabulary));
    }

    private void beginPenalties(int slot, SequenceInit init) {
        if (seen == null) {
            seen = table();
            counts = table();
        }
        set(seen, slot, init.seen(vocabulary));
        set(counts, slot, init.counts(vocabulary));
    }

    private void beginConstraint(int slot, SequenceInit init) {
        if (constraints == null) {
            constraints = new ConstraintTable(machine, vocabulary);
            states = machine.unscoped(() -> machine.zeros(DType.INT64, slots));
            classRows = machine.unscoped(() -> machine.zeros(DType.INT64, slots));
        }
        ofSlots.put(slot, init.constraint());
        ConstraintTable.Beginning at =
                constraints.begin(init.constraint(), init.state(), new HashSet<>(ofSlots.values()));
        states.narrow(0, slot, 1).fill_(at.state());
        classRows.narrow(0, slot, 1).fill_(at.row());
    }

    /** Returns the inputs of a step except its scores, in the order in which {@link #next} reads them. */
    public List<Tensor> inputs(Kind kind, List<SamplingMetadata> choices, int size) {
        List<Tensor> inputs = new ArrayList<>();
        if (kind.hasRules()) {
            inputs.add(machine.tensor(rules(choices, size), size, RULE));
        }
        if (kind.isConstrained) {
            inputs.add(constraints.moves());
            inputs.add(constraints.classes());
        }
        return inputs;
    }

    private static float[] rules(List<SamplingMetadata> choices, int size) {
        float[] rules = new float[RULE * size];
        for (int choice = 0; choice < size; choice++) {
            SamplingMetadata next = choice < choices.size() ? choices.get(choice) : SamplingMetadata.BEST;
            Sampling rule = next.sampling();
            int at = RULE * choice;
            rules[at + TEMPERATURE] = (float) rule.temperature();
            rules[at + TOP_K] = rule.topK() == 0 ? Float.MAX_VALUE : rule.topK();
            rules[at + TOP_P] = (float) rule.topP();
            rules[at + MIN_P] = (float) rule.minP();
            rules[at + TYPICAL_P] = (float) rule.typicalP();
            rules[at + REPETITION] = (float) rule.repetitionPenalty();
            rules[at + PRESENCE] = (float) rule.presencePenalty();
            rules[at + FREQUENCY] = (float) rule.frequencyPenalty();
            rules[at + IS_BIASED] = rule.logitBias().isEmpty() ? 0 : 1;
            rules[at + IS_CONSTRAINED] = next.isConstrained() ? 1 : 0;
            rules[at + DRAWN] = next.drawn();
            rules[at + TOKENS_LEFT] = next.tokensLeft();
        }
        return rules;
    }

    /**
     * Chooses the next tokens, {@code [rows]}, int64. Must be called within a program.
     *
     * @param scores {@code [rows, vocabulary]}, float32
     * @param slot the slot of each row's text, {@code [rows]}, int64; at most one row for each text
     * @param inputs the result of {@link #inputs}
     */
    public Tensor next(Kind kind, Tensor scores, Tensor slot, List<Tensor> inputs) {
        Tensor rules = kind.hasRules() ? inputs.getFirst() : null;
        Tensor changed = changed(kind, scores, slot, rules);
        Tensor behind = null;
        if (kind.isConstrained) {
            Tensor isHeld = rule(rules, IS_CONSTRAINED).squeeze(-1).to(DType.INT64);
            Tensor state = states.indexSelect(0, slot).mul(isHeld);
            Tensor allowed = ConstraintTable.behind(
                    inputs.get(1),
                    inputs.get(2),
                    state,
                    classRows.indexSelect(0, slot).mul(isHeld));
            behind = ConstraintTable.endingInTime(inputs.get(1), allowed, state, rule(rules, TOKENS_LEFT));
            changed = changed.maskedFill(behind.lt(0), Double.NEGATIVE_INFINITY);
        }
        Tensor chosen = kind.draws ? drawn(kind, changed, rules) : changed.argmax(-1);
        if (behind != null) {
            Tensor after = behind.gather(1, chosen.unsqueeze(-1)).squeeze(-1).to(DType.INT64);
            states.indexCopy_(0, slot, after);
        }
        if (kind.hasPenalties) {
            Tensor positions = slot.mul(vocabulary).add(chosen);
            counts.scatterAdd_(0, positions, machine.ones(positions.size(0)));
            seen.scatter_(0, positions, 1);
        }
        return chosen;
    }

    /** Returns a column of the rules, {@code [rows, 1]}. */
    private static Tensor rule(Tensor rules, int which) {
        return rules.narrow(1, which, 1);
    }

    private Tensor ofSlots(Tensor table, Tensor slot) {
        return table.reshape(slots, vocabulary).indexSelect(0, slot);
    }

    private Tensor changed(Kind kind, Tensor scores, Tensor slot, Tensor rules) {
        Tensor biased = kind.isBiased ? scores.add(ofSlots(bias, slot).mul(rule(rules, IS_BIASED))) : scores;
        if (!kind.hasPenalties) {
            return biased;
        }
        Tensor repetition = rule(rules, REPETITION);
        Tensor repeated = Tensors.where(biased.gt(0), biased.div(repetition), biased.mul(repetition));
        Tensor often = ofSlots(counts, slot);
        return Tensors.where(ofSlots(seen, slot).gt(0), repeated, biased)
                .sub(often.mul(rule(rules, FREQUENCY)))
                .sub(often.gt(0).to(DType.FLOAT32).mul(rule(rules, PRESENCE)));
    }

    /** Draws a token for each row by its own rule, independent of the other rows. */
    private Tensor drawn(Kind kind, Tensor scores, Tensor rules) {
        Tensor temperature = rule(rules, TEMPERATURE);
        Tensor heated = scores.div(temperature.clampMin(1e-6));
        Tensor drawn = rule(rules, DRAWN);
        Tensor chosen = place(heated, drawn);
        if (kind.cuts) {
            Tensor isCut = rule(rules, TOP_K)
                    .lt(Float.MAX_VALUE)
                    .logicalOr(rule(rules, TOP_P).lt(1))
                    .logicalOr(rule(rules, MIN_P).gt(0))
                    .logicalOr(rule(rules, TYPICAL_P).lt(1));
            chosen = Tensors.where(isCut, amongLikely(kind, heated, rules), chosen);
        }
        return Tensors.where(temperature.gt(0), chosen, scores.argmax(-1, true)).squeeze(-1);
    }

    private Tensor amongLikely(Kind kind, Tensor heated, Tensor rules) {
        ValuesAndIndices best = heated.sort(-1, true);
        Tensor ranks = machine.arange(vocabulary).to(DType.FLOAT32).unsqueeze(0);
        Tensor rest = best.values().maskedFill(ranks.ge(rule(rules, TOP_K)), Double.NEGATIVE_INFINITY);
        Tensor likely = rest.softmax(-1);
        Tensor before = likely.cumsum(-1).sub(likely);
        Tensor topP = rule(rules, TOP_P);
        rest = rest.maskedFill(before.ge(topP).logicalAnd(topP.lt(1)), Double.NEGATIVE_INFINITY);
        Tensor left = rest.softmax(-1);
        rest = rest.maskedFill(left.lt(left.narrow(-1, 0, 1).mul(rule(rules, MIN_P))), Double.NEGATIVE_INFINITY);
        if (kind.isTypical) {
            Tensor mass = rule(rules, TYPICAL_P);
            rest = Tensors.where(mass.lt(1), typical(rest, mass), rest);
        }
        return best.indices().gather(-1, place(rest, rule(rules, DRAWN)));
    }

    /** Returns the first index at which the cumulative probability exceeds the drawn number, {@code [rows, 1]}. */
    private static Tensor place(Tensor scores, Tensor drawn) {
        long count = scores.size(-1);
        Tensor sums = scores.softmax(-1).cumsum(-1);
        Tensor wanted = drawn.mul(sums.narrow(-1, count - 1, 1));
        return sums.le(wanted).to(DType.INT64).sum(-1, true).clampMax(count - 1);
    }

    /**
     * Keeps the scores of tokens whose information is nearest to the expected one (Meister et al., 2022).
     *
     * @param scores {@code [rows, tokens]}
     * @param mass the least sum of their probabilities, {@code [rows, 1]}
     */
    private static Tensor typical(Tensor scores, Tensor mass) {
        Tensor logs = scores.logSoftmax(-1);
        Tensor likely = logs.exp();
        // Removed tokens have probability 0 and add nothing.
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
        for (Tensor held : new Tensor[] {seen, counts, bias, states, classRows}) {
            if (held != null) {
                held.close();
            }
        }
        if (constraints != null) {
            constraints.close();
        }
    }
}
