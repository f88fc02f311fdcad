package dev.outpost.models.architecture;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * GPT-NeoX (Black et al., 2022), such as Pythia: rotary positions for a part of each head, attention parallel to the
 * feed-forward net.
 */
final class GptNeoX extends Decoder {
    private final ModelConfig config;
    private final int features;
    private final int heads;
    private final Body body;
    private final Linear head;

    GptNeoX(ModelConfig config) {
        this.config = config;
        this.features = config.integer("hidden_size");
        this.heads = config.integer("num_attention_heads");
        Activations.of(config, "hidden_act", "gelu");
        body = register("gpt_neox", new Body());
        head = register("embed_out", new Linear(features, vocabulary(), false));
    }

    @Override
    public void prepare(RemoteMachine machine, long positions, boolean isLong) {
        body.rotary =
                RotaryEmbedding.of(rotaryConfig(), features / heads, isLong).tables(machine, positions);
    }

    /** Returns the rotary configuration. Older files have another key for the base of the angles. */
    private ModelConfig rotaryConfig() {
        return config.has("rope_parameters")
                ? config
                : config.with("rope_theta", config.real("rotary_emb_base", 10_000));
    }

    @Override
    public List<PagedKvCache.HeadShape> cacheShapes() {
        long size = features / heads;
        return Collections.nCopies(config.integer("num_hidden_layers"), new PagedKvCache.HeadShape(heads, size, size));
    }

    @Override
    public int vocabulary() {
        return config.integer("vocab_size");
    }

    @Override
    public int mostPositions() {
        return config.integer("max_position_embeddings");
    }

    @Override
    public boolean isSpare(String name) {
        return super.isSpare(name) || name.endsWith(".attention.bias") || name.endsWith(".attention.masked_bias");
    }

    @Override
    public String layersName() {
        return "gpt_neox.layers";
    }

    @Override
    public List<String> embeddingNames() {
        return List.of("gpt_neox.embed_in");
    }

    @Override
    public List<String> headNames() {
        return List.of("gpt_neox.final_layer_norm", "embed_out");
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public Tensor embed(Tensor ids, KeyValues past) {
        return body.tokens.forward(ids);
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
        return head.forward(hidden);
    }

    private LayerNorm norm() {
        return new LayerNorm(Shape.of(features), config.real("layer_norm_eps", 1e-5), true);
    }

    private final class Body extends Module {
        private final Embedding tokens = register("embed_in", new Embedding(vocabulary(), features));
        private final List<Block> blocks = new ArrayList<>();
        private final LayerNorm norm;
        private RotaryEmbedding.Tables rotary;

        Body() {
            for (int layer = 0; layer < config.integer("num_hidden_layers"); layer++) {
                blocks.add(new Block(layer));
            }
            register("layers", new ModuleList<>(blocks));
            norm = register("final_layer_norm", norm());
        }

        Tensor layers(Tensor from, int first, int end, KeyValues past) {
            return Scope.tidy(() -> {
                RotaryEmbedding.Turn turn = rotary.at(past.positions());
                Tensor x = from;
                for (Block block : blocks.subList(first, end)) {
                    x = ofLayer(block, x, turn.tensors(), past);
                }
                return x;
            });
        }
    }

    private final class Block extends Module implements LayerCall {
        private final int layer;
        private final LayerNorm beforeAttention = register("input_layernorm", norm());
        private final LayerNorm beforeFeedForward = register("post_attention_layernorm", norm());
        private final Attention attention = register("attention", new Attention());
        private final FeedForward feedForward = register("mlp", new FeedForward());

        Block(int layer) {
            this.layer = layer;
        }

        @Override
        public Tensor answer(Tensor x, List<Tensor> tables, KeyValues past) {
            return Scope.tidy(() -> {
                RotaryEmbedding.Turn turn = RotaryEmbedding.Turn.of(tables);
                Tensor attended = attention.forward(beforeAttention.forward(x), layer, turn, past);
                Tensor between = x.add(attended);
                Tensor fedFrom = config.flag("use_parallel_residual", true) ? x : between;
                return between.add(feedForward.forward(beforeFeedForward.forward(fedFrom)));
            });
        }
    }

    private final class Attention extends Module {
        private final long size = features / heads;
        private final boolean hasBias = config.flag("attention_bias", true);
        private final Module together = register("query_key_value", config.linear(features, 3L * features, hasBias));
        private final Module output = register("dense", config.linear(features, features, hasBias));

        Tensor forward(Tensor x, int layer, RotaryEmbedding.Turn turn, KeyValues past) {
            return Scope.tidy(() -> {
                // Query, key and value of each head are contiguous.
                Tensor all = together.call(x)
                        .reshape(x.size(0), x.size(1), heads, 3 * size)
                        .transpose(1, 2);
                Tensor answer = past.attend(
                        layer,
                        new AttentionRule(1 / Math.sqrt(size), 0, 0),
                        turn.apply(all.narrow(-1, 0, size)),
                        turn.apply(all.narrow(-1, size, size)),
                        all.narrow(-1, 2 * size, size));
                return output.call(answer.transpose(1, 2).reshape(x.size(0), x.size(1), features));
            });
        }
    }

    private final class FeedForward extends Module {
        private final long inner = config.integer("intermediate_size");
        private final Module up = register("dense_h_to_4h", config.linear(features, inner, true));
        private final Module down = register("dense_4h_to_h", config.linear(inner, features, true));

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(
                    () -> down.call(Activations.of(config, "hidden_act", "gelu").apply(up.call(x))));
        }
    }
}
