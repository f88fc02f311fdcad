package dev.outpost.models.architecture;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** GPT-2 (Radford et al., 2019): learned positions, layer norms before attention and feed-forward net, GELU. */
final class Gpt2 extends Decoder {
    private final ModelConfig config;
    private final int features;
    private final int heads;
    private final Body body;

    Gpt2(ModelConfig config) {
        this.config = config;
        this.features = config.integer("n_embd");
        this.heads = config.integer("n_head");
        Activations.of(config, "activation_function", "gelu_new");
        body = register("transformer", new Body());
    }

    @Override
    public void prepare(RemoteMachine machine, long positions, boolean isLong) {
        // Positions are learned, and are loaded with the other parameters.
    }

    @Override
    public List<PagedKvCache.HeadShape> cacheShapes() {
        long size = features / heads;
        return Collections.nCopies(config.integer("n_layer"), new PagedKvCache.HeadShape(heads, size, size));
    }

    @Override
    public int vocabulary() {
        return config.integer("vocab_size");
    }

    @Override
    public int mostPositions() {
        return config.integer("n_positions", 1024);
    }

    /**
     * Maps stored names to names of this module: the first files of GPT-2 lack the outermost name part, and contain
     * masks.
     */
    @Override
    public String nameOf(String stored) {
        return stored.startsWith("transformer.") || stored.startsWith("lm_head.") ? stored : "transformer." + stored;
    }

    @Override
    public boolean isSpare(String name) {
        return super.isSpare(name) || name.endsWith(".attn.bias") || name.endsWith(".attn.masked_bias");
    }

    @Override
    public String layersName() {
        return "transformer.h";
    }

    @Override
    public List<String> embeddingNames() {
        return List.of("transformer.wte", "transformer.wpe");
    }

    @Override
    public List<String> headNames() {
        return List.of("transformer.ln_f", "transformer.wte");
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public Tensor embed(Tensor ids, KeyValues past) {
        return Scope.tidy(() -> body.tokens.forward(ids).add(body.places.forward(past.positions())));
    }

    @Override
    public Tensor layers(Tensor x, int first, int end, KeyValues past) {
        return body.layers(x, first, end, past);
    }

    @Override
    public Tensor normalized(Tensor x) {
        return body.norm.forward(x);
    }

    @Override
    public Tensor logits(Tensor hidden) {
        return Functional.linear(hidden, body.tokens.weight().tensor(), null);
    }

    private final class Body extends Module {
        private final Embedding tokens = register("wte", new Embedding(vocabulary(), features));
        private final Embedding places = register("wpe", new Embedding(mostPositions(), features));
        private final List<Block> blocks = new ArrayList<>();
        private final LayerNorm norm;

        Body() {
            for (int layer = 0; layer < config.integer("n_layer"); layer++) {
                blocks.add(new Block(layer));
            }
            register("h", new ModuleList<>(blocks));
            norm = register("ln_f", norm());
        }

        Tensor layers(Tensor from, int first, int end, KeyValues past) {
            return Scope.tidy(() -> {
                Tensor x = from;
                for (Block block : blocks.subList(first, end)) {
                    x = ofLayer(block, x, List.of(), past);
                }
                return x;
            });
        }
    }

    private LayerNorm norm() {
        return new LayerNorm(Shape.of(features), config.real("layer_norm_epsilon", 1e-5), true);
    }

    /** Returns a layer whose weight is stored as {@code [in, out]}, and is transposed if it is quantized. */
    private Module projection(long in, long out) {
        return config.quantization()
                .<Module>map(how -> new QuantizedLinear(how, in, out, true, true))
                .orElseGet(() -> new Projection(in, out));
    }

    private final class Block extends Module implements LayerCall {
        private final int layer;
        private final LayerNorm beforeAttention = register("ln_1", norm());
        private final Attention attention = register("attn", new Attention());
        private final LayerNorm beforeFeedForward = register("ln_2", norm());
        private final FeedForward feedForward = register("mlp", new FeedForward());

        Block(int layer) {
            this.layer = layer;
        }

        @Override
        public Tensor answer(Tensor x, List<Tensor> tables, KeyValues past) {
            return Scope.tidy(() -> {
                Tensor between = x.add(attention.forward(beforeAttention.forward(x), layer, past));
                return between.add(feedForward.forward(beforeFeedForward.forward(between)));
            });
        }
    }

    private final class Attention extends Module {
        private final Module together = register("c_attn", projection(features, 3L * features));
        private final Module output = register("c_proj", projection(features, features));

        Tensor forward(Tensor x, int layer, KeyValues past) {
            return Scope.tidy(() -> {
                Tensor all = together.call(x);
                AttentionRule rule = new AttentionRule(1 / Math.sqrt((double) features / heads), 0, 0);
                Tensor answer = past.attend(layer, rule, part(all, 0), part(all, 1), part(all, 2));
                return output.call(answer.transpose(1, 2).reshape(x.size(0), x.size(1), features));
            });
        }

        /** Returns {@code [batch, heads, tokens, features of a head]}. */
        private Tensor part(Tensor all, int which) {
            return all.narrow(-1, (long) which * features, features)
                    .reshape(all.size(0), all.size(1), heads, -1)
                    .transpose(1, 2);
        }
    }

    private final class FeedForward extends Module {
        private final long inner = config.integer("n_inner", 4 * features);
        private final Module up = register("c_fc", projection(features, inner));
        private final Module down = register("c_proj", projection(inner, features));

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> down.call(
                    Activations.of(config, "activation_function", "gelu_new").apply(up.call(x))));
        }
    }

    /** Computes x · weight + bias with a weight {@code [in, out]}. */
    private static final class Projection extends Module implements AdaptableLayer {
        private final Parameter weight;
        private final Parameter bias;

        Projection(long in, long out) {
            weight = parameter("weight", Init.zeros(), in, out);
            bias = parameter("bias", Init.zeros(), out);
        }

        @Override
        public long inFeatures() {
            return weight.shape().size(0);
        }

        @Override
        public long outFeatures() {
            return weight.shape().size(1);
        }

        @Override
        public boolean isTransposed() {
            return true;
        }

        @Override
        public void addToWeight(Tensor change) {
            weight.tensor().add_(change.t());
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> x.matmul(weight.tensor()).add(bias.tensor()));
        }
    }
}
