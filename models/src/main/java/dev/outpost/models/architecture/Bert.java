package dev.outpost.models.architecture;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * BERT (Devlin et al., 2019), smaller relatives such as MiniLM, and RoBERTa and XLM-RoBERTa, which number positions
 * differently.
 */
final class Bert extends Encoder {
    private final ModelConfig config;
    private final int features;
    private final int heads;
    private final Embeddings embeddings;
    private final List<Layer> layers = new ArrayList<>();

    Bert(ModelConfig config) {
        this.config = config;
        this.features = config.integer("hidden_size");
        this.heads = config.integer("num_attention_heads");
        Activations.of(config, "hidden_act", "gelu");
        embeddings = register("embeddings", new Embeddings());
        register("encoder", new Stack());
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public int mostPositions() {
        return config.integer("max_position_embeddings") - firstPosition();
    }

    @Override
    public int padding() {
        return config.integer("pad_token_id", 0);
    }

    /** Returns the first position: 0, or for RoBERTa the number after the padding token. */
    private int firstPosition() {
        return config.modelType().equals("bert") ? 0 : padding() + 1;
    }

    /** Maps stored names to names of this module: models for a task store the encoder under a prefix. */
    @Override
    public String nameOf(String stored) {
        String prefix = config.modelType().equals("bert") ? "bert." : "roberta.";
        return stored.startsWith(prefix) ? stored.substring(prefix.length()) : stored;
    }

    @Override
    public Tensor hidden(Tensor ids, Tensor isToken, @Nullable Tensor ofTexts) {
        return Scope.tidy(() -> {
            Tensor x = embeddings.forward(ids, ofTexts);
            Tensor isSeen = isToken.reshape(ids.size(0), 1, 1, ids.size(1));
            for (Layer layer : layers) {
                x = layer.forward(x, isSeen);
            }
            return x;
        });
    }

    private LayerNorm norm() {
        return new LayerNorm(Shape.of(features), config.real("layer_norm_eps", 1e-12), true);
    }

    /** A module without a computation, which only adds a part to the names of parameters. */
    private final class Stack extends Module {
        Stack() {
            for (int layer = 0; layer < config.integer("num_hidden_layers"); layer++) {
                layers.add(new Layer());
            }
            register("layer", new ModuleList<>(layers));
        }
    }

    private final class Embeddings extends Module {
        private final Embedding tokens =
                register("word_embeddings", new Embedding(config.integer("vocab_size"), features));
        private final Embedding places =
                register("position_embeddings", new Embedding(config.integer("max_position_embeddings"), features));
        private final Embedding types =
                register("token_type_embeddings", new Embedding(config.integer("type_vocab_size", 2), features));
        private final LayerNorm norm = register("LayerNorm", norm());

        Tensor forward(Tensor ids, @Nullable Tensor ofTexts) {
            return Scope.tidy(() -> {
                Tensor positions = ids.machine().arange(ids.size(1)).add(firstPosition());
                boolean isOne = ofTexts == null || types.weight().tensor().size(0) == 1;
                Tensor ofType = isOne ? types.weight().tensor().narrow(0, 0, 1) : types.forward(ofTexts);
                return norm.forward(tokens.forward(ids).add(ofType).add(places.forward(positions)));
            });
        }
    }

    private final class Layer extends Module {
        private final AttentionBlock attention = register("attention", new AttentionBlock());
        private final Inner inner = register("intermediate", new Inner());
        private final Output output = register("output", new Output(config.integer("intermediate_size")));

        Tensor forward(Tensor x, Tensor isSeen) {
            return Scope.tidy(() -> {
                Tensor between = attention.forward(x, isSeen);
                return output.forward(inner.forward(between), between);
            });
        }
    }

    private final class AttentionBlock extends Module {
        private final Heads self = register("self", new Heads());
        private final Output output = register("output", new Output(features));

        Tensor forward(Tensor x, Tensor isSeen) {
            return Scope.tidy(() -> output.forward(self.forward(x, isSeen), x));
        }
    }

    private final class Heads extends Module {
        private final Linear query = register("query", new Linear(features, features));
        private final Linear key = register("key", new Linear(features, features));
        private final Linear value = register("value", new Linear(features, features));

        Tensor forward(Tensor x, Tensor isSeen) {
            return Scope.tidy(() -> Functional.scaledDotProductAttention(
                            heads(query.forward(x)), heads(key.forward(x)), heads(value.forward(x)), isSeen, false)
                    .output()
                    .transpose(1, 2)
                    .reshape(x.size(0), x.size(1), features));
        }

        private Tensor heads(Tensor x) {
            return x.reshape(x.size(0), x.size(1), heads, -1).transpose(1, 2);
        }
    }

    private final class Inner extends Module {
        private final Linear dense = register("dense", new Linear(features, config.integer("intermediate_size")));

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> Activations.of(config, "hidden_act", "gelu").apply(dense.forward(x)));
        }
    }

    /** Projects to the layer's features, adds the residual input, and normalizes the sum. */
    private final class Output extends Module {
        private final Linear dense;
        private final LayerNorm norm;

        Output(int inner) {
            dense = register("dense", new Linear(inner, features));
            norm = register("LayerNorm", norm());
        }

        Tensor forward(Tensor x, Tensor before) {
            return Scope.tidy(() -> norm.forward(dense.forward(x).add(before)));
        }
    }
}
