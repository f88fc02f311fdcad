package dev.outpost.models.architecture;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.nn.Parameter;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * T5 (Raffel et al., 2020) and its later forms such as FLAN-T5: an encoder, and a decoder with cross attention.
 * Attention uses biases by distance instead of position embeddings, and does not scale the scores. Parameters have
 * the names of transformers' files.
 */
public final class T5 extends Module {
    private final ModelConfig config;
    private final int features;
    private final int heads;
    private final int headSize;
    private final Embedding shared;
    private final Stack encoder;
    private final Stack decoder;
    private final Linear head;

    public T5(ModelConfig config) {
        this.config = config;
        features = config.integer("d_model");
        heads = config.integer("num_heads");
        headSize = config.integer("d_kv");
        shared = register("shared", new Embedding(vocabulary(), features));
        encoder = register("encoder", new Stack(config.integer("num_layers"), false));
        decoder = register(
                "decoder", new Stack(config.integer("num_decoder_layers", config.integer("num_layers")), true));
        head = isTied() ? null : register("lm_head", new Linear(features, vocabulary(), false));
    }

    public int vocabulary() {
        return config.integer("vocab_size");
    }

    /** Returns the first token of the decoder. */
    public int start() {
        return config.integer("decoder_start_token_id", config.integer("pad_token_id", 0));
    }

    public int padding() {
        return config.integer("pad_token_id", 0);
    }

    private boolean isTied() {
        return config.flag("tie_word_embeddings", true);
    }

    /** Keys and values of a layer: {@code [batch, heads, tokens, features of a head]}. */
    public record KeysAndValues(Tensor keys, Tensor values) {}

    public int decoderLayers() {
        return decoder.blocks.size();
    }

    public int heads() {
        return heads;
    }

    public int headSize() {
        return headSize;
    }

    /**
     * Returns the output of the encoder for texts.
     *
     * @param ids {@code [batch, tokens]}, int64
     * @param isToken true at the tokens of a text, false at padding, {@code [batch, tokens]}, bool
     * @return {@code [batch, tokens, features]}
     */
    public Tensor encode(Tensor ids, Tensor isToken) {
        return Scope.tidy(() -> {
            long tokens = ids.size(1);
            Tensor positions = ids.machine().arange(tokens);
            Tensor bias = encoder.bias(positions, tokens)
                    .maskedFill(isToken.logicalNot().reshape(ids.size(0), 1, 1, tokens), Double.NEGATIVE_INFINITY);
            return encoder.forward(shared.forward(ids), bias, null, null, null);
        });
    }

    /** Returns the keys and values of the encoder's output for a layer of the decoder. */
    public KeysAndValues cross(int layer, Tensor encoded) {
        Attention attention = decoder.blocks.get(layer).cross.attention;
        return new KeysAndValues(
                attention.split(attention.key.forward(encoded)), attention.split(attention.value.forward(encoded)));
    }

    /** Stores a layer's keys and values of the decoder's tokens, and returns the keys and values of all tokens so far. */
    public interface Cache {
        KeysAndValues put(int layer, Tensor keys, Tensor values);
    }

    /**
     * Returns the scores after each token of the decoder, {@code [batch, tokens, vocabulary]}.
     *
     * @param ids the tokens of the decoder, {@code [batch, tokens]}
     * @param positions their positions, {@code [tokens]}
     * @param keys number of keys that the cache returns
     * @param cross the encoder's keys and values of each layer
     * @param isSeen true at the tokens of the encoder's text, {@code [batch, tokens]}, bool
     */
    public Tensor decode(
            Tensor ids, Tensor positions, long keys, Cache cache, List<KeysAndValues> cross, Tensor isSeen) {
        return Scope.tidy(() -> {
            Tensor future = ids.machine().arange(keys).reshape(1, -1).gt(positions.reshape(-1, 1));
            Tensor bias = decoder.bias(positions, keys)
                    .maskedFill(future.reshape(1, 1, positions.size(0), keys), Double.NEGATIVE_INFINITY);
            Tensor source = isSeen.reshape(isSeen.size(0), 1, 1, isSeen.size(1));
            Tensor hidden = decoder.forward(shared.forward(ids), bias, cache, cross, source);
            if (isTied() && config.flag("scale_decoder_outputs", true)) {
                hidden = hidden.mul(1 / Math.sqrt(features));
            }
            return head == null ? Functional.linear(hidden, shared.weight().tensor(), null) : head.forward(hidden);
        });
    }

    /** Makes the tables that depend on the machine, for texts of {@code tokens} tokens. */
    public void prepare(RemoteMachine machine, long tokens) {
        encoder.prepare(machine, tokens);
        decoder.prepare(machine, tokens);
    }

    /** True if older files store copies of a tensor under this name. */
    public static boolean isSpare(String name) {
        return name.endsWith("embed_tokens.weight")
                || name.equals("lm_head.weight")
                || name.endsWith("EncDecAttention.relative_attention_bias.weight");
    }

    private final class Stack extends Module {
        private final List<Block> blocks = new ArrayList<>();
        private final Norm norm;
        private final boolean isDecoder;
        /** The bucket of each distance, ascending from {@code 1 - max} to {@code max - 1}. */
        private Tensor buckets;

        private long max;

        Stack(int layers, boolean isDecoder) {
            this.isDecoder = isDecoder;
            for (int layer = 0; layer < layers; layer++) {
                blocks.add(new Block(isDecoder, layer == 0));
            }
            register("block", new ModuleList<>(blocks));
            norm = register("final_layer_norm", new Norm());
        }

        public void prepare(RemoteMachine machine, long tokens) {
            if (tokens <= max) {
                return;
            }
            max = tokens;
            long[] all = new long[Math.toIntExact(2 * tokens - 1)];
            for (int place = 0; place < all.length; place++) {
                all[place] = bucket(place - (tokens - 1));
            }
            // Programs that use the earlier table keep it.
            buckets = machine.unscoped(() -> machine.tensor(all, all.length));
        }

        /** @param distance the position of the key minus that of the query */
        private long bucket(long distance) {
            int count = config.integer("relative_attention_num_buckets", 32);
            long bucket = 0;
            long back = -distance;
            if (!isDecoder) {
                count /= 2;
                bucket = distance > 0 ? count : 0;
                back = Math.abs(distance);
            }
            back = Math.max(back, 0);
            int exact = count / 2;
            if (back < exact) {
                return bucket + back;
            }
            double max = config.integer("relative_attention_max_distance", 128);
            long far =
                    exact + (long) ((float) (Math.log((float) back / exact) / Math.log(max / exact)) * (count - exact));
            return bucket + Math.min(far, count - 1L);
        }

        /** Returns the biases of the scores, {@code [1, heads, queries, keys]}. */
        Tensor bias(Tensor positions, long keys) {
            Tensor distances = positions.machine().arange(keys).reshape(1, -1).sub(positions.reshape(-1, 1));
            Tensor indices = distances.add(max - 1).reshape(-1);
            Tensor weights = blocks.getFirst().self.attention.bias.forward(buckets.indexSelect(0, indices));
            return weights.reshape(positions.size(0), keys, heads)
                    .permute(2, 0, 1)
                    .unsqueeze(0);
        }

        Tensor forward(
                Tensor x,
                Tensor bias,
                @Nullable Cache cache,
                @Nullable List<KeysAndValues> cross,
                @Nullable Tensor isSeen) {
            Tensor now = x;
            for (int layer = 0; layer < blocks.size(); layer++) {
                Block block = blocks.get(layer);
                now = now.add(block.self.forward(now, bias, layer, cache));
                if (cross != null) {
                    now = now.add(block.cross.forward(now, isSeen, cross.get(layer)));
                }
                now = now.add(block.feed.forward(now));
            }
            return norm.forward(now);
        }
    }

    private final class Block extends Module {
        private final SelfLayer self;
        private final CrossLayer cross;
        private final FeedLayer feed;

        Block(boolean isDecoder, boolean hasBias) {
            self = new SelfLayer(hasBias);
            cross = isDecoder ? new CrossLayer() : null;
            feed = new FeedLayer();
            register(
                    "layer",
                    new ModuleList<>(cross == null ? List.<Module>of(self, feed) : List.of(self, cross, feed)));
        }
    }

    private final class SelfLayer extends Module {
        private final Attention attention;
        private final Norm norm = register("layer_norm", new Norm());

        SelfLayer(boolean hasBias) {
            attention = register("SelfAttention", new Attention(hasBias));
        }

        Tensor forward(Tensor x, Tensor bias, int layer, @Nullable Cache cache) {
            return Scope.tidy(() -> {
                Tensor normed = norm.forward(x);
                Tensor keys = attention.split(attention.key.forward(normed));
                Tensor values = attention.split(attention.value.forward(normed));
                KeysAndValues all = cache == null ? new KeysAndValues(keys, values) : cache.put(layer, keys, values);
                return attention.attend(normed, all, bias.to(x.dtype()));
            });
        }
    }

    private final class CrossLayer extends Module {
        private final Attention attention = register("EncDecAttention", new Attention(false));
        private final Norm norm = register("layer_norm", new Norm());

        Tensor forward(Tensor x, Tensor isSeen, KeysAndValues encoded) {
            return Scope.tidy(() -> attention.attend(norm.forward(x), encoded, isSeen));
        }
    }

    private final class Attention extends Module {
        private final Module query = register("q", config.linear(features, (long) heads * headSize, false));
        private final Module key = register("k", config.linear(features, (long) heads * headSize, false));
        private final Module value = register("v", config.linear(features, (long) heads * headSize, false));
        private final Module output = register("o", config.linear((long) heads * headSize, features, false));
        private final Embedding bias;

        Attention(boolean hasBias) {
            bias = hasBias
                    ? register(
                            "relative_attention_bias",
                            new Embedding(config.integer("relative_attention_num_buckets", 32), heads))
                    : null;
        }

        Tensor split(Tensor x) {
            return x.reshape(x.size(0), x.size(1), heads, headSize).transpose(1, 2);
        }

        Tensor attend(Tensor x, KeysAndValues all, Tensor mask) {
            return output.call(
                    Functional.scaledDotProductAttention(split(query.call(x)), all.keys, all.values, mask, false, 1)
                            .output()
                            .transpose(1, 2)
                            .reshape(x.size(0), x.size(1), (long) heads * headSize));
        }
    }

    private Module feedForward() {
        String kind = config.text("feed_forward_proj", "relu");
        return switch (kind) {
            case "relu" -> new Plain();
            case "gated-gelu" -> new Gated();
            default ->
                throw new OutpostException(
                        FaultKind.USER,
                        config.name() + ": feed_forward_proj " + kind + " is not known, only relu and gated-gelu");
        };
    }

    private final class FeedLayer extends Module {
        private final Module net = register("DenseReluDense", feedForward());
        private final Norm norm = register("layer_norm", new Norm());

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> net.forward(norm.forward(x)));
        }
    }

    private final class Plain extends Module {
        private final Module in = register("wi", config.linear(features, config.integer("d_ff"), false));
        private final Module out = register("wo", config.linear(config.integer("d_ff"), features, false));

        @Override
        public Tensor forward(Tensor x) {
            return out.call(in.call(x).relu());
        }
    }

    private final class Gated extends Module {
        private final Module gate = register("wi_0", config.linear(features, config.integer("d_ff"), false));
        private final Module in = register("wi_1", config.linear(features, config.integer("d_ff"), false));
        private final Module out = register("wo", config.linear(config.integer("d_ff"), features, false));

        @Override
        public Tensor forward(Tensor x) {
            return out.call(gate.call(x).geluTanh().mul(in.call(x)));
        }
    }

    /** Normalizes to root mean square 1, in float32. */
    private final class Norm extends Module {
        private final Parameter weight = parameter("weight", Init.ones(), features);

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> {
                Tensor wide = x.to(DType.FLOAT32);
                double eps = config.real("layer_norm_epsilon", 1e-6);
                Tensor even = wide.mul(wide.mul(wide).mean(-1, true).add(eps).rsqrt());
                return even.to(x.dtype()).mul(weight.tensor());
            });
        }
    }
}
