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
 * The configuration file of a fine-tune; docs/training.md lists all members. Members that are null have their defaults.
 *
 * @param model the location of the model, which the machine reads
 * @param output a location that only this run uses, for checkpoints and the result; the machine writes there
 * @param logs a folder of this host for metrics; null for none
 * @param weights the dtype of weights; by default the stored one for an adapter, and float32 if the whole model is
 *     trained
 * @param quantize {@code int8} or {@code int4}: quantizes the model's weights as they are read, and trains an adapter on
 *     them
 * @param data the data sets
 * @param lora the adapter; null to train the whole model
 * @param optimizer the options of AdamW
 * @param schedule the learning rate schedule
 * @param training the options of the loop
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
     * The data sets of a fine-tune.
     *
     * @param train a file or folder of this host, or a URI that the machine reads
     * @param evaluation the location of the evaluation data, in the same form; null for none
     * @param format the format of the lines; by default from the name of the first file
     * @param rows number of rows in a batch; 8 by default
     * @param tokens number of tokens in a row; 512 by default
     * @param pack true if a row can have several texts; true by default
     * @param shuffle true if each epoch has another order of lines; true by default
     * @param seed the seed of the order; 0 by default
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
     * The options of an adapter; see {@link LoraConfig}.
     *
     * @param rank 8 by default
     * @param alpha twice the rank by default
     * @param dropout 0 by default
     * @param targets all layers but the head by default
     * @param rankStabilized false by default
     * @param merge true to save a model with the adapter merged into its weights, instead of the adapter; false by
     *     default
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
     * The options of AdamW.
     *
     * @param learningRate 1e-4 by default
     * @param weightDecay 0.01 by default
     * @param beta1 0.9 by default
     * @param beta2 0.999 by default
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
     * The learning rate schedule.
     *
     * @param kind cosine by default
     * @param warmup number of steps in which the rate grows from 0; 0 by default
     */
    public record Schedule(Kind kind, Long warmup) {
        public Schedule {
            kind = or(kind, Kind.COSINE);
            warmup = or(warmup, 0L);
            if (warmup < 0) {
                throw problem("schedule.warmup: expected a number of steps from 0 on, got " + warmup);
            }
        }

        /** Returns the factor of the learning rate after {@code step} steps. */
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

    /** The shape of the learning rate after the warm-up. */
    public enum Kind {
        @JsonProperty("constant")
        CONSTANT,
        /** A line that falls to 0 at the last step. */
        @JsonProperty("linear")
        LINEAR,
        /** Half a cosine that falls to 0 at the last step. */
        @JsonProperty("cosine")
        COSINE
    }

    /**
     * The options of the loop; see {@link TrainerOptions}.
     *
     * @param steps total number of optimizer steps
     * @param accumulation number of batches in a step; 1 by default
     * @param clipNorm the largest gradient norm; 1 by default, 0 for no limit
     * @param precision the dtype of products: float32 by default, bfloat16 or float16
     * @param recompute true to compute intermediate results again in the backward pass; false by default
     * @param evaluateEvery number of steps between evaluations; by default only after the last step
     * @param evaluationBatches the maximum number of batches of an evaluation; 32 by default
     * @param patience number of evaluations without an improvement that ends training; unlimited by default
     * @param checkpointEvery number of steps between checkpoints; by default only after the last step
     * @param keep number of checkpoints to keep in addition to the best; 2 by default
     * @param ahead number of steps under way; 2 by default
     * @param seed the seed of random values, such as the initial values of the adapter; 0 by default
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

    /** Returns the dtype of weights, or null for the stored one. */
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
