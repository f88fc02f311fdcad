package dev.outpost.models.training.tuning;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.outpost.models.lora.LoraConfig;
import dev.outpost.models.training.ComputePrecision;
import dev.outpost.models.training.TrainerOptions;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A fine-tuning, as a file describes it; docs/training.md has all members. What is null has its standard.
 *
 * @param model where the model is; the machine reads it
 * @param output a place of this run's own, for checkpoints and the result; the machine writes there
 * @param logs a folder of this host for measurements; none is written without
 * @param weights the dtype of weights; as stored for an adapter, float32 where all of the model is trained, unless given
 * @param quantize {@code int8} or {@code int4}: the model's own weights are quantized as they are read, and an adapter is trained on them
 * @param data what is learned
 * @param lora the adapter; without one all of the model is trained
 * @param optimizer of AdamW
 * @param schedule of the learning rate
 * @param training the loop
 */
public record FineTuneConfig(
        String model,
        String output,
        String logs,
        String weights,
        String quantize,
        Data data,
        Lora lora,
        Adam optimizer,
        Schedule schedule,
        Training training) {

    public FineTuneConfig {
        required("model", model);
        required("output", output);
        required("data", data);
        required("training", training);
        if (quantize != null && (lora == null || lora.merge())) {
            throw new OutpostException(
                    FaultKind.USER, "quantize: weights of a few bits take no change; lora is needed, without merge");
        }
        optimizer = optimizer == null ? new Adam(null, null, null, null) : optimizer;
        schedule = schedule == null ? new Schedule(null, null) : schedule;
    }

    /**
     * The data of a fine-tune.
     *
     * @param train a file or folder of this host, or a URI that the machine reads
     * @param evaluation as well; null for none
     * @param format of their lines; by the name of the first file unless given
     * @param rows of a batch; 8 unless given
     * @param tokens of a row; 512 unless given
     * @param pack whether a row has several texts; true unless given
     * @param shuffle whether lines come in another order each epoch; true unless given
     * @param seed of the order; 0 unless given
     */
    public record Data(
            String train,
            String evaluation,
            Format format,
            Integer rows,
            Integer tokens,
            Boolean pack,
            Boolean shuffle,
            Long seed) {
        public Data {
            required("data.train", train);
            rows = or(rows, 8);
            tokens = or(tokens, 512);
            pack = or(pack, true);
            shuffle = or(shuffle, true);
            seed = or(seed, 0L);
        }
    }

    /** The format of a line. */
    public enum Format {
        @JsonProperty("json")
        JSON,
        @JsonProperty("text")
        TEXT
    }

    /**
     * An adapter; see {@link LoraConfig}.
     *
     * @param rank 8 unless given
     * @param alpha twice the rank unless given
     * @param dropout 0 unless given
     * @param targets all layers but the head unless given
     * @param rankStabilized false unless given
     * @param merge whether the result is a model with the adapter in its weights, instead of an adapter; false unless given
     */
    public record Lora(
            Integer rank, Double alpha, Double dropout, List<String> targets, Boolean rankStabilized, Boolean merge) {
        public Lora {
            rank = or(rank, 8);
            alpha = or(alpha, 2.0 * rank);
            dropout = or(dropout, 0.0);
            targets = targets == null ? List.of() : List.copyOf(targets);
            rankStabilized = or(rankStabilized, false);
            merge = or(merge, false);
        }

        LoraConfig config() {
            return new LoraConfig(rank, alpha, dropout, targets, rankStabilized);
        }
    }

    /**
     * AdamW.
     *
     * @param learningRate 1e-4 unless given
     * @param weightDecay 0.01 unless given
     * @param beta1 0.9 unless given
     * @param beta2 0.999 unless given
     */
    public record Adam(Double learningRate, Double weightDecay, Double beta1, Double beta2) {
        public Adam {
            learningRate = or(learningRate, 1e-4);
            weightDecay = or(weightDecay, 0.01);
            beta1 = or(beta1, 0.9);
            beta2 = or(beta2, 0.999);
        }
    }

    /**
     * The learning rate's.
     *
     * @param kind cosine unless given
     * @param warmup steps in which it grows from 0; 0 unless given
     */
    public record Schedule(Kind kind, Long warmup) {
        public Schedule {
            kind = or(kind, Kind.COSINE);
            warmup = or(warmup, 0L);
            if (warmup < 0) {
                throw problem("schedule.warmup: expected a number of steps from 0 on, got " + warmup);
            }
        }

        /** The factor of the learning rate behind so many steps. */
        double factor(long step, long steps) {
            if (step < warmup) {
                return (double) step / warmup;
            }
            double passed = Math.min(1, (double) (step - warmup) / Math.max(1, steps - warmup));
            return switch (kind) {
                case CONSTANT -> 1;
                case LINEAR -> 1 - passed;
                case COSINE -> 0.5 * (1 + Math.cos(Math.PI * passed));
            };
        }
    }

    /** How the learning rate goes on behind the warm-up. */
    public enum Kind {
        @JsonProperty("constant")
        CONSTANT,
        /** To 0 at the last step. */
        @JsonProperty("linear")
        LINEAR,
        /** Half a cosine, to 0 at the last step. */
        @JsonProperty("cosine")
        COSINE
    }

    /**
     * The loop; see {@link TrainerOptions}.
     *
     * @param steps of the optimizer, altogether
     * @param accumulation batches of a step; 1 unless given
     * @param clipNorm 1 unless given; 0 for none
     * @param precision of products: float32 unless given, bfloat16 or float16
     * @param recompute whether what layers compute on the way is computed again for backward; false unless given
     * @param evaluateEvery steps; only behind the last unless given
     * @param evaluationBatches at most; 32 unless given
     * @param patience evaluations that may be no better; without end unless given
     * @param checkpointEvery steps; only behind the last unless given
     * @param keep checkpoints, beside the best; 2 unless given
     * @param ahead steps under way; 2 unless given
     * @param seed of what is drawn, such as the adapter's first values; 0 unless given
     */
    public record Training(
            Long steps,
            Integer accumulation,
            Double clipNorm,
            String precision,
            Boolean recompute,
            Long evaluateEvery,
            Integer evaluationBatches,
            Integer patience,
            Long checkpointEvery,
            Integer keep,
            Integer ahead,
            Long seed) {
        public Training {
            required("training.steps", steps);
            accumulation = or(accumulation, 1);
            clipNorm = or(clipNorm, 1.0);
            precision = or(precision, "float32");
            recompute = or(recompute, false);
            evaluateEvery = or(evaluateEvery, 0L);
            evaluationBatches = or(evaluationBatches, 32);
            patience = or(patience, 0);
            checkpointEvery = or(checkpointEvery, 0L);
            keep = or(keep, 2);
            ahead = or(ahead, 2);
            seed = or(seed, 0L);
        }

        TrainerOptions options() {
            return TrainerOptions.steps(steps)
                    .accumulation(accumulation)
                    .clipNorm(clipNorm)
                    .precision(named(precision))
                    .evaluateEvery(evaluateEvery)
                    .patience(patience)
                    .checkpointEvery(checkpointEvery)
                    .ahead(ahead);
        }

        private static ComputePrecision named(String name) {
            try {
                return ComputePrecision.valueOf(name.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException ignored) {
                throw problem("training.precision: expected float32, bfloat16 or float16, got " + name);
            }
        }
    }

    /** The dtype of weights, or null for the stored one. */
    DType dtype() {
        if (weights == null) {
            return lora == null ? DType.FLOAT32 : null;
        }
        try {
            return DType.ofLabel(weights);
        } catch (IllegalArgumentException failure) {
            throw problem("weights: " + failure.getMessage());
        }
    }

    private static <T> T or(T value, T standard) {
        return Objects.requireNonNullElse(value, standard);
    }

    private static void required(String name, Object value) {
        if (value == null) {
            throw problem(name + " is missing");
        }
    }

    private static OutpostException problem(String what) {
        return new OutpostException(FaultKind.USER, "train: " + what);
    }
}
