package dev.outpost.models.architecture;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;

/**
 * Rotary position embedding (Su et al., 2021) with the usual scalings. Pairs of features are rotated by an angle that grows
 * with the position. A pair has one feature of each half of a head, as in transformers' files.
 *
 * @param frequencies the angle of each pair at position 1
 * @param factor the factor of rotated features
 */
record RotaryEmbedding(double[] frequencies, double factor) {
    private static final double STANDARD_BASE = 10_000;

    /**
     * Returns the embedding of a configuration.
     *
     * @param config the configuration, which has {@code rope_parameters}, or in older files {@code rope_theta} and {@code rope_scaling}
     * @param features number of features of a head
     * @param isLong true if texts are longer than those of the first training, for which longrope uses other factors
     */
    static RotaryEmbedding of(ModelConfig config, int features, boolean isLong) {
        ModelConfig rope = config.part("rope_parameters")
                .or(() -> config.part("rope_scaling"))
                .orElse(config);
        return of(config, rope, rope.real("rope_theta", config.real("rope_theta", STANDARD_BASE)), features, isLong);
    }

    static RotaryEmbedding of(ModelConfig config, ModelConfig rope, double base, int features, boolean isLong) {
        int turned = turned(config, rope, features);
        double[] plain = new double[turned / 2];
        for (int pair = 0; pair < plain.length; pair++) {
            plain[pair] = Math.pow(base, -2.0 * pair / turned);
        }
        String type = rope.text("rope_type", rope.text("type", "default"));
        return switch (type) {
            case "default" -> new RotaryEmbedding(plain, 1);
            case "linear" -> new RotaryEmbedding(scaled(plain, 1 / rope.real("factor", 1)), 1);
            case "llama3" -> llama3(rope, plain);
            case "yarn" -> yarn(config, rope, plain, base, turned);
            case "longrope", "su" -> longRope(config, rope, plain, isLong);
            default ->
                throw new OutpostException(
                        FaultKind.USER,
                        config.name() + ": rope_type " + type
                                + " is not known, only default, linear, llama3, yarn and longrope");
        };
    }

    /** Returns the number of rotated features of a head. The others stay as they are. */
    static int turned(ModelConfig config, ModelConfig rope, int features) {
        double part =
                rope.real("partial_rotary_factor", config.real("partial_rotary_factor", config.real("rotary_pct", 1)));
        return (int) (features * part);
    }

    private static double[] scaled(double[] frequencies, double by) {
        double[] scaled = new double[frequencies.length];
        for (int pair = 0; pair < scaled.length; pair++) {
            scaled[pair] = frequencies[pair] * by;
        }
        return scaled;
    }

    /** Applies the scaling of Llama 3.1: low frequencies are reduced, high frequencies stay, and a ramp connects them. */
    private static RotaryEmbedding llama3(ModelConfig rope, double[] plain) {
        double factor = rope.real("factor", 8);
        double low = rope.real("low_freq_factor", 1);
        double high = rope.real("high_freq_factor", 4);
        double trained = rope.integer("original_max_position_embeddings");
        double[] frequencies = new double[plain.length];
        for (int pair = 0; pair < plain.length; pair++) {
            double turns = trained * plain[pair] / (2 * Math.PI);
            double smooth = Math.clamp((turns - low) / (high - low), 0, 1);
            frequencies[pair] = (1 - smooth) * plain[pair] / factor + smooth * plain[pair];
        }
        return new RotaryEmbedding(frequencies, 1);
    }

    /** Applies YaRN (Peng et al., 2023). */
    private static RotaryEmbedding yarn(ModelConfig config, ModelConfig rope, double[] plain, double base, int turned) {
        double trained = rope.integer("original_max_position_embeddings", config.integer("max_position_embeddings"));
        double factor = rope.real("factor", config.integer("max_position_embeddings") / trained);
        double low = correction(rope.real("beta_fast", 32), turned, base, trained);
        double high = correction(rope.real("beta_slow", 1), turned, base, trained);
        if (rope.flag("truncate", true)) {
            low = Math.floor(low);
            high = Math.ceil(high);
        }
        low = Math.max(low, 0);
        high = Math.min(high, turned - 1);
        double width = Math.max(high - low, 0.001);
        double[] frequencies = new double[plain.length];
        for (int pair = 0; pair < plain.length; pair++) {
            double slowed = Math.clamp((pair - low) / width, 0, 1);
            frequencies[pair] = plain[pair] / factor * slowed + plain[pair] * (1 - slowed);
        }
        double standard = factor <= 1 ? 1 : 0.1 * Math.log(factor) + 1;
        return new RotaryEmbedding(frequencies, rope.real("attention_factor", standard));
    }

    private static double correction(double turns, int turned, double base, double trained) {
        return turned * Math.log(trained / (turns * 2 * Math.PI)) / (2 * Math.log(base));
    }

    /**
     * Applies the scaling of Phi 3: each pair has its own factor, and texts that are longer than in the first training have other factors.
     */
    private static RotaryEmbedding longRope(ModelConfig config, ModelConfig rope, double[] plain, boolean isLong) {
        int max = config.integer("max_position_embeddings");
        int trained = config.integer(
                "original_max_position_embeddings", rope.integer("original_max_position_embeddings", max));
        double[] factors = rope.reals(isLong ? "long_factor" : "short_factor");
        if (factors.length != plain.length) {
            throw new OutpostException(
                    FaultKind.USER,
                    config.name() + ": longrope needs " + plain.length + " factors, got " + factors.length);
        }
        double[] frequencies = new double[plain.length];
        for (int pair = 0; pair < plain.length; pair++) {
            frequencies[pair] = plain[pair] / factors[pair];
        }
        double factor = rope.real("factor", (double) max / trained);
        double standard = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(trained));
        return new RotaryEmbedding(frequencies, rope.real("attention_factor", standard));
    }

    /** Returns cosines and sines of all positions, {@code [positions, turned features]} each. */
    Tables tables(RemoteMachine machine, long positions) {
        int pairs = frequencies.length;
        float[] cosines = new float[Math.toIntExact(positions * 2 * pairs)];
        float[] sines = new float[cosines.length];
        for (int position = 0; position < positions; position++) {
            for (int feature = 0; feature < 2 * pairs; feature++) {
                double angle = position * frequencies[feature % pairs];
                cosines[position * 2 * pairs + feature] = (float) (Math.cos(angle) * factor);
                sines[position * 2 * pairs + feature] = (float) (Math.sin(angle) * factor);
            }
        }
        return machine.unscoped(() -> new Tables(
                machine.tensor(HostTensor.of(cosines, positions, 2 * pairs)),
                machine.tensor(HostTensor.of(sines, positions, 2 * pairs))));
    }

    /** Cosines and sines by position. */
    record Tables(Tensor cosines, Tensor sines) {
        /**
         * Returns the rows of some positions.
         *
         * @param positions {@code [batch, tokens]}
         */
        Turn at(Tensor positions) {
            return new Turn(rows(cosines, positions), rows(sines, positions));
        }

        private static Tensor rows(Tensor table, Tensor positions) {
            return Scope.tidy(() -> table.indexSelect(0, positions.reshape(-1))
                    .reshape(positions.size(0), 1, positions.size(1), table.size(1)));
        }
    }

    /** Cosines and sines for the positions of a call, {@code [batch, 1, tokens, turned features]}. */
    record Turn(Tensor cosines, Tensor sines) {
        static Turn of(List<Tensor> tensors) {
            return new Turn(tensors.get(0), tensors.get(1));
        }

        List<Tensor> tensors() {
            return List.of(cosines, sines);
        }

        /** @param heads {@code [batch, heads, tokens, features]} */
        Tensor apply(Tensor heads) {
            return Scope.tidy(() -> {
                long turned = cosines.size(-1);
                Tensor part = turned == heads.size(-1) ? heads : heads.narrow(-1, 0, turned);
                Tensor first = part.narrow(-1, 0, turned / 2);
                Tensor second = part.narrow(-1, turned / 2, turned / 2);
                Tensor crossed = Tensors.cat(List.of(second.neg(), first), -1);
                Tensor answer = part.mul(cosines.to(heads.dtype())).add(crossed.mul(sines.to(heads.dtype())));
                return turned == heads.size(-1)
                        ? answer
                        : Tensors.cat(List.of(answer, heads.narrow(-1, turned, heads.size(-1) - turned)), -1);
            });
        }
    }
}
